#include "report/derived_files.hpp"

#include "bench/experiments/catalogue.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/temporary_directory.hpp"
#include "report/claim_rows.hpp"
#include "report/table_text.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace attest {

namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::vector<fs::path> derive(const ResultEntry& entry, const fs::path& folder) {
    if (entry.id == kClaimsId) {
        return derive_claims(entry.rows, folder);
    }
    for (const ExperimentEntry& experiment : experiments()) {
        if (experiment.id == entry.id) {
            return experiment.derive(entry.rows, folder);
        }
    }
    return {};
}

/// Everything below the folder, by path: what is there when `derive` ended early.
std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
        if (file.is_regular_file()) {
            files.push_back(file.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

void collect(DerivedFiles& derived, const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
        if (file.extension() == ".svg") {
            derived.figures.push_back({file.stem().string(), content(file)});
        } else if (file.extension() == ".csv") {
            fs::path markdown = file;
            markdown.replace_extension(".md");
            derived.tables.push_back({file.stem().string(),
                                      csv_lines(content(file)),
                                      markdown_lines(content(markdown))});
        }
    }
}

}  // namespace

DerivedFiles derive_files(const ResultEntry& entry) {
    DerivedFiles derived;
    const TemporaryDirectory folder;
    try {
        collect(derived, derive(entry, folder.path()));
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception& error) {
        // Rows of a run that is not finished, or no gnuplot: the report shows what there is.
        derived.problem = error.what();
        collect(derived, files_below(folder.path()));
    }
    return derived;
}

std::vector<fs::path> rewrite_derived(const ResultSet& results) {
    std::vector<fs::path> files;
    for (const ResultEntry& entry : results.entries) {
        const std::vector<fs::path> written = derive(entry, entry.path.parent_path());
        files.insert(files.end(), written.begin(), written.end());
    }
    return files;
}

}  // namespace attest
