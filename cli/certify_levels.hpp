#pragma once

#include "cli/output.hpp"
#include "core/audit/certify.hpp"

namespace attest::cli {

/// Sizes of the data set, which every level shows first.
void describe_data(Output& output, const SequenceShape& data);

inline void describe_data(Output& output, const Dataset& data) {
    describe_data(output, sequence_shape(data));
}

/// The verdict with its evidence, as the level found it, then queries and margin.
void show_verdict(Output& output, const Certification& found, CertifyLevel level, Index o);

/// The exit code of an answer.
[[nodiscard]] int exit_code(DataVerdict answer);

}  // namespace attest::cli
