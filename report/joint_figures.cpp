#include "report/joint_figures.hpp"

#include "bench/experiments/text/text_tables.hpp"
#include "record/source.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace attest {

namespace {

/// The entries of these experiments in this folder, in their order; fewer where some are missing.
std::vector<const ResultEntry*> entries_of(const ResultSet& results,
                                           const std::filesystem::path& folder,
                                           const std::vector<std::string>& ids) {
    std::vector<const ResultEntry*> found;
    for (const std::string& id : ids) {
        for (const ResultEntry& entry : results.entries) {
            if (entry.id == id && entry.path.parent_path() == folder) {
                found.push_back(&entry);
            }
        }
    }
    return found;
}

std::optional<DrawnJointFigure> joined(const JointFigure& joint,
                                       const ResultSet& results,
                                       const std::filesystem::path& folder) {
    std::vector<const ResultEntry*> entries = entries_of(results, folder, joint.ids);
    if (entries.size() != joint.ids.size()) {
        return std::nullopt;
    }
    std::vector<std::vector<Row>> rows;
    for (const ResultEntry* entry : entries) {
        rows.push_back(numbered(entry->rows));
    }
    std::optional<Figure> figure = joint.draw(rows);
    if (!figure) {
        return std::nullopt;
    }
    return DrawnJointFigure{
        {joint.name, std::move(*figure)}, joint.summary, folder, std::move(entries)};
}

}  // namespace

std::span<const JointFigure> joint_figures() {
    static const std::vector<JointFigure> kFigures{text_figure()};
    return kFigures;
}

std::vector<DrawnJointFigure> joint_figures_of(const ResultSet& results) {
    std::vector<std::filesystem::path> folders;
    for (const ResultEntry& entry : results.entries) {
        const std::filesystem::path folder = entry.path.parent_path();
        if (std::find(folders.begin(), folders.end(), folder) == folders.end()) {
            folders.push_back(folder);
        }
    }
    std::vector<DrawnJointFigure> drawn;
    for (const std::filesystem::path& folder : folders) {
        for (const JointFigure& joint : joint_figures()) {
            if (std::optional<DrawnJointFigure> one = joined(joint, results, folder)) {
                drawn.push_back(std::move(*one));
            }
        }
    }
    return drawn;
}

}  // namespace attest
