#pragma once

#include "core/algebra/minimum_eigenvalue.hpp"

#include <functional>

namespace attest {

struct EigenvalueSearch {
    double tolerance = 1e-6;      ///< residual over the eigenvalue
    double resolution = 0.0;      ///< a residual that small will do as well
    Index max_iterations = 1000;  ///< of one product each
    Index patience = 100;         ///< iterations in which the residual must halve at least once
};

/// Smallest eigenvalue of a symmetric matrix A known by x ↦ A x alone, by locally optimal
/// preconditioned conjugate gradients (Knyazev 2001) from `start`, which is not zero;
/// `precondition` is near A⁻¹, or the identity. `value` is a Rayleigh quotient, so at least the
/// eigenvalue up to rounding, and `error` the norm of the residual: an eigenvalue lies within it of
/// `value`, not necessarily the least. Six vectors beside the products'.
[[nodiscard]] EigenvalueEstimate minimum_eigenvalue_by_products(
    const Vector& start,
    const std::function<Vector(const Vector&)>& product,
    const std::function<Vector(const Vector&)>& precondition,
    const EigenvalueSearch& search);

}  // namespace attest
