#pragma once

#include "core/train/prefix_data.hpp"

namespace attest {

/// pack(S_t) of every labelled prefix t of sequence i, one a column: q×labelled. O(T d²).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> packed_prefixes(const PrefixData<Scalar>& data, Index i);

/// Outputs Pᵀ H of prefixes, given packed, whose last tokens are the columns of Z: o×T. Output a of
/// prefix t is Σ_l z_l (P_a S)_l with P_a the d×q matrix of column a: features are never formed.
/// 2Tψo flops.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> outputs(const MatrixOf<Scalar>& P,
                                       const MatrixOf<Scalar>& packed,
                                       const Eigen::Ref<const MatrixOf<Scalar>>& Z);

/// Relative mean squared error of coefficients P (ψ×o) on all examples.
template <class Scalar>
[[nodiscard]] double relative_loss(const MatrixOf<Scalar>& P, const PrefixData<Scalar>& data);

/// 2/(n·label_power): what a residual's gradient carries when the loss is over n examples.
template <class Scalar>
[[nodiscard]] Scalar residual_weight(const PrefixData<Scalar>& data, Index num_sequences);

}  // namespace attest
