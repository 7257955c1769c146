#pragma once

#include "core/base/choice.hpp"
#include "core/model/parameters.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>

namespace attest {

/// How planted heads are drawn. Entries always are multiples of 2⁻²⁰, so labels can be computed
/// exactly.
enum class TeacherKind : std::uint8_t {
    plain,  ///< grid_normal entries
    normalised,  ///< grid_normal directions with ‖V_h‖_F = √o and ‖Q_h‖_F = √d, up to rounding
    small,  ///< integers −2 … 2: on short sequences the labels are exact in double
};

inline constexpr Choices<TeacherKind, 3> kTeacherKinds{{{TeacherKind::plain, "plain"},
                                                        {TeacherKind::normalised, "normalised"},
                                                        {TeacherKind::small, "small"}}};

struct TeacherOptions {
    Index d = 4;
    Index o = 4;
    Index heads = 1;
    TeacherKind kind = TeacherKind::normalised;
    double scale = 1.0;  ///< factor of every entry of V and Q, before rounding to 2⁻²⁰
};

/// Planted heads. Throws InvalidInput unless d, o ≥ 1, heads ≥ 0 and 2⁻¹⁰ ≤ scale ≤ 2¹⁰.
[[nodiscard]] Parameters random_teacher(const TeacherOptions& options, const Stream& stream);

/// A rows×cols matrix of grid_normal draws scaled to Frobenius norm `norm` and rounded to multiples
/// of 2⁻²⁰.
[[nodiscard]] Matrix random_direction(Index rows, Index cols, double norm, const Stream& stream);

/// The nearest multiples of 2⁻²⁰, halves away from zero.
[[nodiscard]] Matrix round_to_teacher_grid(const Matrix& A);

}  // namespace attest
