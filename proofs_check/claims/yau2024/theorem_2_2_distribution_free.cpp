#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// d = n = 1: Z = 1, y = 1 with probability 1 − η; Z = M, y = label with probability η = 1/(2N).
struct RareExample {
    Index N;
    Rational M;
    Rational label = 0;

    [[nodiscard]] Rational eta() const { return Rational(1, 2 * N); }

    [[nodiscard]] Rational cube() const { return M * M * M; }

    [[nodiscard]] Rational risk(const Rational& p) const {
        const Rational common = p - 1;
        const Rational rare = p * cube() - label;
        return (1 - eta()) * common * common + eta() * rare * rare;
    }

    /// The least risk, at the solution of the normal equation.
    [[nodiscard]] Rational least() const {
        const Rational numerator = (1 - eta()) + eta() * cube() * label;
        return risk(numerator / ((1 - eta()) + eta() * cube() * cube()));
    }

    /// The probability that the rare example is not among the N.
    [[nodiscard]] Rational unseen() const {
        Rational product = 1;
        for (Index i = 0; i < N; ++i) {
            product *= 1 - eta();
        }
        return product;
    }

    /// What least squares learns from N copies of (1, 1), through its features.
    [[nodiscard]] Rational learned() const {
        const RationalMatrix one = RationalMatrix::Ones(1, 1);
        const std::vector<RationalMatrix> Z(static_cast<std::size_t>(N), one);
        return least_squares({feature_rows(Z), RationalMatrix::Ones(N, 1)})(0, 0);
    }
};

void check_excess(Evidence& evidence, const RareExample& law, Form form) {
    const Rational excess = law.risk(law.learned()) - law.least();
    const bool bounded = excess <= 1 || law.unseen() < Rational(1, 2);
    evidence.check(
        form,
        bounded,
        formatted("N = {}, (Z, y) = (1, 1) with probability {} and ({}, 0) else: with probability "
                  "{} only (1, 1) is seen and p = {} is learned; risk {}, least {}, excess {}",
                  law.N,
                  Rational(1 - law.eta()),
                  law.M,
                  law.unseen(),
                  law.learned(),
                  law.risk(law.learned()),
                  law.least(),
                  excess));
}

/// The labels 0 and M³ of the rare input cannot be told apart when it is not seen.
void check_any_learner(Evidence& evidence) {
    bool far = true;
    for (Index step = 0; step <= 40; ++step) {
        const RareExample first{5, 10};
        const RareExample second{5, 10, 1000};
        const Rational p = Rational(step, 20) - Rational(1, 2);
        const Rational one = first.risk(p) - first.least();
        const Rational other = second.risk(p) - second.least();
        const Rational worse = one > other ? one : other;
        far = far && worse >= Rational(1000000, 40) - 1;
    }
    evidence.check(
        Form::printed,
        !far,
        "any other learner fails too: N = 5, M = 10, whichever of 41 values p from -1/2 to "
        "3/2 is answered when only (1, 1) is seen, on one of the labels y(M) = 0 and y(M) "
        "= 1000 the excess is at least M^6/(8N) - 1 = 24999");
}

Evidence run(const ClaimContext&) {
    Evidence evidence;
    check_excess(evidence, {1, 2}, Form::printed);
    check_excess(evidence, {10, 10}, Form::printed);
    check_any_learner(evidence);
    check_excess(evidence, {10, 1}, Form::control);
    return evidence;
}

}  // namespace

Claim theorem_2_2_distribution_free() {
    return {
        .id = "yau2024/theorem_2_2_distribution_free",
        .paper = "arXiv 2410.10101",
        .place = "Theorem 2.2, equation 6",
        .printed =
            "N = O((d^4 + log(1/delta))/eps) i.i.d. samples of any distribution: with "
            "probability >= 1 - delta the excess risk is <= eps",
        .tested = "see yau2024/theorem_2_2_sufficient for assumptions under which a bound holds",
        .deviation = "no N works for all distributions, bounded labels included",
        .depends_on = "",
        .method = Method::exact,
        .documented = Outcome::false_as_printed,
        .explain =
            "A rare input of size M is missed with probability at least 1/2 and costs M^6/(2N), "
            "without bound in M. Counting dimensions does not cover an unbounded squared loss; "
            "bounded features, a small-ball condition or clipping do.",
        .run = run,
    };
}

}  // namespace attest::yau2024
