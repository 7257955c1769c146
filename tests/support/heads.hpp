#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/scalars.hpp"
#include "core/model/parameters.hpp"
#include "core/rng/stream.hpp"
#include "tests/reference/attention.hpp"

namespace attest::test {

/// Coefficients with independent grid normals in isometric coordinates: a generic P, ψ×o.
[[nodiscard]] Matrix generic_coefficients(Index d, Index o, const Stream& stream);

/// Independent entries ±1, ±2, ±3.
[[nodiscard]] Matrix nonzero_integers(Index rows, Index cols, const Stream& stream);

/// Heads with integer entries ±1, ±2, ±3.
[[nodiscard]] Parameters integer_parameters(Index d, Index o, Index heads, const Stream& stream);

/// The same numbers as rationals.
[[nodiscard]] ParametersOf<Rational> to_rational(const Parameters& theta);

/// Residual that a backward stable SVD of the (o·d)×d² tensor may leave, relative to ‖P‖:
/// 30·max(od, d²)·ε, the ratio bound of the residual tests in the units of the numerical rank of
/// heads.
[[nodiscard]] double representation_bound(Index d, Index o);

/// What is promised of recovered heads: the relative residual of a construction, of a search's
/// function, and the error of W. Tests assert their own derived bound, and that it lies below.
inline constexpr double kResidualBar = 1e-11;
inline constexpr double kFunctionBar = 1e-12;
inline constexpr double kWeightBar = 1e-8;

/// A negative control: on generic targets a fit with a head too few, or a false one, leaves a
/// relative residual of a tenth or so; ten orders above what a fit with enough heads leaves, the
/// tests ask for a tenth of it.
inline constexpr double kMissed = 1e-2;

/// Rank modulo a prime of the joint Jacobian of (V, Q) ↦ P at integer heads: a lower bound of the
/// generic rank, which the dimension count bounds from above.
[[nodiscard]] Index exact_jacobian_rank(const Parameters& integer_heads);

/// A matrix of core as the reference implementations read it; doubles convert exactly.
template <class Scalar>
[[nodiscard]] reference::Rows to_rows(const MatrixOf<Scalar>& A) {
    reference::Rows rows =
        reference::zeros(static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols()));
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = Rational(A(i, j));
        }
    }
    return rows;
}

template <class Scalar>
[[nodiscard]] reference::Row to_row(const VectorOf<Scalar>& v) {
    return to_rows<Scalar>(v.transpose()).front();
}

/// The heads' V_h and Q_h as two lists.
struct HeadRows {
    std::vector<reference::Rows> V;
    std::vector<reference::Rows> Q;
};

template <class Scalar>
[[nodiscard]] HeadRows head_rows(const ParametersOf<Scalar>& theta) {
    HeadRows heads;
    for (const HeadOf<Scalar>& head : theta.heads) {
        heads.V.push_back(to_rows(head.V));
        heads.Q.push_back(to_rows(head.Q));
    }
    return heads;
}

}  // namespace attest::test
