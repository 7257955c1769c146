// Any arrays are either a dump, which is then checked and diagnosed to the end, or refused with one
// line. Input: one byte for the recurrence and one for the layout; then for each array one for its
// name, one for its number of axes (of 5), one for the size of each (of 4), and one for each
// element, an eighth of a signed byte, 127 and −128 being NaN and −∞.
//   scripts/build --preset fuzz && tests/fuzz/write_seeds.py build/fuzz/seeds
//   build/fuzz/fuzzers/kernel_dump_fuzz -max_total_time=60 FRESH_FOLDER
//   build/fuzz/seeds/kernel_dump_fuzz

#include "core/base/error.hpp"
#include "core/kernels/kernel_call.hpp"
#include "core/kernels/kernel_findings.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>

namespace {

using namespace attest;

constexpr std::array<const char*, 47> kArrays{"q",
                                              "k",
                                              "v",
                                              "o",
                                              "g",
                                              "gates",
                                              "decay",
                                              "beta",
                                              "initial_state",
                                              "final_state",
                                              "scale",
                                              "other",
                                              "do",
                                              "dfinal_state",
                                              "dq",
                                              "dk",
                                              "dv",
                                              "dg",
                                              "dbeta",
                                              "dinitial_state",
                                              "p",
                                              "a",
                                              "b",
                                              "w",
                                              "r",
                                              "x",
                                              "dt",
                                              "A",
                                              "B",
                                              "C",
                                              "D",
                                              "z",
                                              "i",
                                              "f",
                                              "initial_n",
                                              "initial_m",
                                              "final_m",
                                              "A_log",
                                              "dt_bias",
                                              "cu_seqlens",
                                              "seq_idx",
                                              "chunk",
                                              "lower_bound",
                                              "dt_softplus",
                                              "use_gate_in_kernel",
                                              "use_qk_l2norm_in_kernel",
                                              "state_v_first"};

/// The input, a byte at a time; zeros behind its end.
class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    [[nodiscard]] bool empty() const { return left_ == 0; }

    std::uint8_t next() {
        if (left_ == 0) {
            return 0;
        }
        --left_;
        return *data_++;
    }

private:
    const std::uint8_t* data_;
    std::size_t left_;
};

double value_of(std::uint8_t byte) {
    return byte == 127   ? std::numeric_limits<double>::quiet_NaN()
           : byte == 128 ? -std::numeric_limits<double>::infinity()
                         : static_cast<double>(static_cast<std::int8_t>(byte)) / 8.0;
}

Weight array_of(Bytes& bytes) {
    Weight array;
    Index size = 1;
    for (int axes = bytes.next() % 5; axes > 0; --axes) {
        array.shape.push_back(bytes.next() % 4);
        size *= array.shape.back();
    }
    for (Index i = 0; i < size; ++i) {
        array.values.push_back(value_of(bytes.next()));
    }
    return array;
}

[[noreturn]] void fail(const std::string& why) {
    std::cerr << "kernel dump: " << why << '\n';
    std::abort();
}

void check_to_the_end(const KernelCall& call) {
    const KernelFindings findings = check_call(call, {}, SharpLevel::on, 1);
    if (findings.has_bound()) {
        const KernelCheck& bound = findings.bound;
        if (std::ssize(bound.ratios) != call.tokens() * call.heads) {
            fail("not a ratio a row");
        }
        if (bound.holds() == bound.first.has_value()) {
            fail("right with a wrong place, or wrong without one");
        }
        if (!bound.holds()) {
            (void)diagnose_call({}, findings);
        }
    }
    (void)gain_sentences(call, *findings.sharp);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const std::vector<std::string> kinds = recurrence_names();
    DumpFormat format;
    format.recurrence = recurrence_named(kinds[bytes.next() % kinds.size()]);
    format.layout = bytes.next() % 2 == 0 ? DumpLayout::time_first : DumpLayout::head_first;
    Weights file{"f", "", {}};
    while (!bytes.empty()) {
        const std::string name = kArrays.at(bytes.next() % kArrays.size());
        file.tensors[name] = array_of(bytes);
    }
    try {
        check_to_the_end(kernel_call(file, format));
    } catch (const InvalidInput& error) {
        const std::string line = error.what();
        if (line.rfind("f: ", 0) != 0 || line.find('\n') != std::string::npos) {
            fail("not one line that starts with the file: " + line);
        }
    }
    return 0;
}
