#include "proofs_check/claims/yau2024/rare_example.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

namespace attest::yau2024 {

namespace {

/// N examples of a law whose rare one comes with probability 1/(2N): least squares meets only the
/// common one with probability (1 − 1/(2N))^N ≥ 1/2. Accepted: the excess risk is then at most 1/4.
Answer when_missed(Index N, const Rational& common, const Rational& rare) {
    const RareExample law{common, rare, Rational(1, 2 * N)};
    const Rational unseen = power(1 - law.eta, N);
    const Rational p = law.learned(N, 0);
    const Rational excess = law.excess(p);
    return {4 * excess <= 1 || 2 * unseen < 1,
            formatted("N = {}, (Z, y) = ({}, 1) with probability {} and ({}, 0) else: with "
                      "probability {} only the first is seen and p = {} is learned; risk {}, least "
                      "{}, excess {}",
                      N,
                      common,
                      Rational(1 - law.eta),
                      rare,
                      unseen,
                      p,
                      law.risk(p),
                      law.risk(law.best()),
                      excess)};
}

/// World A shows (1, 1) alone; world B also (M, 0), with probability 1/(2N). Whatever p is answered
/// to N copies of (1, 1): p ≤ 1/2 has excess (1 − p)² ≥ 1/4 in A; above 1/2 the excess in B grows
/// with p, as its least p is below. Accepted: in some world that excess may be below 1/4.
Answer two_worlds(Index N, Index M) {
    const RareExample A{1, M, 0};
    const RareExample B{1, M, Rational(1, 2 * N)};
    const Rational half(1, 2);
    const bool refuted = A.best() >= half && 4 * A.excess(half) >= 1 && B.best() <= half &&
                         4 * B.excess(half) >= 1 && 2 * power(1 - B.eta, N) >= 1;
    return {
        !refuted,
        formatted("N = {}, M = {}: least p of A {}, of B {}; at p = 1/2 the excess is {} and {}",
                  N,
                  M,
                  A.best(),
                  B.best(),
                  A.excess(half),
                  B.excess(half))};
}

/// The least M with M⁶ ≥ 10 N, for every N up to `largest`.
Answer every_size(Index largest, Index sixth_power) {
    Index M = 1;
    for (Index N = 1; N <= largest; ++N) {
        while (power(M, 6) < sixth_power * N) {
            ++M;
        }
        Answer answer = two_worlds(N, M);
        if (answer.accepted) {
            return answer;
        }
    }
    return {false,
            formatted("worlds A = (1, 1) and B = (1, 1), with probability 1/(2N) (M, 0), M^6 >= {} "
                      "N, for every N up to {}: a learner that answers p <= 1/2 to N copies of (1, "
                      "1) has excess >= 1/4 in A, one that answers more has it in B with "
                      "probability >= 1/2; as M is free, so it goes for every N",
                      sixth_power,
                      largest)};
}

Evidence test_theorem_2_2_distribution_free(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest proper(evidence, every_size);
    proper.check(Form::printed, context.pick(200, 2000), Index{10});
    proper.accepts(Index{200}, Index{1});
    const SharedTest least_squares(evidence, when_missed);
    least_squares.check(Form::printed, Index{1}, Rational(1), Rational(2));
    least_squares.check(Form::printed, Index{10}, Rational(1, 10), Rational(1));
    least_squares.accepts(Index{10}, Rational(1), Rational(1));
    return evidence;
}

}  // namespace

Claim theorem_2_2_distribution_free() {
    return {
        .id = "yau2024/theorem_2_2_distribution_free",
        .place = "Theorem 2.2, equation 6",
        .printed =
            "for i.i.d. samples of any distribution and N = O((d^4 + log(1/delta))/eps), with "
            "probability >= 1 - delta the excess risk of Algorithm 1 over the best layer is <= eps",
        .tested =
            "with leverage H' Lambda^-1 H <= L: N = O(L log(psi/delta) + L risk*/(eps delta)) "
            "(theorem_2_2_bounded_leverage); for realisable data N = O((psi log N + "
            "log(1/delta))/eps) for the chance of an undetermined output, under any distribution "
            "(theorem_2_2_realisable)",
        .deviation =
            "no N works for all distributions, for this or any other learner whose answer is a "
            "layer, even with |Z| <= 1 and |y| <= 1",
        .depends_on = "yau2024/theorem_2_2_bounded_leverage yau2024/theorem_2_2_realisable",
        .method = Method::exact,
        .documented = Outcome::false_as_printed,
        .severity = Severity::missing_hypothesis,
        .explain =
            "A rare input whose features are M^3 times the common ones is missed with probability "
            "at least 1/2 and costs M^6/(2N). Only the ratio counts: dividing all inputs by M "
            "leaves every risk as it is, so bounded features do not help, and neither does a count "
            "of dimensions. Two worlds that differ in the rare input alone defeat every "
            "deterministic proper learner with probability at least 1/2, a random one with 1/3. "
            "The squared loss "
            "is unbounded; what is missing is a bound on the leverage.",
        .run = test_theorem_2_2_distribution_free,
    };
}

}  // namespace attest::yau2024
