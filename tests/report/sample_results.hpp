#pragma once

#include "record/jsonl.hpp"
#include "tests/record/fixture.hpp"

#include <filesystem>
#include <vector>

namespace attest::test {

/// Writes FOLDER/quick/demo.jsonl with these rows below the fixture's header.
inline std::filesystem::path write_demo(const std::filesystem::path& folder,
                                        const std::vector<Row>& rows,
                                        const ResultHeader& header = record_test::sample_header()) {
    const DirectoryLock lock(folder / "quick");
    JsonlWriter writer(lock, header.configuration.id + ".jsonl", header);
    for (const Row& row : rows) {
        writer.append(row);
    }
    return folder / "quick";
}

/// `count` repetitions of the fixture's case, `distance` as given and without bound.
inline std::vector<Row> repetitions(const std::vector<double>& distances) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < distances.size(); ++i) {
        rows.push_back(record_test::sample_row(static_cast<Index>(i)));
        rows.back().metrics["distance"] = {.value = distances[i]};
    }
    return rows;
}

}  // namespace attest::test
