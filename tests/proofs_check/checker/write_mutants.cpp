// write_mutants COUNT FILE: signed mutants of the valid proofs and mutants of their data, each with
// the answer of the C++ checker, for python_checker_test.py. A record is a line "kind bytes example
// answer" and then the bytes.
#include "tests/proofs_check/checker/example_files.hpp"
#include "tests/proofs_check/checker/mutate.hpp"

#include <fstream>
#include <iostream>

namespace attest::checker_test {
namespace {

std::string answer_for_data(const Example& example,
                            const std::string& bytes,
                            const std::string& path) {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
        const checker::Dataset none;
        const checker::Dataset& queries =
            example.files.size() > 1 ? example_data(example.files[1]) : none;
        return verdict(example.text, checker::load_dataset(path), queries);
    } catch (const checker::Failure& failure) {
        return failure.what();
    }
}

void write_mutants(int count, const std::string& path) {
    const std::vector<Example> examples = read_examples("valid");
    Dice dice(4);
    std::ofstream out(path, std::ios::binary);
    for (int i = 0; i < count; ++i) {
        const Example& example = examples[dice.below(examples.size())];
        const Example& other = examples[dice.below(examples.size())];
        const bool of_data = i % 4 == 0;
        const std::string data_path = examples_folder() + "data/" + example.files[0];
        const std::string bytes =
            of_data ? mutate_bytes(checker::read_file(data_path, 1 << 20), dice)
                    : sign(mutate_text(body_of(example.text), body_of(other.text), dice));
        const std::string answer = of_data ? answer_for_data(example, bytes, path + ".npz")
                                           : verdict(bytes, example.files);
        out << (of_data ? "data " : "proof ") << bytes.size() << ' ' << example.name << ' '
            << answer << '\n'
            << bytes;
    }
}

}  // namespace
}  // namespace attest::checker_test

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: write_mutants COUNT FILE\n";
        return 2;
    }
    attest::checker_test::write_mutants(std::stoi(argv[1]), argv[2]);
    return 0;
}
