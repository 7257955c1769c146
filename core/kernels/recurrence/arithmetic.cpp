#include "core/kernels/recurrence/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attest {

namespace {

constexpr Index kTable = 1 << 14;

}  // namespace

ExactArithmetic::Values ExactArithmetic::exp(const Values& x) {
    return x.array().exp().matrix();
}

void ExactArithmetic::decay(Values& S, const Values& d) {
    if (d.rows() == 1) {
        S *= d(0, 0);
    } else {
        S.array().colwise() *= d.col(0).array();
    }
}

RoundingNoise::RoundingNoise(const Stream& stream)
    : table_(static_cast<std::size_t>(kTable + kRun)),
      key_{static_cast<std::uint32_t>(stream.at(0)),
           static_cast<std::uint32_t>(stream.at(0) >> 32U)} {
    Draws draws(stream);
    (void)draws.word();
    for (std::size_t at = 0; at < kTable / 2; ++at) {
        const auto bits = static_cast<double>(draws.word() >> 11U);
        table_[at] = static_cast<float>(2.0 * bits * 0x1p-53 - 1.0);
        table_[at + kTable / 2] = -table_[at];
    }
    std::copy_n(table_.begin(), kRun, table_.begin() + kTable);
}

const float* RoundingNoise::next() {
    const PhiloxCounter words = philox(
        {static_cast<std::uint32_t>(position_), static_cast<std::uint32_t>(position_ >> 32U), 0, 0},
        key_);
    ++position_;
    return table_.data() + words[0] % kTable;
}

double RoundingNoise::of(float argument) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &argument, sizeof bits);
    return static_cast<double>(table_[philox({bits, 0, 0, 1}, key_)[0] % kTable]);
}

namespace {

/// change(i, ξ) for each of n entries.
template <class Change>
void with_noise(RoundingNoise& noise, Index n, const Change& change) {
    for (Index first = 0; first < n; first += RoundingNoise::kRun) {
        const float* const xi = noise.next();
        const Index count = std::min(RoundingNoise::kRun, n - first);
        for (Index i = 0; i < count; ++i) {
            change(first + i, static_cast<double>(xi[i]));
        }
    }
}

}  // namespace

Matrix RandomArithmetic::rounded(Matrix x, double units) {
    double* const entries = x.data();
    const double u = units * unit_;
    with_noise(noise_, x.size(), [=](Index i, double xi) { entries[i] *= 1.0 + u * xi; });
    return x;
}

Matrix RandomArithmetic::operand(const Matrix& x) {
    Matrix result = x;
    if (operands_.unit > 0.0) {
        double* const entries = result.data();
        const double u = operands_.unit;
        const double kept = 1.0 - operands_.bias;
        with_noise(noise_, x.size(), [=](Index i, double xi) { entries[i] *= kept + u * xi; });
    }
    return result;
}

/// What the sums of `terms` products each, of squares `squares`, are rounded by, and what becomes
/// of factors rounded before.
void RandomArithmetic::perturb(Matrix& sums,
                               const Matrix& squares,
                               Index terms,
                               const MeanRounding& operands) {
    double* const s = sums.data();
    const double* const p = squares.data();
    const double u = unit_;
    const double of_squares =
        u * u * (1.0 + static_cast<double>(terms) / 2.0) + operands.unit * operands.unit;
    const double kept = 1.0 - operands.bias;
    with_noise(noise_, sums.size(), [=](Index i, double xi) {
        s[i] = kept * s[i] + std::sqrt(of_squares * p[i] + u * u * s[i] * s[i]) * xi;
    });
}

Matrix RandomArithmetic::summed(Matrix sums, const Matrix& squares, Index terms) {
    perturb(sums, squares, terms);
    return sums;
}

Matrix RandomArithmetic::product(const Matrix& A, const Matrix& B) {
    const Matrix left = operand(A);
    const Matrix right = operand(B);
    Matrix sums = left * right;
    const Matrix squares = left.cwiseAbs2() * right.cwiseAbs2();
    perturb(sums, squares, A.cols());
    return sums;
}

/// The roundings of the entries of S as factors differ from read to read: they join the sum's.
Matrix RandomArithmetic::read(const Matrix& S, const Matrix& x) {
    const Matrix key = operand(x);
    Matrix sums(S.cols(), 1);
    Matrix squares(S.cols(), 1);
    for (Index c = 0; c < S.cols(); ++c) {
        sums(c, 0) = S.col(c).dot(key.col(0));
        squares(c, 0) = S.col(c).cwiseProduct(key.col(0)).squaredNorm();
    }
    perturb(sums, squares, S.rows(), operands_);
    return sums;
}

Matrix RandomArithmetic::apply(const Matrix& S, const Matrix& y) {
    const Matrix factor = operand(y);
    Matrix sums = Matrix::Zero(S.rows(), 1);
    Matrix squares = Matrix::Zero(S.rows(), 1);
    for (Index c = 0; c < S.cols(); ++c) {
        const double f = factor(c, 0);
        double* const s = sums.data();
        double* const p = squares.data();
        const double* const column = S.col(c).data();
        for (Index j = 0; j < S.rows(); ++j) {
            const double term = column[j] * f;
            s[j] += term;
            p[j] += term * term;
        }
    }
    perturb(sums, squares, S.cols(), operands_);
    return sums;
}

Matrix RandomArithmetic::inverse_rounded(Matrix M, const Matrix& A) {
    const Matrix squares = M.cwiseAbs2();
    const Matrix sum = squares * A.cwiseAbs2() * squares + squares;
    double* const entries = M.data();
    const double* const variance = sum.data();
    const double u = unit_;
    with_noise(noise_, M.size(), [=](Index i, double xi) {
        entries[i] += u * std::sqrt(variance[i]) * xi;
    });
    return M;
}

Matrix RandomArithmetic::exp(const Matrix& x) {
    Matrix result(x.rows(), x.cols());
    double* const entries = result.data();
    const double* const arguments = x.data();
    const double u = unit_;
    with_noise(noise_, x.size(), [&](Index i, double xi) {
        entries[i] = std::exp(arguments[i]) *
                     (1.0 + 2.0 * u * noise_.of(static_cast<float>(arguments[i])) + u * xi);
    });
    return result;
}

Matrix RandomArithmetic::row_products(const Matrix& A, const Matrix& B) {
    const Matrix terms = A.cwiseProduct(B);
    Matrix sums = terms.rowwise().sum();
    perturb(sums, terms.rowwise().squaredNorm(), A.cols());
    return sums;
}

void RandomArithmetic::decay(Matrix& S, const Matrix& d) {
    const double u = unit_;
    const bool one = d.rows() == 1;
    const double* const factors = d.data();
    for (Index c = 0; c < S.cols(); ++c) {
        double* const column = S.col(c).data();
        if (one) {
            const double factor = factors[0];
            with_noise(noise_, S.rows(), [=](Index j, double xi) {
                column[j] *= factor * (1.0 + u * xi);
            });
        } else {
            with_noise(noise_, S.rows(), [=](Index j, double xi) {
                column[j] *= factors[j] * (1.0 + u * xi);
            });
        }
    }
}

/// The product is rounded once, and the sum once.
void RandomArithmetic::add_outer(Matrix& S, const Matrix& x, const Matrix& y) {
    const Matrix left = operand(x);
    const Matrix right = operand(y);
    const double u = unit_;
    const double* const factors = left.data();
    for (Index c = 0; c < S.cols(); ++c) {
        const double factor = right(c, 0);
        for (Index first = 0; first < S.rows(); first += RoundingNoise::kRun) {
            const float* const of_sum = noise_.next();
            const float* const of_product = noise_.next();
            const Index count = std::min(RoundingNoise::kRun, S.rows() - first);
            double* const column = S.col(c).data() + first;
            const double* const rows = factors + first;
            for (Index j = 0; j < count; ++j) {
                column[j] = (column[j] +
                             rows[j] * factor * (1.0 + u * static_cast<double>(of_product[j]))) *
                            (1.0 + u * static_cast<double>(of_sum[j]));
            }
        }
    }
}

}  // namespace attest
