#include "core/certify/span.hpp"

#include "core/base/choice.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/annihilation.hpp"
#include "core/exact/row_basis.hpp"

#include <algorithm>
#include <numeric>

namespace attest {

namespace {

constexpr Choices<Determination, 3> kDeterminationNames{
    {{Determination::determined, "determined"},
     {Determination::not_determined, "not_determined"},
     {Determination::undecided, "undecided"}}};

constexpr Choices<SpanEvidence, 6> kSpanEvidenceNames{
    {{SpanEvidence::none, "none"},
     {SpanEvidence::full_rank, "full_rank"},
     {SpanEvidence::null_basis, "null_basis"},
     {SpanEvidence::combination, "combination"},
     {SpanEvidence::null_vector, "null_vector"},
     {SpanEvidence::rank_increase, "rank_increase"}}};

/// The transpose of [pivot rows of the training features; some query rows]: its null vectors are
/// the linear relations between queries and training examples.
class RelationRows final : public IntegerRows {
public:
    RelationRows(const FeatureRows& training,
                 const std::vector<Index>& examples,
                 const FeatureRows& queries,
                 const std::vector<Index>& wanted)
        : training_(training), examples_(examples), queries_(queries), wanted_(wanted) {}

    [[nodiscard]] Index num_columns() const override {
        return static_cast<Index>(examples_.size() + wanted_.size());
    }

    [[nodiscard]] Index num_blocks() const override { return 1; }

    [[nodiscard]] Index first_row(Index b) const override { return b * training_.num_columns(); }

    [[nodiscard]] Index entry_bits() const override {
        return std::max(training_.entry_bits(), queries_.entry_bits());
    }

    [[nodiscard]] ModularMatrix block(const Modulus& p, Index /*b*/) const override {
        return transpose(
            stack(select_rows(p, training_, examples_), select_rows(p, queries_, wanted_)));
    }

private:
    const FeatureRows& training_;
    const std::vector<Index>& examples_;
    const FeatureRows& queries_;
    const std::vector<Index>& wanted_;
};

/// Queries that lie in the row space modulo the profile's prime; the others raise the rank.
std::vector<Index> spanned_modulo(const FeatureRows& training,
                                  const RankProfile& profile,
                                  const FeatureRows& queries,
                                  const std::vector<Index>& numbers) {
    const Modulus p(profile.prime);
    ModularRowBasis basis(p, training.num_columns());
    const ModularMatrix pivot_rows = select_rows(p, training, profile.pivot_rows);
    basis.append(pivot_rows, ModularMatrix(pivot_rows.rows(), 0));
    basis.flush();
    const ModularMatrix rows = select_rows(p, queries, numbers);
    std::vector<Index> spanned;
    for (Index i = 0; i < rows.rows(); ++i) {
        if (basis.spans(std::span(rows.row(i), static_cast<std::size_t>(rows.cols())))) {
            spanned.push_back(numbers[static_cast<std::size_t>(i)]);
        }
    }
    return spanned;
}

/// A relation Σ_k v_k·2^a_k H(Z_k) + v_free·2^b H(Z) = 0, solved for H(Z).
VectorOf<Rational> combination_of(const IntegerVector& relation,
                                  const std::vector<Index>& examples,
                                  Index free_column,
                                  const Rational& query_factor,
                                  const FeatureRows& training) {
    VectorOf<Rational> c(static_cast<Index>(examples.size()));
    for (Index k = 0; k < c.size(); ++k) {
        c(k) = Rational(Integer(-relation(k)), Integer(1)) / Rational(relation(free_column)) *
               training.row_factor(examples[static_cast<std::size_t>(k)]) / query_factor;
    }
    return c;
}

/// Without pivot rows only H(Z) = 0 is a combination, the empty one: no coordinate of it is nonzero
/// over Z.
void settle_zero_features(std::vector<QuerySpan>& answers,
                          const FeatureRows& queries,
                          const std::vector<Index>& numbers) {
    std::vector<IntegerVector> coordinates;
    for (Index k = 0; k < queries.num_columns(); ++k) {
        coordinates.emplace_back(IntegerVector::Unit(queries.num_columns(), k));
    }
    const std::vector<Index> nonzero = first_nonzero_product(queries, coordinates);
    for (const Index i : numbers) {
        const auto at = static_cast<std::size_t>(i);
        if (nonzero[at] < 0) {
            answers[at] = {Determination::determined, SpanEvidence::combination, -1, {}};
        }
    }
}

/// Marks as determined the queries whose combination of training examples can be lifted and
/// verified.
void settle_by_combination(std::vector<QuerySpan>& answers,
                           const FeatureRows& training,
                           const RankProfile& profile,
                           const FeatureRows& queries,
                           const std::vector<Index>& numbers,
                           const LiftOptions& options) {
    if (numbers.empty()) {
        return;
    }
    if (profile.rank() == 0) {
        settle_zero_features(answers, queries, numbers);
        return;
    }
    const RelationRows relations(training, profile.pivot_rows, queries, numbers);
    RankProfile transposed{profile.prime, profile.pivot_columns, {}};
    transposed.pivot_columns.resize(profile.pivot_rows.size());
    std::iota(transposed.pivot_columns.begin(), transposed.pivot_columns.end(), Index{0});
    std::vector<Index> free(numbers.size());
    std::iota(free.begin(), free.end(), profile.rank());

    const IntegerNullSpace found = lift_null_space(relations, transposed, free, options);
    for (std::size_t k = 0; k < found.vectors.size(); ++k) {
        const Index column = found.free_columns[k];
        const Index query = numbers[static_cast<std::size_t>(column - profile.rank())];
        QuerySpan& answer = answers[static_cast<std::size_t>(query)];
        answer.verdict = Determination::determined;
        answer.evidence = SpanEvidence::combination;
        answer.combination = combination_of(
            found.vectors[k], profile.pivot_rows, column, queries.row_factor(query), training);
    }
}

}  // namespace

std::string_view to_string(Determination verdict) {
    return name_of(kDeterminationNames, verdict);
}

std::string_view to_string(SpanEvidence evidence) {
    return name_of(kSpanEvidenceNames, evidence);
}

std::vector<QuerySpan> certify_span(const Dataset& training,
                                    const ExactRank& rank,
                                    const Dataset& queries,
                                    const LiftOptions& options) {
    const FeatureLayout layout = training.layout();
    require(training.d() == queries.d() && training.layer == queries.layer &&
                queries.layout() == layout && rank.psi == layout.psi(),
            "certify_span: got queries with d = {}, layer {}, expected {}, {}",
            queries.d(),
            to_string(queries.layer),
            training.d(),
            to_string(training.layer));
    std::vector<QuerySpan> answers(static_cast<std::size_t>(queries.num_examples()));
    if (rank.verdict == RankVerdict::full_rank) {
        const QuerySpan all{Determination::determined, SpanEvidence::full_rank, -1, {}};
        std::fill(answers.begin(), answers.end(), all);
        return answers;
    }
    const FeatureRows training_rows(training);
    const FeatureRows query_rows(queries);
    const std::vector<Index> first = first_nonzero_product(query_rows, rank.null_space.vectors);
    std::vector<Index> open;
    for (Index i = 0; i < query_rows.num_rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (first[at] >= 0) {
            answers[at] = {Determination::not_determined, SpanEvidence::null_vector, first[at], {}};
        } else if (rank.null_basis_is_complete()) {
            answers[at] = {Determination::determined, SpanEvidence::null_basis, -1, {}};
        } else {
            open.push_back(i);
        }
    }
    if (open.empty()) {
        return answers;
    }
    const std::vector<Index> spanned =
        spanned_modulo(training_rows, rank.profile, query_rows, open);
    for (const Index i : open) {
        if (rank.rank_is_exact() && !std::binary_search(spanned.begin(), spanned.end(), i)) {
            answers[static_cast<std::size_t>(i)] = {
                Determination::not_determined, SpanEvidence::rank_increase, -1, {}};
        }
    }
    settle_by_combination(answers, training_rows, rank.profile, query_rows, spanned, options);
    return answers;
}

}  // namespace attest
