#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/explicit_heads.hpp"
#include "proofs_check/claims/fewest_heads/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::fewest_heads {

namespace {

struct OfRandomP {
    Index cases = 0;
    Index represented = 0;        ///< the heads have exactly these coefficients
    Index fewer_than_square = 0;  ///< they are d(d+1)/2, fewer than d²
};

/// The formula's heads, less those left out, of some random P of each size.
OfRandomP of_random_P(Index draws, std::size_t left_out, const Stream& stream) {
    OfRandomP found;
    for (Index d = 2; d <= 5; ++d) {
        for (Index o = 1; o <= 5; ++o) {
            for (Index draw = 0; draw < draws; ++draw) {
                const RationalMatrix P = random_integers(
                    feature_dim(d), o, 99, stream.child("P").child(d).child(o).child(draw));
                RationalParameters theta = symmetric_query_heads<Rational>(P, d);
                ++found.cases;
                found.fewer_than_square +=
                    theta.num_heads() == packed_dim(d) && theta.num_heads() < d * d ? 1 : 0;
                theta.heads.resize(theta.heads.size() - left_out);
                found.represented += coefficients(theta) == P ? 1 : 0;
            }
        }
    }
    return found;
}

/// Accepted: the formula's heads, less those left out, have the coefficients of every random P.
void check_formula(Evidence& evidence, const ClaimContext& context) {
    const SharedTest represents(
        evidence,
        [&](const std::string& which, std::size_t left_out) -> Answer {
            const OfRandomP found = of_random_P(context.pick(3, 30), left_out, context.stream);
            return {found.represented == found.cases && found.fewer_than_square == found.cases,
                    formatted("the d(d+1)/2 < d^2 heads of the formula{} have exactly the "
                              "coefficients P for {} of {} random integer P, d = 2..5, o = 1..5",
                              which,
                              found.represented,
                              found.cases)};
        },
        kSampled);
    represents.check(Form::tested, "", std::size_t{0});
    represents.control(" but the last", std::size_t{1});
}

void check_algorithm_1(Evidence& evidence, const ClaimContext& context) {
    std::string ranks;
    bool square = true;
    for (Index d = 2; d <= context.pick(4, 5); ++d) {
        const RationalParameters theta =
            random_heads(d, d, 1, 99, context.stream.child("one head").child(d));
        const Index rank = rational_rank(symmetric_gauge(coefficients(theta), d));
        square = square && rank == d * d;
        ranks += formatted("{}{}", ranks.empty() ? "" : ", ", rank);
    }
    evidence.check(Form::tested,
                   square,
                   formatted("Algorithm 1 splits Sym W, whose rank is d^2 even where one dense "
                             "head computes the function: {} for d = 2, 3, ...",
                             ranks));
}

Evidence test_d_squared_never_needed(const ClaimContext& context) {
    Evidence evidence;
    check_formula(evidence, context);
    check_algorithm_1(evidence, context);
    return evidence;
}

}  // namespace

Claim d_squared_never_needed() {
    return {
        .id = "fewest_heads/d_squared_never_needed",
        .paper = "docs/heads.md",
        .place = "section 2",
        .tested =
            "for d >= 2 every function of linear attention has d(d+1)/2 < d^2 heads, by a formula "
            "over the rationals; the heads that Algorithm 1 returns are d^2 even for functions of "
            "one head",
        .method = Method::exact,
        .explain =
            "Split the coefficient of S_bc z_l evenly, T_bc,l. With Q the symmetric units E_cc and "
            "E_cl + E_lc and V_cl[a,b] = T_bc,l + T_bl,c - T_cl,b the contributions of {b,l} to "
            "S_bc z_l and those of {c,l} add up to T_bc,l, as in the formula for the Christoffel "
            "symbols.",
        .machine_checked = {"head_count.v: layer_of_pairsK, size_layer_of_pairs",
                            "the formula for d(d+1)/2 heads"},
        .run = test_d_squared_never_needed,
    };
}

}  // namespace attest::fewest_heads
