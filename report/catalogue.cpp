#include "report/catalogue.hpp"

#include "bench/experiments/catalogue.hpp"
#include "bench/sweep/sweep.hpp"
#include "report/claim_rows.hpp"
#include "report/joint_figures.hpp"

namespace attest {

std::vector<ExperimentEntry> catalogue(const std::filesystem::path& results) {
    std::vector<ExperimentEntry> entries(experiments().begin(), experiments().end());
    entries.push_back(claims_entry(results));
    return entries;
}

std::optional<ExperimentEntry> experiment_behind(const ResultEntry& entry) {
    if (std::optional<ExperimentEntry> sweep = sweep_behind(entry.header.configuration); sweep) {
        return sweep;
    }
    for (const ExperimentEntry& known : catalogue("results")) {
        if (known.id == entry.id) {
            return known;
        }
    }
    return std::nullopt;
}

Derived derived_from(const ResultEntry& entry) {
    const std::optional<ExperimentEntry> experiment = experiment_behind(entry);
    return experiment ? derive(*experiment, entry.rows) : Derived();
}

std::vector<std::filesystem::path> rewrite_derived(const ResultSet& results) {
    std::vector<std::filesystem::path> files;
    for (const ResultEntry& entry : results.entries) {
        const std::vector<std::filesystem::path> written =
            write_derived(derived_from(entry), entry.path.parent_path());
        files.insert(files.end(), written.begin(), written.end());
    }
    for (const DrawnJointFigure& joint : joint_figures_of(results)) {
        const std::vector<std::filesystem::path> written =
            write_derived({{}, {joint.named}}, joint.folder);
        files.insert(files.end(), written.begin(), written.end());
    }
    return files;
}

}  // namespace attest
