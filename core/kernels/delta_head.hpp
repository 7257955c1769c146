#pragma once

#include "core/kernels/follow_head.hpp"
#include "core/kernels/kernel_arithmetic.hpp"
#include "core/kernels/kernel_dump.hpp"

#include <array>

namespace attest {

/// S_t = S' + k_t r_tᵀ with S' = d_t S_{t−1} and r_t = β_t (v_t − S'ᵀ k_t), o_t = scale·S_tᵀ q_t
/// for one head. Errors of a column of S pass through (I − β k kᵀ)d, whose 2-norm is at most
/// max|d|·max(1, |1 − β‖k‖²|), the largest factor of any row; those that a token adds are bounded
/// for any evaluation that solves within chunks of up to C tokens by substitution: docs/kernels.md.
/// O(K V) a token.
class DeltaHead {
public:
    DeltaHead(const KernelDump& dump, Index b, Index h, const FollowOptions& options);

    /// Tokens in order, from 0. The outputs are V values.
    void step(Index token);

    [[nodiscard]] const Enclosed& output() const { return output_; }

    /// S, K×V row by row.
    [[nodiscard]] Enclosed state() const;

private:
    /// How far one arithmetic may be from the exact state: a 2-norm a column.
    struct Drift {
        Roundings roundings;
        std::vector<double> error;
        TokenWindow norms;    ///< of the columns of S
        TokenWindow updates;  ///< ‖k‖|r| a column
    };

    /// What a token's bounds are made of.
    struct TokenNorms {
        double query = 0.0;
        double key = 0.0;
        double beta = 0.0;
        double shrink = 1.0;    ///< ‖d(I − β k kᵀ)‖
        double gate = 1.0;      ///< |d|
        double weight = 1.0;    ///< roundings of the state at this token
        double entering = 0.0;  ///< roundings of what enters it
        double largest = 1.0;   ///< of the factors of a product, for underflow
    };

    void start(const std::vector<double>& initial);
    void add_token(std::size_t row);
    [[nodiscard]] TokenNorms norms_of(std::size_t row) const;
    void drift(Drift& drift, Index token, std::size_t row, const TokenNorms& norms) const;
    [[nodiscard]] static double size(const Drift& drift, Index column);
    void round_state(Index token);

    const KernelDump& dump_;
    Index b_;
    Index h_;
    FollowOptions options_;
    HeadGates gates_;
    std::vector<long double> S_;
    std::vector<long double> r_;
    std::vector<long double> sums_;
    std::vector<double> column_norms_;
    std::array<Drift, 2> drifts_;  ///< of the kernel, and of the reference itself
    Enclosed output_;
};

}  // namespace attest
