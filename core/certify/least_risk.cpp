#include "core/certify/least_risk.hpp"

#include "core/base/text.hpp"
#include "core/certify/proof.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/annihilation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attest {

namespace {

/// A rank modulo the prime below the one over Q: about one data set in 2⁶¹ for each column.
constexpr const char* kUnlucky = "the prime divides a minor of these data";

/// [H | y] of all examples times `unit`, in integers: unlike a rank, a risk needs rows of one
/// scale.
struct CommonTable {
    MatrixOf<Integer> rows;
    Rational unit = 1;
};

CommonTable common_table(const Dataset& data) {
    const FeatureRows scales(data, FeatureColumns::features_and_labels);
    CommonTable table{integer_features(data, FeatureColumns::features_and_labels)};
    int exponent = scales.row_exponent(0);
    Index odd_power = 0;
    for (Index i = 0; i < table.rows.rows(); ++i) {
        exponent = std::max(exponent, scales.row_exponent(i));
        odd_power = std::max(odd_power, scales.odd_power(i));
    }
    table.unit = power_of_two(exponent);
    for (Index k = 0; k < odd_power; ++k) {
        table.unit *= Rational(scales.odd_base());
    }
    for (Index i = 0; i < table.rows.rows(); ++i) {
        const Rational factor = table.unit / scales.row_factor(i);
        ensure(denominator(factor) == 1,
               "least_risk: a row's scale does not divide the common one");
        table.rows.row(i) *= Integer(numerator(factor));
    }
    return table;
}

/// The normal equations [BᵀB | Bᵀy] of the columns `pivots` of H.
MatrixOf<Integer> normal_equations(const MatrixOf<Integer>& rows,
                                   const std::vector<Index>& pivots,
                                   Index psi) {
    std::vector<Index> columns = pivots;
    columns.resize(pivots.size() + static_cast<std::size_t>(rows.cols() - psi));
    std::iota(columns.begin() + std::ssize(pivots), columns.end(), psi);
    MatrixOf<Integer> sums = MatrixOf<Integer>::Zero(std::ssize(pivots), std::ssize(columns));
    for (Index i = 0; i < rows.rows(); ++i) {
        std::vector<Index> present;
        for (Index k = 0; k < std::ssize(columns); ++k) {
            if (rows(i, columns[static_cast<std::size_t>(k)]) != 0) {
                present.push_back(k);
            }
        }
        for (const Index j : present) {
            for (const Index k : present) {
                if (j < sums.rows()) {
                    sums(j, k) += rows(i, columns[static_cast<std::size_t>(j)]) *
                                  rows(i, columns[static_cast<std::size_t>(k)]);
                }
            }
        }
    }
    return sums;
}

/// The null vectors of [BᵀB | Bᵀy] that belong to the outputs.
IntegerNullSpace solve_normal_equations(const MatrixOf<Integer>& sums, const LiftOptions& options) {
    const Index r = sums.rows();
    std::vector<Index> outputs(static_cast<std::size_t>(sums.cols() - r));
    std::iota(outputs.begin(), outputs.end(), r);
    if (r == 0) {  // no feature is ever nonzero: the residuals are the labels
        IntegerNullSpace labels;
        for (const Index a : outputs) {
            labels.vectors.emplace_back(IntegerVector::Unit(sums.cols(), a));
            labels.free_columns.push_back(a);
        }
        return labels;
    }
    const RankProfile profile = rank_profile(Modulus(), MatrixRows(sums.leftCols(r)));
    if (profile.rank() < r) {
        IntegerNullSpace none;
        none.note = kUnlucky;
        return none;
    }
    return lift_null_space(MatrixRows(sums), profile, outputs, options);
}

/// v·y_a + B·w, an integer multiple of the residual of output a.
IntegerVector residual_of(const MatrixOf<Integer>& rows,
                          const std::vector<Index>& pivots,
                          const IntegerVector& solution,
                          Index label_column,
                          const Integer& weight) {
    IntegerVector residual = rows.col(label_column) * weight;
    for (std::size_t k = 0; k < pivots.size(); ++k) {
        const Integer& coefficient = solution(static_cast<Index>(k));
        if (coefficient != 0) {
            residual += rows.col(pivots[k]) * coefficient;
        }
    }
    return residual;
}

bool orthogonal_to_features(const MatrixOf<Integer>& rows, Index psi, const IntegerVector& v) {
    IntegerVector sums = IntegerVector::Zero(psi);
    for (Index i = 0; i < rows.rows(); ++i) {
        for (Index j = 0; v(i) != 0 && j < psi; ++j) {
            if (rows(i, j) != 0) {
                sums(j) += v(i) * rows(i, j);
            }
        }
    }
    return std::all_of(sums.data(), sums.data() + psi, [](const Integer& sum) { return sum == 0; });
}

Integer squared_norm(const IntegerVector& v) {
    Integer sum = 0;
    for (Index i = 0; i < v.size(); ++i) {
        sum += v(i) * v(i);
    }
    return sum;
}

/// Adds output a of the minimiser, its part of the risk and its dual vector; false if the residual
/// is not orthogonal to every feature: then the columns were too few.
bool add_output(LeastRisk& found,
                const CommonTable& table,
                const std::vector<Index>& pivots,
                const IntegerVector& solution,
                Index a) {
    const Index psi = found.P.rows();
    const Integer& weight = solution(found.rank + a);
    for (Index j = 0; j < found.rank; ++j) {
        found.P(pivots[static_cast<std::size_t>(j)], a) = -Rational(solution(j)) / Rational(weight);
    }
    IntegerVector residual = residual_of(table.rows, pivots, solution, psi + a, weight);
    if (!orthogonal_to_features(table.rows, psi, residual)) {
        return false;
    }
    const Rational scale = Rational(weight) * table.unit;
    found.risk += Rational(squared_norm(residual)) / (scale * scale * Rational(residual.size()));
    found.duals[static_cast<std::size_t>(a)] = primitive(std::move(residual));
    return true;
}

LeastRisk undecided(const LeastRisk& found, const std::string& reason) {
    LeastRisk nothing;
    nothing.power = found.power;
    nothing.rank = found.rank;
    nothing.reason = reason;
    return nothing;
}

}  // namespace

LeastRisk least_risk(const Dataset& data, const LiftOptions& options) {
    require(data.labels != LabelKind::none, "least_risk: the data set has no labels");
    const Index psi = data.layout().psi();
    const CommonTable table = common_table(data);
    const std::vector<Index> pivots = rank_profile(Modulus(), FeatureRows(data)).pivot_columns;
    LeastRisk found;
    found.rank = std::ssize(pivots);
    found.P = MatrixOf<Rational>::Zero(psi, data.o());
    found.duals.resize(static_cast<std::size_t>(data.o()));
    const Rational scale = table.unit * table.unit * Rational(table.rows.rows());
    for (Index a = 0; a < data.o(); ++a) {
        found.power += Rational(squared_norm(table.rows.col(psi + a))) / scale;
    }
    const IntegerNullSpace relations =
        solve_normal_equations(normal_equations(table.rows, pivots, psi), options);
    if (std::ssize(relations.vectors) < data.o()) {
        return undecided(found, relations.note);
    }
    for (std::size_t k = 0; k < relations.vectors.size(); ++k) {
        const Index a = relations.free_columns[k] - found.rank;
        if (!add_output(found, table, pivots, relations.vectors[k], a)) {
            return undecided(found, kUnlucky);
        }
    }
    const bool fits = found.risk == 0;
    found.verdict = fits ? LabelConsistency::consistent : LabelConsistency::inconsistent;
    found.reason = fits ? "a rational P was verified on every example"
                        : "the residuals of the best P are orthogonal to every feature, over Q";
    return found;
}

std::optional<std::string> inexpressible_proof(const Dataset& data, const LeastRisk& found) {
    if (found.verdict != LabelConsistency::inconsistent) {
        return std::nullopt;
    }
    ProofText proof(data);
    proof.line(formatted("claim inexpressible {} {}",
                         Integer(numerator(found.risk)).str(),
                         Integer(denominator(found.risk)).str()));
    for (const IntegerVector& dual : found.duals) {
        proof.vector("relation", dual);
    }
    return proof.finish();
}

}  // namespace attest
