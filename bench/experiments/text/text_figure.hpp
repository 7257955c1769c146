#pragma once

#include "record/derive/joint_figure.hpp"

namespace attest {

/// What N windows determine, heads against the floor of least squares, and which representations
/// are certified: three panels from text_coverage, text_learning and text_identifiability.
[[nodiscard]] JointFigure text_figure();

}  // namespace attest
