#pragma once

#include "core/algebra/matrix.hpp"
#include "core/kernels/precision.hpp"
#include "core/rng/stream.hpp"

#include <vector>

namespace attest {

/// Long double, every result as the processor gives it: the arithmetic of references.
class ExactArithmetic {
public:
    using Scalar = long double;
    using Values = MatrixOf<Scalar>;

    /// A result that a kernel stores in its accumulator; `units` of rounding went into it.
    [[nodiscard]] static Values rounded(Values x, double /*units*/ = 1.0) { return x; }

    /// A factor of a matrix product, rounded to what matrix units take.
    [[nodiscard]] static Values operand(const Values& x) { return x; }

    /// A B.
    [[nodiscard]] static Values product(const Values& A, const Values& B) { return A * B; }

    /// M = (I + A)⁻¹ as a kernel that solves or inverts has it.
    [[nodiscard]] static Values inverse_rounded(Values M, const Values& /*A*/) { return M; }

    /// eˣ, entry by entry.
    [[nodiscard]] static Values exp(const Values& x);

    /// Sums of `terms` products each, `squares` being the sums of their squares.
    [[nodiscard]] static Values summed(Values sums, const Values& /*squares*/, Index /*terms*/) {
        return sums;
    }

    /// Σ_c A_jc B_jc of each row j.
    [[nodiscard]] static Values row_products(const Values& A, const Values& B) {
        return A.cwiseProduct(B).rowwise().sum();
    }

    /// Sᵀx: what a state holds of a key.
    [[nodiscard]] static Values read(const Values& S, const Values& x) { return S.transpose() * x; }

    /// S y.
    [[nodiscard]] static Values apply(const Values& S, const Values& y) { return S * y; }

    /// S ← diag(d) S; d has a row for each of S, or one.
    static void decay(Values& S, const Values& d);

    /// S ← S + x yᵀ.
    static void add_outer(Values& S, const Values& x, const Values& y) {
        S.noalias() += x * y.transpose();
    }

    /// Where the next result stands in the sequence of roundings, and going back there.
    [[nodiscard]] static std::uint64_t position() { return 0; }

    static void seek(std::uint64_t /*position*/) {}
};

/// Numbers ξ of law uniform on (−1, 1): a table of 2¹⁴, in pairs ξ and −ξ, filled from a stream and
/// read in runs whose starts are Philox's of the position. A pure function of the stream and of the
/// position; numbers of different runs are uncorrelated.
class RoundingNoise {
public:
    static constexpr Index kRun = 1 << 12;  ///< most numbers of one run

    explicit RoundingNoise(const Stream& stream);

    /// The next run.
    [[nodiscard]] const float* next();

    /// A number that depends on the bits of a float and on the stream alone.
    [[nodiscard]] double of(float argument) const;

    [[nodiscard]] std::uint64_t position() const { return position_; }

    void seek(std::uint64_t position) { position_ = position; }

private:
    std::vector<float> table_;  ///< and its first kRun numbers again
    PhiloxKey key_;
    std::uint64_t position_ = 0;
};

/// Double, every result x made x(1 + uξ): a kernel's arithmetic with other roundings than the
/// kernel's own. A sum of n products, of squares Σp² and sum s, gains uξ√((1 + n/2)Σp² + s²), its
/// factors as mean_rounding says; eˣ is off by 2u h(x) besides, h a function of x alone, as equal
/// gates err equally, and an inverse by uξ√(M²A²M² + M²), entries squared (mean-zero roundings:
/// Connolly, Higham and Mary 2021).
class RandomArithmetic {
public:
    using Scalar = double;
    using Values = Matrix;

    /// Factors of products are not rounded where that would be by 0.
    RandomArithmetic(double unit, MeanRounding operands, const Stream& stream)
        : unit_(unit), operands_(operands), noise_(stream) {}

    [[nodiscard]] Values rounded(Values x, double units = 1.0);
    [[nodiscard]] Values operand(const Values& x);
    [[nodiscard]] Values product(const Values& A, const Values& B);
    [[nodiscard]] Values inverse_rounded(Values M, const Values& A);
    [[nodiscard]] Values exp(const Values& x);
    [[nodiscard]] Values summed(Values sums, const Values& squares, Index terms);
    [[nodiscard]] Values row_products(const Values& A, const Values& B);
    [[nodiscard]] Values read(const Values& S, const Values& x);
    [[nodiscard]] Values apply(const Values& S, const Values& y);
    void decay(Values& S, const Values& d);
    void add_outer(Values& S, const Values& x, const Values& y);

    [[nodiscard]] std::uint64_t position() const { return noise_.position(); }

    void seek(std::uint64_t position) { noise_.seek(position); }

private:
    void perturb(Values& sums,
                 const Values& squares,
                 Index terms,
                 const MeanRounding& operands = {});

    double unit_;
    MeanRounding operands_;
    RoundingNoise noise_;
};

}  // namespace attest
