#include "tasks/labels.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/choice.hpp"

#include <algorithm>
#include <vector>

namespace attest {

namespace {

constexpr Choices<LabelArithmetic, 2> kLabelArithmeticNames{
    {{LabelArithmetic::exact, "exact"}, {LabelArithmetic::fixed_order, "fixed_order"}}};

__extension__ using Int128 = __int128;

constexpr double kThetaUnit = 0x1p20;

/// max |A|·unit when A·unit is an integer matrix, else nothing.
std::optional<double> largest_numerator(const Matrix& A, double unit) {
    double largest = 0.0;
    for (Index i = 0; i < A.size(); ++i) {
        const double scaled = A(i) * unit;
        if (std::abs(scaled) > 0x1p52 ||
            !is_zero(scaled - static_cast<double>(static_cast<std::int64_t>(scaled)))) {
            return std::nullopt;
        }
        largest = std::max(largest, std::abs(scaled));
    }
    return largest;
}

/// A matrix of T, row-major; T is Int128 or double.
template <class T>
struct Table {
    Index cols = 0;
    std::vector<T> entries;

    [[nodiscard]] const T& operator()(Index i, Index j) const {
        return entries[static_cast<std::size_t>(i * cols + j)];
    }
};

template <class T>
Table<T> table(const Matrix& A, double unit) {
    Table<T> result{A.cols(), {}};
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            result.entries.push_back(static_cast<T>(A(i, j) * unit));
        }
    }
    return result;
}

/// A x for a table with `rows` rows.
template <class T>
std::vector<T> times(const Table<T>& A, Index rows, const std::vector<T>& x) {
    std::vector<T> result(static_cast<std::size_t>(rows), T(0));
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < A.cols; ++j) {
            result[static_cast<std::size_t>(i)] += A(i, j) * x[static_cast<std::size_t>(j)];
        }
    }
    return result;
}

/// Numerators per 1 of Θ's and Z's entries, and labels per numerator.
struct Units {
    double theta;
    double input;
    double output;
};

/// Attention in T, one token after the other.
template <class T>
class Evaluation {
public:
    Evaluation(const Parameters& theta, double unit)
        : d_(theta.d),
          o_(theta.o),
          moment_{theta.d, std::vector<T>(static_cast<std::size_t>(theta.d * theta.d), T(0))} {
        for (const Head& head : theta.heads) {
            values_.push_back(table<T>(head.V, unit));
            keys_.push_back(table<T>(head.Q, unit));
        }
    }

    /// S += z zᵀ.
    void add_token(const std::vector<T>& z) {
        for (std::size_t j = 0; j < z.size(); ++j) {
            for (std::size_t k = 0; k < z.size(); ++k) {
                moment_.entries[j * z.size() + k] += z[j] * z[k];
            }
        }
    }

    /// Σ_h V_h S Q_h z.
    [[nodiscard]] std::vector<T> output(const std::vector<T>& z) const {
        std::vector<T> sum(static_cast<std::size_t>(o_), T(0));
        for (std::size_t h = 0; h < values_.size(); ++h) {
            const std::vector<T> part =
                times(values_[h], o_, times(moment_, d_, times(keys_[h], d_, z)));
            std::transform(sum.begin(), sum.end(), part.begin(), sum.begin(), std::plus<T>());
        }
        return sum;
    }

private:
    Index d_;
    Index o_;
    Table<T> moment_;
    std::vector<Table<T>> values_;
    std::vector<Table<T>> keys_;
};

template <class T>
Matrix evaluate(const Parameters& theta, const Matrix& Z, LabelKind kind, const Units& units) {
    Evaluation<T> evaluation(theta, units.theta);
    const bool prefixes = kind == LabelKind::per_prefix;
    Matrix y(theta.o, prefixes ? Z.cols() : 1);
    for (Index t = 0; t < Z.cols(); ++t) {
        const std::vector<T> z = table<T>(Z.col(t), units.input).entries;
        evaluation.add_token(z);
        if (!prefixes && t + 1 < Z.cols()) {
            continue;
        }
        const std::vector<T> sum = evaluation.output(z);
        for (Index a = 0; a < theta.o; ++a) {
            const auto numerator = static_cast<double>(sum[static_cast<std::size_t>(a)]);
            y(a, prefixes ? t : 0) = numerator * units.output;
        }
    }
    return y;
}

}  // namespace

std::string_view to_string(LabelArithmetic arithmetic) {
    return name_of(kLabelArithmeticNames, arithmetic);
}

Labeller::Labeller(Parameters theta, Index input_bits) : theta_(std::move(theta)) {
    check_shapes(theta_);
    require(input_bits >= 0 && input_bits <= 40,
            "labels: got inputs on multiples of 2^-{}, expected 2^0 to 2^-40",
            input_bits);
    input_unit_ = static_cast<double>(std::int64_t{1} << static_cast<std::uint64_t>(input_bits));
    const auto terms = static_cast<double>(theta_.num_heads() * theta_.d * theta_.d * theta_.d);
    double most_V = 1.0;
    double most_Q = 1.0;
    for (const Head& head : theta_.heads) {
        const std::optional<double> V = largest_numerator(head.V, kThetaUnit);
        const std::optional<double> Q = largest_numerator(head.Q, kThetaUnit);
        if (!V || !Q) {
            return;
        }
        most_V = std::max(most_V, *V);
        most_Q = std::max(most_Q, *Q);
    }
    theta_growth_ = terms * most_V * most_Q;
}

LabelArithmetic Labeller::arithmetic(const Matrix& Z) const {
    const std::optional<double> z = largest_numerator(Z, input_unit_);
    if (!theta_growth_ || !z) {
        return LabelArithmetic::fixed_order;
    }
    const double bound = *theta_growth_ * static_cast<double>(Z.cols()) * *z * *z * *z;
    return bound < 0x1p126 ? LabelArithmetic::exact : LabelArithmetic::fixed_order;
}

Matrix Labeller::labels(const Matrix& Z, LabelKind kind) const {
    require(kind != LabelKind::none, "labels: got kind none, expected per_sequence or per_prefix");
    if (Z.rows() != theta_.d || Z.cols() < 1) {
        throw InvalidInput(formatted("labels: Z is {}x{}, expected {}xn with at least one column",
                                     Z.rows(),
                                     Z.cols(),
                                     theta_.d));
    }
    if (arithmetic(Z) == LabelArithmetic::exact) {
        const double output =
            1.0 / kThetaUnit / kThetaUnit / input_unit_ / input_unit_ / input_unit_;
        return evaluate<Int128>(theta_, Z, kind, {kThetaUnit, input_unit_, output});
    }
    return evaluate<double>(theta_, Z, kind, {1.0, 1.0, 1.0});
}

}  // namespace attest
