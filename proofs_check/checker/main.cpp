#include "proofs_check/checker/stack.hpp"
#include "proofs_check/checker/verify.hpp"

#include <fstream>
#include <iostream>

namespace {
using namespace attest::checker;
constexpr const char* kUsage =
    "usage: attest-check PROOF.cert DATA.npz [QUERIES.npz], or PROOF.cert alone, of a stack";

struct Answer {
    int code;
    std::string line;
};

/// Of a proof, its data and perhaps its queries; FORMAT.md §2 lists the answers.
Answer answer(const std::vector<std::string>& files) {
    if (files.empty() || files.size() > 3) {
        return {2, kUsage};
    }
    std::string file = files[0];
    try {
        const std::string proof = read_file(file, Index{1} << 26);
        if (is_about_stack(proof) != (files.size() == 1)) {
            return {2, kUsage};
        }
        if (files.size() == 1) {
            return {0, "VERIFIED " + verify_stack(proof)};
        }
        const Names arrays = layer_arrays(proof);
        const Dataset data = load_dataset(file = files[1], arrays);
        const Dataset queries =
            files.size() == 3 ? load_dataset(file = files[2], arrays) : Dataset{};
        return {0, "VERIFIED " + verify(proof, {data, queries})};
    } catch (const Failure& failure) {
        const bool rejected = failure.code == 1;
        return {failure.code,
                (rejected ? "REJECTED: " : "attest-check: " + file + ": ") + failure.what()};
    } catch (const std::bad_alloc&) {
        return {5, "attest-check: out of memory"};
    }
}

/// Of each line of this list, the files of a proof with tabs between them: exit code and answer.
int check_batch(const char* path) {
    std::ifstream list(path);
    if (!list) {
        std::cerr << "attest-check: " << path << ": cannot be read\n";
        return 4;
    }
    for (std::string line; std::getline(list, line);) {
        std::vector<std::string> files{""};
        for (const char c : line) {
            if (c == '\t') {
                files.emplace_back();
            } else {
                files.back().push_back(c);
            }
        }
        const Answer given = answer(files);
        std::cout << given.code << ' ' << given.line << std::endl;
    }
    return 0;
}
}  // namespace

/// attest-check PROOF.cert DATA.npz [QUERIES.npz], PROOF.cert alone, or --batch LIST.
int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 2 && arguments[0] == "--batch") {
        return check_batch(argv[2]);
    }
    const Answer given = answer(arguments);
    (given.code < 2 ? std::cout : std::cerr) << given.line << '\n';
    return given.code;
}
