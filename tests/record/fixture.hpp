#pragma once

#include "record/configuration.hpp"
#include "record/row.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace attest::record_test {

inline void write_text(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

inline ResultHeader sample_header() {
    ResultHeader header;
    header.configuration = {.id = "demo",
                            .profile = Profile::quick,
                            .seed = 1,
                            .parameters = {{"num_examples", std::int64_t{40}}},
                            .code_version = "abc"};
    header.provenance.program = "attest";
    header.provenance.commit = "abc";
    header.provenance.seed = 1;
    return header;
}

/// A finished row of the case with this repetition.
inline Row sample_row(Index repetition) {
    return {.id = "demo",
            .key = {.task = "associative_memory",
                    .parameters = {{"d", std::int64_t{4}}, {"mixture", 0.5}},
                    .learner = "ridge",
                    .learner_parameters = {{"penalty", 0.1}},
                    .seed = 1,
                    .stream = "1/demo",
                    .repetition = repetition,
                    .precision = "double"},
            .status = RowStatus::ok,
            .message = "",
            .metrics = {{"distance", {.value = 0.1, .bound = 1e-12, .exact = "1/10"}},
                        {"time", {.value = 2.0, .unit = "s"}}},
            .seconds = 0.25,
            .blas = "lapacke, Cooperlake, 1 thread"};
}

}  // namespace attest::record_test
