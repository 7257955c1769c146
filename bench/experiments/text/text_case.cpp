#include "bench/experiments/text/text_case.hpp"

#include "bench/experiments/text/text_entries.hpp"
#include "core/base/error.hpp"
#include "record/summary.hpp"

#include <filesystem>

namespace attest {

TextTask experiment_text(const TextOptions& options) {
    std::error_code ignored;
    if (options.corpus.path == kCommonLicenses &&
        !std::filesystem::is_directory(kCommonLicenses, ignored)) {
        throw NotAvailable(
            formatted("{} is absent; give a text of your own by --text FOLDER", kCommonLicenses));
    }
    return text_task(options);
}

std::string text_name(const std::string& path) {
    return path == kCommonLicenses ? "common-licenses" : path;
}

Experiment text_experiment(const char* id,
                           Profile profile,
                           std::uint64_t seed,
                           const std::string& path) {
    Experiment experiment{id, profile, seed};
    experiment.parameters = {{"text", text_name(path)}};
    return experiment;
}

Metric exact_metric(Index value) {
    return {static_cast<double>(value), 0.0, "", std::to_string(value)};
}

std::string leak_line(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        if (const std::optional<double> share = finite_metric(row, "shared_8grams")) {
            return formatted("Of the test part's 8-grams {} % occur in training.\n",
                             100.0 * *share);
        }
    }
    return "No row says how much of the test part occurs in training.\n";
}

std::vector<ExperimentEntry> text_experiments(const std::string& path) {
    const std::string text = path.empty() ? std::string(kCommonLicenses) : path;
    return {text_identifiability(text),
            text_learning(text),
            text_coverage(text),
            text_wide(text),
            text_sketch(text)};
}

}  // namespace attest
