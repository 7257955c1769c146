#include "core/certify/consistency.hpp"

#include "core/base/choice.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/row_basis.hpp"

#include <algorithm>
#include <numeric>

namespace attest {

namespace {

constexpr Choices<LabelConsistency, 3> kLabelConsistencyNames{
    {{LabelConsistency::consistent, "consistent"},
     {LabelConsistency::inconsistent, "inconsistent"},
     {LabelConsistency::undecided, "undecided"}}};

/// The first example whose row [H | y] lies outside the row space modulo p of the pivot rows [B |
/// Y_B] although H lies in that of B, or −1. B has independent rows, so H = c·B has one c only, and
/// y ≠ c·Y_B means rank[H | y] ≥ rank B + 1.
Index contradiction_modulo(const FeatureRows& rows,
                           const RankProfile& profile,
                           Index psi,
                           Index o) {
    const Modulus p(profile.prime);
    std::vector<Index> features(static_cast<std::size_t>(psi));
    std::iota(features.begin(), features.end(), Index{0});
    std::vector<Index> labels(static_cast<std::size_t>(o));
    std::iota(labels.begin(), labels.end(), psi);

    ModularRowBasis basis(p, psi, {.num_labels = o});
    const ModularMatrix pivot_rows = select_rows(p, rows, profile.pivot_rows);
    basis.append(select_columns(pivot_rows, features), select_columns(pivot_rows, labels));
    basis.flush();
    const ModularMatrix P = transpose(basis.solution());
    for (Index b = 0; b < rows.num_blocks(); ++b) {
        const ModularMatrix block = rows.block(p, b);
        const ModularMatrix H = select_columns(block, features);
        const ModularMatrix rest = subtract_product(p, select_columns(block, labels), H, P);
        for (Index i = 0; i < rest.rows(); ++i) {
            const bool fits =
                std::all_of(rest.row(i), rest.row(i) + o, [](Residue value) { return value == 0; });
            if (!fits && basis.spans(std::span(H.row(i), static_cast<std::size_t>(psi)))) {
                return rows.first_row(b) + i;
            }
        }
    }
    return -1;
}

/// P from the null vectors of [H | y]: H·v_H + v_a·y_a = 0 gives p_a = −v_H/v_a.
MatrixOf<Rational> solution_of(const IntegerNullSpace& relations, Index psi, Index o) {
    MatrixOf<Rational> P = MatrixOf<Rational>::Zero(psi, o);
    for (std::size_t k = 0; k < relations.vectors.size(); ++k) {
        const IntegerVector& v = relations.vectors[k];
        const Index column = relations.free_columns[k];
        for (Index j = 0; j < psi; ++j) {
            P(j, column - psi) = Rational(Integer(-v(j)), Integer(1)) / Rational(v(column));
        }
    }
    return P;
}

}  // namespace

std::string_view to_string(LabelConsistency verdict) {
    return name_of(kLabelConsistencyNames, verdict);
}

ConsistencyReport consistent_labels(const Dataset& data,
                                    const ExactRank& rank,
                                    const LiftOptions& options) {
    require(data.labels != LabelKind::none, "consistent_labels: the data set has no labels");
    const FeatureRows rows(data, FeatureColumns::features_and_labels);
    if (rank.rank_lower == rank.num_examples) {
        return {LabelConsistency::consistent,
                -1,
                std::nullopt,
                "the N rows are independent: any labels are fitted"};
    }
    const Index example = contradiction_modulo(rows, rank.profile, rank.psi, data.o());
    if (example >= 0 && rank.rank_is_exact()) {
        return {LabelConsistency::inconsistent,
                example,
                std::nullopt,
                formatted("example {} contradicts {} others: rank [H | y] exceeds rank H = {}",
                          example,
                          rank.rank_lower,
                          rank.rank_lower)};
    }
    if (example >= 0) {
        return {
            LabelConsistency::undecided,
            example,
            std::nullopt,
            formatted("inconsistent modulo {}, but the rank over Q is only known to be at least {}",
                      rank.profile.prime,
                      rank.rank_lower)};
    }
    std::vector<Index> labels(static_cast<std::size_t>(data.o()));
    std::iota(labels.begin(), labels.end(), rank.psi);
    const IntegerNullSpace relations = lift_null_space(rows, rank.profile, labels, options);
    if (static_cast<Index>(relations.vectors.size()) < data.o()) {
        return {LabelConsistency::undecided, -1, std::nullopt, relations.note};
    }
    return {LabelConsistency::consistent,
            -1,
            solution_of(relations, rank.psi, data.o()),
            "a rational P was verified on every example"};
}

}  // namespace attest
