// Whatever a proof says about one small data set, the independent checker verifies it or rejects it
// with one line, and it verifies nothing false: these data have fewer examples than features and
// labels of a planted model. Input: the lines of a proof from "claim" on, without the last; what
// stands around them (FORMAT.md §2) is written here, so that no digest stops a changed byte.
#include "proofs_check/checker/digest.hpp"
#include "proofs_check/checker/stack.hpp"
#include "proofs_check/checker/verify.hpp"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): POSIX names

#include <cstdint>
#include <iostream>
#include <string_view>

namespace {

using namespace attest::checker;

[[noreturn]] void fail(std::string_view why) {
    std::cerr << "certificate: " << why << '\n';
    abort();
}

/// d = 2, ψ = 6, five sequences of the two tokens (1, i) and (i, 2), labelled y = S_12 z_1.
const Dataset& examples() {
    static const Dataset data = [] {
        Dataset built;
        built.d = 2;
        built.o = 1;
        built.num_examples = 5;
        for (Index i = 1; i <= built.num_examples; ++i) {
            const auto x = static_cast<double>(i);
            built.offsets.push_back(2 * i);
            built.tokens.insert(built.tokens.end(), {1.0, x, x, 2.0});
            built.y.push_back((x + 2.0 * x) * x);
        }
        return built;
    }();
    return data;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string first =
        "attest-proof 1\ndata " + describe(examples()) + "\nqueries " + describe(examples()) + '\n';
    const std::string input(reinterpret_cast<const char*>(data), size);
    // What decides how a file is read looks at any bytes, before a digest has stopped them.
    static_cast<void>(is_about_stack("attest-proof 1\n" + input));
    static_cast<void>(layer_arrays(input));
    std::string proof = first + input;
    proof += "end " + sha256(proof) + '\n';
    try {
        const std::string claim = verify(proof, {examples(), examples()});
        // No two of the five queries are the same, and only two groups can be independent.
        if (claim == "full-rank" || claim == "labels-inconsistent" ||
            claim.starts_with("grouped")) {
            fail("verified what is false: " + claim);
        }
    } catch (const Failure& failure) {
        if (failure.code != 1 ||
            std::string_view(failure.what()).find('\n') != std::string_view::npos) {
            fail(std::string("not one line that rejects: ") + failure.what());
        }
    }
    return 0;
}
