#include "core/certify/numerical/enclosure.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/progress_scope.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/dyadic.hpp"
#include "core/exact/lift.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace attest {

namespace {

/// 2^common times the features: rows of FeatureRows have powers of two of their own, these share
/// one.
struct CommonScale {
    int exponent = 0;  ///< the largest row exponent
    Index entry_bits = 0;
};

CommonScale common_scale(const FeatureRows& rows, Index num_examples) {
    int smallest = rows.row_exponent(0);
    CommonScale scale{smallest, 0};
    for (Index i = 1; i < num_examples; ++i) {
        scale.exponent = std::max(scale.exponent, rows.row_exponent(i));
        smallest = std::min(smallest, rows.row_exponent(i));
    }
    scale.entry_bits = rows.entry_bits() + scale.exponent - smallest;
    return scale;
}

/// The Gram matrix of the commonly scaled rows modulo p, its lower triangle column after column.
std::vector<Residue> gram_residues(const Modulus& p, const FeatureRows& rows, int exponent) {
    const Index psi = rows.num_columns();
    std::vector<Residue> sums(static_cast<std::size_t>(psi * (psi + 1) / 2), 0);
    for (Index b = 0; b < rows.num_blocks(); ++b) {
        throw_if_stopped("exact_second_moment");
        ModularMatrix H = rows.block(p, b);
        for (Index i = 0; i < H.rows(); ++i) {
            const int missing = exponent - rows.row_exponent(rows.first_row(b) + i);
            const Residue factor = p.reduce(Dyadic{1, missing});
            for (Index j = 0; missing != 0 && j < psi; ++j) {
                H(i, j) = p.multiply(H(i, j), factor);
            }
        }
        const ModularMatrix product = multiply(p, transpose(H), H);
        std::size_t at = 0;
        for (Index j = 0; j < psi; ++j) {
            for (Index k = j; k < psi; ++k, ++at) {
                sums[at] = p.add(sums[at], product(k, j));
            }
        }
    }
    return sums;
}

constexpr double kUnitRoundoff = std::numeric_limits<double>::epsilon() / 2.0;

Integer shifted(const Integer& value, int places) {
    return places >= 0 ? Integer(value << places) : Integer(value >> -places);
}

/// Λ rounded to doubles, each entry correctly to within an ulp.
Matrix rounded(const ExactSecondMoment& moment) {
    const Rational scale = power_of_two(moment.exponent) / Rational(moment.num_examples);
    Matrix Lambda(moment.G.rows(), moment.G.cols());
    for (Index k = 0; k < Lambda.size(); ++k) {
        Lambda.data()[k] = Rational(Rational(moment.G.data()[k]) * scale).convert_to<double>();
    }
    return Lambda;
}

BigDyadic big(double value) {
    const Dyadic exact = dyadic(value);
    return {exact.mantissa, exact.exponent};
}

/// L rounded to multiples of 2^exponent.
DyadicFactor short_factor(const Matrix& L, int exponent) {
    DyadicFactor factor{{}, exponent};
    for (Index i = 0; i < L.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            factor.mantissas.emplace_back(std::llround(std::ldexp(L(i, j), -exponent)));
        }
    }
    return factor;
}

/// L Lᵀ in units of 4^exponent, lower triangle.
MatrixOf<Integer> squared(const DyadicFactor& factor, Index psi) {
    MatrixOf<Integer> product(psi, psi);
    const auto row = [&](Index i) { return factor.mantissas.data() + i * (i + 1) / 2; };
    for (Index i = 0; i < psi; ++i) {
        throw_if_stopped("enclose_lambda_min");
        note_progress("enclosure", i + 1, psi);
        for (Index k = 0; k <= i; ++k) {
            Integer sum = 0;
            for (Index j = 0; j <= k; ++j) {
                sum += row(i)[j] * row(k)[j];
            }
            product(i, k) = sum;
        }
    }
    return product;
}

/// The smallest multiple of 2^-bits·(size of value) that is at least the value.
BigDyadic rounded_up(const Rational& value, int bits) {
    if (value == 0) {
        return {};
    }
    const Integer top = numerator(value);
    const Integer bottom = denominator(value);
    const int exponent = static_cast<int>(bit_length(top) - bit_length(bottom)) - bits;
    const Rational units = value / power_of_two(exponent);
    Integer mantissa = numerator(units) / denominator(units);
    if (Rational(mantissa) < units) {
        ++mantissa;
    }
    return {mantissa, exponent};
}

/// Eigenvector of the smallest eigenvalue, rounded to 24 bits.
IntegerVector rounded_eigenvector(const Vector& v) {
    IntegerVector x(v.size());
    const double largest = v.cwiseAbs().maxCoeff();
    for (Index i = 0; i < v.size(); ++i) {
        x(i) = Integer(std::llround(std::ldexp(v(i) / largest, 24)));
    }
    return x;
}

Rational rayleigh_quotient(const ExactSecondMoment& moment, const IntegerVector& x) {
    Integer form = 0;
    Integer square = 0;
    for (Index i = 0; i < x.size(); ++i) {
        throw_if_stopped("enclose_lambda_min");
        Integer row = 0;
        for (Index j = 0; j < x.size(); ++j) {
            row += moment.G(i, j) * x(j);
        }
        form += row * x(i);
        square += x(i) * x(i);
    }
    return Rational(form) * power_of_two(moment.exponent) /
           (Rational(square) * Rational(moment.num_examples));
}

/// The power of four at the largest entry where doubles would not hold the moment and its squares,
/// else 1: as an exponent.
int distant_exponent(const ExactSecondMoment& moment) {
    constexpr int kReach = 300;
    Index bits = 0;
    for (Index i = 0; i < moment.G.rows(); ++i) {
        bits = std::max(bits, bit_length(moment.G(i, i)));
    }
    const int exponent = moment.exponent + static_cast<int>(bits);
    return bits > 0 && std::abs(exponent) > kReach ? exponent - exponent % 2 : 0;
}

/// Encloses the smallest eigenvalue of a moment that doubles hold.
LambdaMinEnclosure enclose_near_one(const ExactSecondMoment& moment) {
    const Matrix Lambda = rounded(moment);
    const auto psi = static_cast<double>(Lambda.rows());
    const SymmetricEigen eigen = symmetric_eigen(Lambda);
    const double lambda_min = eigen.values(0);
    const double lambda_max = eigen.values(eigen.values.size() - 1);
    LambdaMinEnclosure enclosure;
    enclosure.upper = rounded_eigenvector(eigen.vectors.col(0));
    enclosure.hi = rounded_up(rayleigh_quotient(moment, enclosure.upper), 30);
    // Cholesky's backward error is at most about psi·u·λ_max an entry, so psi² u λ_max a row.
    double margin =
        std::max(4.0 * psi * psi * kUnitRoundoff * lambda_max, std::ldexp(lambda_min, -20));
    while (3.0 * margin < lambda_min) {
        const double shift = lambda_min - 2.0 * margin;
        Matrix A = Lambda;
        A.diagonal().array() -= shift + margin;
        const CholeskyFactor cholesky_factor = cholesky(A);
        if (cholesky_factor.positive) {
            // Rounding L to 2^e changes a row of LLᵀ by at most psi·√psi·√λ_max·2^e in sum: a
            // quarter of the margin.
            const double step = margin / (4.0 * psi * std::sqrt(psi * lambda_max));
            const int exponent = static_cast<int>(std::floor(std::log2(step)));
            const DyadicFactor factor = short_factor(cholesky_factor.L, exponent);
            if (dominates(moment, big(shift), factor)) {
                enclosure.lo = big(shift);
                enclosure.factor = factor;
                return enclosure;
            }
        }
        margin *= 8.0;
    }
    enclosure.note = "lambda_min is within rounding of 0: no positive lower bound found";
    return enclosure;
}

}  // namespace

ExactSecondMoment exact_second_moment(const SequenceSource& data) {
    const FeatureRows rows(data);
    require(rows.odd_base() == 1,
            "the exact second moment: the layer {} has parameters whose denominators are no powers "
            "of two; use --level exact",
            to_string(data.shape().layer));
    const Index psi = rows.num_columns();
    const Index N = data.shape().num_examples();
    const CommonScale scale = common_scale(rows, N);
    const Index bits = 2 * scale.entry_bits +
                       static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(N))) + 2;
    const auto entries = static_cast<double>(psi) * static_cast<double>(psi);
    require_memory(entries * (static_cast<double>(bits) / 4.0 + 64.0),
                   formatted("the exact second moment, psi = {}", psi),
                   "use --level exact, which needs no second moment");
    ResidueVector known;
    std::uint64_t prime = std::uint64_t{1} << 61U;
    while (bit_length(known.modulus) <= bits) {
        prime = previous_prime(prime);
        const Modulus p(prime);
        known = combine(std::move(known), p, gram_residues(p, rows, scale.exponent));
    }
    ExactSecondMoment moment{MatrixOf<Integer>(psi, psi), -2 * scale.exponent, N};
    const Integer half = known.modulus / 2;
    std::size_t at = 0;
    for (Index j = 0; j < psi; ++j) {
        for (Index k = j; k < psi; ++k, ++at) {
            Integer value = known.values[at];
            if (value > half) {
                value -= known.modulus;
            }
            moment.G(k, j) = value;
            moment.G(j, k) = value;
        }
    }
    return moment;
}

bool dominates(const ExactSecondMoment& moment, const BigDyadic& lo, const DyadicFactor& factor) {
    const Index psi = moment.G.rows();
    // Everything in units of 2^unit, the finest of the three grids.
    const int unit = std::min({moment.exponent, lo.exponent, 2 * factor.exponent});
    const MatrixOf<Integer> product = squared(factor, psi);
    const Integer M = moment.num_examples;
    std::vector<Integer> off_diagonal(static_cast<std::size_t>(psi), Integer(0));
    std::vector<Integer> diagonal(static_cast<std::size_t>(psi));
    for (Index i = 0; i < psi; ++i) {
        throw_if_stopped("enclose_lambda_min");
        for (Index k = 0; k <= i; ++k) {
            Integer entry = shifted(moment.G(i, k), moment.exponent - unit) -
                            M * shifted(product(i, k), 2 * factor.exponent - unit);
            if (i == k) {
                diagonal[static_cast<std::size_t>(i)] =
                    entry - M * shifted(lo.mantissa, lo.exponent - unit);
                continue;
            }
            entry = abs(entry);
            off_diagonal[static_cast<std::size_t>(i)] += entry;
            off_diagonal[static_cast<std::size_t>(k)] += entry;
        }
    }
    return std::equal(
        diagonal.begin(), diagonal.end(), off_diagonal.begin(), std::greater_equal<>());
}

LambdaMinEnclosure enclose_lambda_min(const ExactSecondMoment& moment) {
    const int exponent = distant_exponent(moment);
    if (exponent == 0) {
        return enclose_near_one(moment);
    }
    ExactSecondMoment near_one = moment;
    near_one.exponent -= exponent;
    LambdaMinEnclosure enclosure = enclose_near_one(near_one);
    enclosure.lo.exponent += enclosure.lo.mantissa != 0 ? exponent : 0;
    enclosure.hi.exponent += enclosure.hi.mantissa != 0 ? exponent : 0;
    enclosure.factor.exponent += enclosure.factor.mantissas.empty() ? 0 : exponent / 2;
    return enclosure;
}

Rational to_rational(const BigDyadic& value) {
    return Rational(value.mantissa) * power_of_two(value.exponent);
}

double to_double(const BigDyadic& value) {
    return to_rational(value).convert_to<double>();
}

}  // namespace attest
