#include "proofs_check/claims/yau2024/least_eigenvalue.hpp"

#include "core/base/text.hpp"
#include "proofs_check/exact/example_laws.hpp"

namespace attest::yau2024 {

namespace {

/// (n−1) m2³ is the least eigenvalue for d ≥ 3: Λ minus it is semidefinite and singular.
void check_minimum_eigenvalue(Evidence& evidence, const ClaimContext& context) {
    const std::vector<EntryMoments> list{
        gaussian_moments(), laplace_moments(), moments_of("Bernoulli(1/4) - 1/4", quarter())};
    bool exact = true;
    for (const EntryMoments& law : list) {
        for (Index n = 2; n <= context.pick(4, 10); ++n) {
            RationalMatrix Lambda = population_second_moment(law, 3, n);
            const Rational least = Rational(n - 1) * law.m[2] * law.m[2] * law.m[2];
            Lambda.diagonal().array() -= least;
            const Definiteness shifted = definiteness(Lambda);
            const bool large = law.kappa() >= law.m[2] * law.m[2];
            exact = exact && large && shifted.semidefinite && shifted.rank < Lambda.rows();
        }
    }
    evidence.check(
        Form::tested,
        exact,
        "d = 3, mean 0, m4 - m2^2 >= m2^2: lambda_min = (n-1) m2^3 exactly (Lambda minus "
        "that is semidefinite and singular): n - 1 for normal, 8(n-1) for Laplace, "
        "27/4096 (n-1) for Bernoulli(1/4) - 1/4 entries");
}

/// det(xI − Λ) = p(x)² at seven points, for the cubic with the least eigenvalue as its root.
void check_two_rows(Evidence& evidence) {
    struct Cubic {
        Index n;
        Rational c2, c1, c0;
    };

    bool same = true;
    for (const Cubic& p : {Cubic{2, -36, 224, -256},
                           Cubic{3, -55, 500, -1000},
                           Cubic{5, -105, 1568, -5488},
                           Cubic{10, -300, 8928, -62208}}) {
        const RationalMatrix Lambda = population_second_moment(gaussian_moments(), 2, p.n);
        for (Index at = 0; at <= 6; ++at) {
            const Rational x(at);
            const Rational value = ((x + p.c2) * x + p.c1) * x + p.c0;
            RationalMatrix shifted = -Lambda;
            shifted.diagonal().array() += x;
            same = same && rational_determinant(shifted) == value * value;
        }
        const Rational plus(p.n + 2);
        const Rational minus(p.n - 1);
        const Rational cubed = plus * plus * plus;
        same = same && rational_determinant(Lambda) == 16 * minus * minus * cubed * cubed;
    }
    evidence.check(
        Form::tested,
        same,
        "d = 2, normal entries: det(x - Lambda) is the square of x^3 - 36x^2 + 224x - 256 "
        "(n = 2), x^3 - 55x^2 + 500x - 1000 (3), x^3 - 105x^2 + 1568x - 5488 (5), x^3 - "
        "300x^2 + 8928x - 62208 (10); det Lambda = 16 (n-1)^2 (n+2)^6");
}

}  // namespace

void check_least_eigenvalue(Evidence& evidence, const ClaimContext& context) {
    check_minimum_eigenvalue(evidence, context);
    check_two_rows(evidence);
}

}  // namespace attest::yau2024
