#include "cli/data_options.hpp"

#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"

#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

namespace attest::cli {

namespace {

InvalidExamples policy_of(bool skip_invalid) {
    return skip_invalid ? InvalidExamples::skip : InvalidExamples::reject;
}

void tell_skipped(const char* what, const std::string& path, const std::vector<Index>& skipped) {
    constexpr std::size_t kMostNamed = 10;
    if (skipped.empty()) {
        return;
    }
    std::string numbers;
    for (std::size_t k = 0; k < std::min(skipped.size(), kMostNamed); ++k) {
        numbers += formatted("{}{}", k == 0 ? "" : ", ", skipped[k]);
    }
    std::cerr << formatted(
        "attest {}: {}: left out for a NaN or an infinity: {} of its sequences: {}{}\n",
        what,
        path,
        skipped.size(),
        numbers,
        skipped.size() > kMostNamed ? ", …" : "");
}

}  // namespace

OpenedDataset open_data(const char* what,
                        const std::string& path,
                        bool skip_invalid,
                        const Layer& layer,
                        ReadingAs as) {
    OpenedDataset opened = open_dataset(path, policy_of(skip_invalid), layer, as);
    tell_skipped(what, path, opened.skipped);
    return opened;
}

Dataset load_data(const char* what,
                  const std::string& path,
                  bool skip_invalid,
                  const Layer& layer) {
    DatasetReading reading = load_dataset(path, policy_of(skip_invalid), layer);
    tell_skipped(what, path, reading.skipped);
    return std::move(reading.data);
}

}  // namespace attest::cli
