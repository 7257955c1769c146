#pragma once

#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"

#include <optional>
#include <string>

namespace attest {

/// Examples with the heads that labelled them, where they are known.
struct SoftmaxData {
    SoftmaxExamples examples;
    std::optional<SoftmaxHeads> truth;
    std::string meta;  ///< JSON text, possibly empty
};

/// Writes an .npz data set (docs/formats.md) with Z (N,d,k) and y (N,k·d), row a of F(X) after row
/// a−1, and truth_Theta and truth_W (m,d,d). Throws EnvironmentFailure, leaving no file behind.
void write_softmax_data(const std::string& path, const SoftmaxData& data);

/// Reads such a file; other keys are left alone. Throws InvalidInput, one line, when lengths
/// differ, labels are not k·d for each sequence, or the truth has another shape.
[[nodiscard]] SoftmaxData read_softmax_data(const std::string& path);

/// Writes learned heads under Theta and W (m,d,d), with meta.
void write_softmax_model(const std::string& path,
                         const SoftmaxHeads& heads,
                         const std::string& meta);

}  // namespace attest
