#include "report/catalogue.hpp"

#include "bench/experiments/catalogue.hpp"
#include "report/claim_rows.hpp"

namespace attest {

std::vector<ExperimentEntry> catalogue(const std::filesystem::path& results) {
    std::vector<ExperimentEntry> entries(experiments().begin(), experiments().end());
    entries.push_back(claims_entry(results));
    return entries;
}

Derived derived_from(const ResultEntry& entry) {
    for (const ExperimentEntry& known : catalogue("results")) {
        if (known.id == entry.id) {
            return derive(known, entry.rows);
        }
    }
    return {};
}

std::vector<std::filesystem::path> rewrite_derived(const ResultSet& results) {
    std::vector<std::filesystem::path> files;
    for (const ResultEntry& entry : results.entries) {
        const std::vector<std::filesystem::path> written =
            write_derived(derived_from(entry), entry.path.parent_path());
        files.insert(files.end(), written.begin(), written.end());
    }
    return files;
}

}  // namespace attest
