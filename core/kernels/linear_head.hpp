#pragma once

#include "core/kernels/follow_head.hpp"
#include "core/kernels/kernel_arithmetic.hpp"
#include "core/kernels/kernel_dump.hpp"

namespace attest {

/// S_t = D_t S_{t−1} + k_t v_tᵀ, o_t = scale·S_tᵀ q_t for one head, D_t = diag of the gates; with
/// a normaliser o_t is divided by scale·q_t·Σk + ε. Beside S it follows A, the same with absolute
/// values, and R, in which each term of A is counted once for every rounding it may meet: running
/// error analysis (Higham 2002 §3.3). O(K V) a token.
class LinearHead {
public:
    LinearHead(const KernelDump& dump, Index b, Index h, const FollowOptions& options);

    /// Tokens in order, from 0. The outputs are V values.
    void step(Index token);

    [[nodiscard]] const Enclosed& output() const { return output_; }

    /// S, K×V row by row.
    [[nodiscard]] Enclosed state() const;

private:
    struct Sums {
        std::vector<long double> value;
        std::vector<double> size;     ///< of A
        std::vector<double> counted;  ///< of R
    };

    void start(const std::vector<double>& initial);
    void add_token(Index token);
    void round_state(Index token);
    [[nodiscard]] double error(const Roundings& roundings, double size, double counted) const;
    void divide(std::size_t row, const Sums& sums);

    const KernelDump& dump_;
    Index b_;
    Index h_;
    FollowOptions options_;
    Roundings kernel_;
    Roundings own_ = reference_roundings();
    HeadGates gates_;
    Index columns_;  ///< V, and one of ones for the normaliser
    std::vector<long double> S_;
    std::vector<double> A_;
    std::vector<double> R_;
    std::vector<double> v_;
    Sums sums_;
    double most_roundings_;
    double largest_products_ =
        0.0;  ///< Σ of products of factors of at least 1: what underflow adds
    Index tokens_ = 0;
    Enclosed output_;
};

}  // namespace attest
