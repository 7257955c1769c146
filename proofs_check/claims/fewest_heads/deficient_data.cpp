#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/fit_heads.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/rng/sample.hpp"
#include "proofs_check/claims/fewest_heads/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <algorithm>
#include <array>

namespace attest::fewest_heads {

namespace {

/// Data that leave a part of P open.
struct Restriction {
    const char* name;
    Index n;
    bool masked;                  ///< z_d = 0 in the query
    Index (*rank)(Index d);       ///< of the features
    std::array<Index, 4> fewest;  ///< heads that suffice for d = 2 … 5
};

constexpr std::array kRestrictions{
    Restriction{"sequences of one token",
                1,
                false,
                [](Index d) { return d * (d + 1) * (d + 2) / 6; },
                {2, 3, 4, 5}},
    Restriction{"queries whose last entry is 0",
                3,
                true,
                [](Index d) { return (d - 1) * d * (d + 1) / 2; },
                {2, 3, 6, 9}},
};

RationalMatrix restricted_features(const Restriction& kind, Index d, const Stream& stream) {
    std::vector<RationalMatrix> Z =
        random_sequences(feature_dim(d) + 5, d, kind.n + (kind.masked ? d : 0), 9, stream);
    if (kind.masked) {
        for (RationalMatrix& sequence : Z) {
            sequence(d - 1, sequence.cols() - 1) = 0;
        }
    }
    return feature_rows(Z);
}

void check_rank(Evidence& evidence, const Restriction& kind, Index d, const Stream& stream) {
    const Index rank = rational_rank(restricted_features(kind, d, stream));
    evidence.check(
        Form::tested,
        rank == kind.rank(d) && rank < feature_dim(d),
        formatted("{}, d = {}: rank of the features {} of {} ({} random integer sequences)",
                  kind.name,
                  d,
                  rank,
                  feature_dim(d),
                  feature_dim(d) + 5));
}

/// Best residual of fits with H heads to generic coefficients in the norm of the data.
double fitted(const FitTarget& target, Index H, const Stream& stream) {
    HeadFitOptions options;
    options.starts = 30;
    options.stream = stream;
    const HeadFit fit = fit_heads(target, H, options);
    return relative_residual(target, heads_of(fit, target.d));
}

/// Accepted: the heads of the table, `less` of them left out, compute a generic function on the
/// data.
Answer suffice(const Restriction& kind, Index d, Index less, const Stream& stream) {
    const Matrix H = restricted_features(kind, d, stream.child("data")).cast<double>();
    const Matrix P = norm_weights(d, Norm::sym).cwiseInverse().asDiagonal() *
                     grid_matrix(grid_normal(), feature_dim(d), d, stream.child("P"));
    const Index heads = kind.fewest.at(static_cast<std::size_t>(d - 2)) - less;
    const double residual =
        fitted(weighted_target(P, d, H), heads, stream.child(less == 0 ? "enough" : "too few"));
    return {residual < kSameFunction,
            formatted("{}, d = {}: {} heads, instead of {} in general, leave a residual of {} on "
                      "the data, the best of 30 starts for a generic function",
                      kind.name,
                      d,
                      heads,
                      counting_bound(d, d),
                      residual)};
}

Evidence test_deficient_data(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest heads(evidence, suffice, "double");
    for (const Restriction& kind : kRestrictions) {
        const Stream stream = context.stream.child(kind.name);
        for (Index d = 2; d <= 3; ++d) {
            check_rank(evidence, kind, d, stream.child("rank").child(d));
        }
        for (Index d = 2; d <= context.pick(3, 5); ++d) {
            const Stream generic = stream.child("heads").child(d);
            heads.check(Form::tested, kind, d, Index{0}, generic);
            heads.control(kind, d, Index{1}, generic);
        }
    }
    return evidence;
}

}  // namespace

Claim deficient_data() {
    return {
        .id = "fewest_heads/deficient_data",
        .paper = "docs/heads.md",
        .place = "section 6",
        .tested =
            "on sequences of one token the features have rank C(d+2,3) and d heads suffice; on "
            "queries whose last entry is 0 the rank is (d-1)d(d+1)/2 and 2, 3, 6, 9 heads suffice "
            "for d = 2..5 instead of 2, 4, 7, 10 (the quick profile goes to d = 3)",
        .depends_on = "fewest_heads/counting_bound",
        .method = Method::property,
        .explain =
            "Coefficients matter only modulo the null space of the second moment, so the equations "
            "to count are fewer. One token: H(Z) holds the cubic monomials of z, several times "
            "over. Masked query: the features with z_d vanish. The numbers of heads are measured.",
        .machine_checked = {"one_token.v: one_token_rank; one_token_rank.v: one_token_rank_reached",
                            "the rank C(d+2,3)"},
        .run = test_deficient_data,
    };
}

}  // namespace attest::fewest_heads
