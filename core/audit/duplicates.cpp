#include "core/audit/duplicates.hpp"

#include "core/explain/input_digests.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace attest {

namespace {

using SequencesByDigest = std::map<std::string, std::vector<Index>>;

SequencesByDigest by_digest(const Dataset& data) {
    SequencesByDigest found;
    Index number = 0;
    for (const std::string& digest : input_digests(data)) {
        found[digest].push_back(number++);
    }
    return found;
}

/// Labels of a sequence, one a column.
Matrix labels_of(const Dataset& data, Index sequence) {
    const Index first = data.first_example(sequence);
    return data.y.middleCols(first, data.first_example(sequence + 1) - first);
}

double spread_of_labels(const Dataset& data, const std::vector<Index>& sequences) {
    if (data.labels == LabelKind::none) {
        return 0.0;
    }
    const Matrix first = labels_of(data, sequences.front());
    double most = 0.0;
    for (const Index i : sequences) {
        const Matrix difference = labels_of(data, i) - first;
        most = std::max(most, difference.colwise().stableNorm().maxCoeff());
    }
    return most;
}

}  // namespace

std::vector<DuplicateGroup> duplicate_groups(const Dataset& data) {
    std::vector<DuplicateGroup> groups;
    for (auto& [digest, sequences] : by_digest(data)) {
        if (sequences.size() > 1) {
            groups.push_back({sequences, spread_of_labels(data, sequences)});
        }
    }
    std::sort(groups.begin(), groups.end(), [](const DuplicateGroup& a, const DuplicateGroup& b) {
        return a.sequences.front() < b.sequences.front();
    });
    return groups;
}

std::vector<SeenBefore> seen_before(const Dataset& data, const Dataset& inputs) {
    const SequencesByDigest known = by_digest(data);
    std::vector<SeenBefore> seen;
    Index number = 0;
    for (const std::string& digest : input_digests(inputs)) {
        if (const auto at = known.find(digest); at != known.end()) {
            seen.push_back({number, at->second.front()});
        }
        ++number;
    }
    return seen;
}

}  // namespace attest
