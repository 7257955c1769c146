#pragma once

#include "cli/output.hpp"
#include "core/features/predict.hpp"

namespace attest::cli {

/// A squared error, its share of each output, and relative to the labels.
void show_risk(Output& output, const Risk& risk);

}  // namespace attest::cli
