#pragma once

#include "core/distil/distil.hpp"
#include "core/questions/output.hpp"

namespace attest::cli {

/// Risks of the best layer, the floor under them, whether it is unique, and what training found.
void show_distilled(Output& output, const Distilled& found);

/// The same of a normalised head, whose floor is numerical.
void show_distilled(Output& output, const DistilledNormalised& found);

}  // namespace attest::cli
