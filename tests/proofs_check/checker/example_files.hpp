#pragma once

#include "proofs_check/checker/dataset.hpp"

#include <string>
#include <vector>

namespace attest::checker_test {

/// A proof of proofs_check/checker/examples; its comment "# files:" names the data and perhaps the
/// queries.
struct Example {
    std::string name;
    std::string text;
    std::vector<std::string> files;
};

/// The folder of the examples, with a slash behind it.
[[nodiscard]] std::string examples_folder();

/// The proofs of the folder `valid` or `broken`, by name.
[[nodiscard]] std::vector<Example> read_examples(const std::string& folder);

/// What follows `start` on the first line that begins so; empty if there is none.
[[nodiscard]] std::string line_of(const std::string& text, const std::string& start);

/// A data set of the examples; each is read once.
[[nodiscard]] const checker::Dataset& example_data(const std::string& file);

/// d = 1: a sequence of one token for each of these.
[[nodiscard]] checker::Dataset numbers(const std::vector<double>& tokens);

/// "VERIFIED claim" or "REJECTED: line N: reason", as attest-check prints it. At most two files.
[[nodiscard]] std::string verdict(const std::string& text, const std::vector<std::string>& files);
[[nodiscard]] std::string verdict(const std::string& text,
                                  const checker::Dataset& data,
                                  const checker::Dataset& queries);

/// The body with its line `end`.
[[nodiscard]] std::string sign(const std::string& body);

}  // namespace attest::checker_test
