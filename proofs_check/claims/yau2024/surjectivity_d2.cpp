#include "core/features/coefficients.hpp"
#include "core/heads/counting.hpp"
#include "core/heads/explicit_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// y = (S_11 z_1 − S_22 z_2, S_11 z_2): F = x_1² I − x_2² E_12.
RationalMatrix hard_target() {
    const RationalParameters theta{2,
                                   2,
                                   {{unit_matrix(2, 1, 1), unit_matrix(2, 1, 1)},
                                    {unit_matrix(2, 2, 1), unit_matrix(2, 1, 2)},
                                    {unit_matrix(2, 1, 2), -unit_matrix(2, 2, 2)}}};
    return coefficients(theta);
}

/// A² = E_12 has no solution: (A²)² = 0 forces A² = 0 by Cayley and Hamilton. Over all integer A of
/// a box, with any multiple of E_12.
bool no_square_root(Index bound) {
    bool none = true;
    for (Index a = -bound; a <= bound; ++a) {
        for (Index b = -bound; b <= bound; ++b) {
            for (Index c = -bound; c <= bound; ++c) {
                for (Index e = -bound; e <= bound; ++e) {
                    const Index upper = b * (a + e);
                    const bool multiple =
                        a * a + b * c == 0 && c * (a + e) == 0 && b * c + e * e == 0 && upper != 0;
                    none = none && !multiple;
                }
            }
        }
    }
    return none;
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    bool three = true;
    for (Index i = 0; i < context.pick(20, 200); ++i) {
        const RationalMatrix P = random_integers(6, 2, 9, context.stream.child(i));
        const RationalParameters heads = symmetric_query_heads<Rational>(P, 2);
        three = three && heads.num_heads() == 3 && coefficients(heads) == P;
    }
    evidence.check(Form::tested,
                   three,
                   "d = o = 2: three heads represent every P tried, by an explicit formula over Q");
    evidence.check(
        Form::tested,
        no_square_root(context.pick(6, 12)),
        "two are not: y = (S_11 z_1 - S_22 z_2, S_11 z_2) is F = x_1^2 I - x_2^2 E_12; F = "
        "L(x) M(x) with linear 2x2 forms needs A^2 = E_12 for some A, and no integer A in "
        "a box has a nonzero multiple of E_12 as its square");
    const RationalParameters three_heads = symmetric_query_heads<Rational>(hard_target(), 2);
    evidence.check(Form::control,
                   coefficients(three_heads) == hard_target() &&
                       coefficients(RationalParameters{
                           2, 2, {three_heads.heads[0], three_heads.heads[1]}}) != hard_target(),
                   "three heads do represent that F; two of the three do not");
    evidence.check(Form::tested,
                   counting_bound(2, 2) == 2,
                   "counting parameters modulo GL(H) allows two heads for a generic P");
    return evidence;
}

}  // namespace

Claim surjectivity_d2() {
    return {
        .id = "yau2024/surjectivity_d2",
        .paper = "arXiv 2410.10101",
        .place = "Lemma A.6, for d = 2",
        .printed = kOurs,
        .tested = "for d = 2 the threshold is 3: three heads are enough for every P, two are not",
        .deviation = "the paper asks for d^2 = 4 heads, which is sufficient but not the fewest",
        .depends_on = "yau2024/lemma_a6",
        .method = Method::exact,
        .documented = Outcome::holds,
        .explain =
            "Two heads write F(x) = L(x) M(x). At x_2 = 0, F = x_1^2 I lets L = x_1 I + x_2 A "
            "and M = x_1 I + x_2 B after a change of basis; the mixed term gives B = -A, the "
            "last one A^2 = E_12. But then A^4 = 0, so A is nilpotent and A^2 = 0.",
        .run = run,
    };
}

}  // namespace attest::yau2024
