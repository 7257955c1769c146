#include "tests/proofs_check/checker/example_files.hpp"

#include "proofs_check/checker/digest.hpp"
#include "proofs_check/checker/verify.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace attest::checker_test {

using checker::Dataset;

std::string examples_folder() {
    return ATTEST_CHECKER_EXAMPLES "/";
}

std::vector<Example> read_examples(const std::string& folder) {
    std::vector<Example> examples;
    for (const auto& entry : std::filesystem::directory_iterator(examples_folder() + folder)) {
        Example example{
            entry.path().stem().string(), checker::read_file(entry.path().string(), 1 << 20), {}};
        std::istringstream files(line_of(example.text, "# files: "));
        for (std::string file; files >> file;) {
            example.files.push_back(file);
        }
        examples.push_back(std::move(example));
    }
    std::sort(examples.begin(), examples.end(), [](const Example& a, const Example& b) {
        return a.name < b.name;
    });
    return examples;
}

std::string line_of(const std::string& text, const std::string& start) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.substr(0, start.size()) == start) {
            return line.substr(start.size());
        }
    }
    return "";
}

const Dataset& example_data(const std::string& file) {
    static std::map<std::string, Dataset> sets;
    const auto found = sets.find(file);
    if (found != sets.end()) {
        return found->second;
    }
    return sets.emplace(file, checker::load_dataset(examples_folder() + "data/" + file))
        .first->second;
}

Dataset numbers(const std::vector<double>& tokens) {
    Dataset data;
    data.d = 1;
    data.tokens = tokens;
    data.num_examples = static_cast<checker::Index>(tokens.size());
    for (checker::Index i = 1; i <= data.num_examples; ++i) {
        data.offsets.push_back(i);
    }
    return data;
}

std::string verdict(const std::string& text, const Dataset& data, const Dataset& queries) {
    try {
        return "VERIFIED " + checker::verify(text, {data, queries});
    } catch (const checker::Failure& failure) {
        return std::string("REJECTED: ") + failure.what();
    }
}

std::string verdict(const std::string& text, const std::vector<std::string>& files) {
    const Dataset none;
    return verdict(
        text, example_data(files.at(0)), files.size() > 1 ? example_data(files[1]) : none);
}

std::string sign(const std::string& body) {
    return body + "end " + checker::sha256(body) + "\n";
}

}  // namespace attest::checker_test
