#include "core/features/coefficients.hpp"
#include "core/heads/explicit_heads.hpp"
#include "core/heads/lower_bound.hpp"
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

/// Accepted: the explicit heads, less the `omitted` last ones, have the coefficients of every P.
Answer represent(const Stream& stream, Index draws, std::size_t omitted) {
    Index right = 0;
    for (Index i = 0; i < draws; ++i) {
        const RationalMatrix P = i == 0 ? hard_target() : random_integers(6, 2, 9, stream.child(i));
        RationalParameters heads = symmetric_query_heads<Rational>(P, 2);
        heads.heads.resize(3 - omitted);
        right += coefficients(heads) == P ? 1 : 0;
    }
    return {right == draws,
            formatted("d = o = 2: {} heads by an explicit formula over Q represent {} of {} P, the "
                      "hard one and random ones",
                      3 - omitted,
                      right,
                      draws)};
}

/// A² for A = [[a, b], [c, e]] as polynomials: A² = (a + e) A − (ae − bc) I. If A² = N with N² = 0
/// then A⁴ = 0, so the characteristic polynomial of A is x², a + e = 0 and ae − bc = 0, and A² = 0.
/// Accepted: for these nilpotent A of a box A² is the matrix wanted, nowhere else is A⁴ zero.
Answer nilpotent_squares(Index bound, const RationalMatrix& wanted) {
    Index nilpotent = 0;
    Index equal = 0;
    for (Index code = 0;
         code < (2 * bound + 1) * (2 * bound + 1) * (2 * bound + 1) * (2 * bound + 1);
         ++code) {
        RationalMatrix A(2, 2);
        Index rest = code;
        for (Index i = 0; i < 4; ++i) {
            A(i % 2, i / 2) = rest % (2 * bound + 1) - bound;
            rest /= 2 * bound + 1;
        }
        const RationalMatrix square = A * A;
        const RationalMatrix fourth = square * square;
        if (fourth.isZero(Rational(0))) {
            ++nilpotent;
            equal += square == wanted ? 1 : 0;
        }
    }
    return {equal == nilpotent,
            formatted("of all integer A with entries up to {} whose fourth power is 0, {} in "
                      "number, the square is {} for {}",
                      bound,
                      nilpotent,
                      to_text(wanted),
                      equal)};
}

Evidence test_surjectivity_d2(const ClaimContext& context) {
    Evidence evidence;
    const Index draws = context.pick(20, 200);
    const SharedTest explicit_heads(evidence, represent, kSampled);
    explicit_heads.check(Form::tested, context.stream, draws, std::size_t{0});
    explicit_heads.control(context.stream, draws, std::size_t{1});
    const SharedTest squares(evidence, nilpotent_squares);
    squares.check(Form::tested, context.pick(3, 6), RationalMatrix(RationalMatrix::Zero(2, 2)));
    squares.control(Index{2}, unit_matrix(2, 1, 2));
    evidence.check(Form::tested,
                   counting_bound(2, 2) == 2,
                   "counting parameters modulo GL(H) allows two heads for a generic P");
    return evidence;
}

}  // namespace

Claim surjectivity_d2() {
    return {
        .id = "yau2024/surjectivity_d2",
        .place = "Lemma A.6, for d = 2",
        .tested = "for d = 2 the threshold is 3: three heads are enough for every P, two are not",
        .deviation = "the paper asks for d^2 = 4 heads, which is sufficient but not the fewest",
        .depends_on = "yau2024/lemma_a6",
        .method = Method::exact,
        .explain =
            "Two heads write F(x) = L(x) M(x). At x_2 = 0, F = x_1^2 I lets L = x_1 I + x_2 A "
            "and M = x_1 I + x_2 B after a change of basis; the mixed term gives B = -A, the "
            "last one A^2 = E_12. But then A^4 = 0, so A is nilpotent, and a nilpotent 2 x 2 "
            "matrix has "
            "A^2 = 0. The argument is a proof; the box of integers only goes through it again.",
        .run = test_surjectivity_d2,
    };
}

}  // namespace attest::yau2024
