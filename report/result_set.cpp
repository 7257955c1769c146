#include "report/result_set.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

namespace fs = std::filesystem;

/// Files NAME.jsonl of a folder, and its folders, each by name.
struct Listing {
    std::vector<fs::path> files;
    std::vector<fs::path> folders;
};

Listing list(const fs::path& folder) {
    Listing listing;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (is_folder(entry->path())) {
            listing.folders.push_back(entry->path());
        } else if (entry->path().extension() == ".jsonl") {
            listing.files.push_back(entry->path());
        }
    }
    require(!failed,
            "{}: cannot be read: {}; check the permissions",
            folder.string(),
            failed.message());
    std::sort(listing.files.begin(), listing.files.end());
    std::sort(listing.folders.begin(), listing.folders.end());
    return listing;
}

std::vector<fs::path> result_files(const fs::path& place) {
    if (!is_folder(place)) {
        return {place};
    }
    const Listing here = list(place);
    if (!here.files.empty()) {
        return here.files;
    }
    std::vector<fs::path> files;
    for (const fs::path& folder : here.folders) {
        const std::vector<fs::path> below = list(folder).files;
        files.insert(files.end(), below.begin(), below.end());
    }
    return files;
}

}  // namespace

ResultSet read_results(const fs::path& place) {
    require(is_there(place), "{}: there is no such file or folder", place.string());
    ResultSet set{place, {}, {}};
    for (const fs::path& path : result_files(place)) {
        try {
            ResultFile file = read_result_file(path);
            require(file.header.has_value(), "{}: holds no whole line", path.string());
            const Configuration& configuration = file.header->configuration;
            set.entries.push_back({configuration.id,
                                   std::string(to_string(configuration.profile)),
                                   path,
                                   *file.header,
                                   latest_rows(file.rows),
                                   file.problems});
        } catch (const InvalidInput& error) {
            set.problems.emplace_back(error.what());
        }
    }
    require(!set.entries.empty(),
            set.problems.empty()
                ? formatted("{}: got a folder without result files (*.jsonl)", place.string())
                : set.problems.front());
    return set;
}

}  // namespace attest
