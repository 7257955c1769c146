#pragma once

#include "core/data/sources/moments.hpp"

namespace attest {

/// The N×ψ feature matrix as a linear operator, never formed. Its examples are in this process, or
/// consecutive shares of them in several, all of which then make the same calls: a matrix with a
/// column for each example holds the share, sums are over all examples.
class FeatureMap {
public:
    FeatureMap() = default;
    FeatureMap(const FeatureMap&) = delete;
    FeatureMap& operator=(const FeatureMap&) = delete;
    FeatureMap(FeatureMap&&) = delete;
    FeatureMap& operator=(FeatureMap&&) = delete;
    virtual ~FeatureMap() = default;

    /// Of all examples.
    [[nodiscard]] virtual SourceShape shape() const = 0;

    /// Number of the share's first example.
    [[nodiscard]] virtual Index first_example() const = 0;

    /// Pᵀ H(Z_i) for every example: o×N. P is ψ×o.
    [[nodiscard]] virtual Matrix apply(const Matrix& P) const = 0;

    /// Σ H(Z_i) r_iᵀ: ψ×o. r is o×N.
    [[nodiscard]] virtual Matrix apply_transposed(const Matrix& r) const = 0;

    /// The labels, o×N.
    [[nodiscard]] virtual Matrix labels() const = 0;

    /// Σ_i values(a, i)² for every row a.
    [[nodiscard]] virtual Vector square_sums(const Matrix& values) const = 0;

    /// Their sum.
    [[nodiscard]] virtual double squared_norm(const Matrix& values) const = 0;

    /// √(Σ_i s_p² z_l²) maximised over the features: the longest column of H, at most ‖H‖₂.
    [[nodiscard]] virtual double longest_feature() const = 0;

    /// y_i − Pᵀ H(Z_i): o×N.
    [[nodiscard]] Matrix residual(const Matrix& P) const;
};

/// The feature matrix of a source in this process: products with packed S and z by BLAS 3, 2Nψo
/// flops each way. The source must outlive it.
class FeatureOperator final : public FeatureMap {
public:
    explicit FeatureOperator(const MomentSource& source) : source_(source) {}

    [[nodiscard]] SourceShape shape() const override { return source_.shape(); }

    [[nodiscard]] Index first_example() const override { return 0; }

    [[nodiscard]] Matrix apply(const Matrix& P) const override;
    [[nodiscard]] Matrix apply_transposed(const Matrix& r) const override;
    [[nodiscard]] Matrix labels() const override;

    [[nodiscard]] Vector square_sums(const Matrix& values) const override {
        return values.rowwise().squaredNorm();
    }

    [[nodiscard]] double squared_norm(const Matrix& values) const override {
        return values.squaredNorm();
    }

    [[nodiscard]] double longest_feature() const override;

private:
    const MomentSource& source_;
};

// The same of one batch, for those who sum over batches in an order of their own. Coefficients
// stand as o·m rows and q columns: row a·m + l, column p holds that of output a at s_p u_l.

[[nodiscard]] Matrix by_state(const Matrix& P, const FeatureLayout& layout);
[[nodiscard]] Matrix from_state(const Matrix& M, const FeatureLayout& layout);

/// Pᵀ H for every example of the batch, o×B, M = by_state(P).
[[nodiscard]] Matrix batch_values(const Matrix& M, const MomentBatch& batch);

/// M += Σ H r_iᵀ over the batch, r o×B.
void add_batch_gradient(Matrix& M, const MomentBatch& batch, const Matrix& r);

/// power(p, l) += Σ s_p² u_l² over the batch.
void add_batch_power(Matrix& power, const MomentBatch& batch);

}  // namespace attest
