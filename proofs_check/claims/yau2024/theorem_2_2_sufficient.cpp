#include "core/features/coefficients.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/population.hpp"

namespace attest::yau2024 {

namespace {

std::vector<Atom> three_atoms() {
    return {{-1, Rational(1, 4)}, {0, Rational(1, 2)}, {1, Rational(1, 4)}};
}

/// Noiseless: as soon as the features have rank ψ the population risk is 0, with N = ψ samples.
void check_noiseless(Evidence& evidence, const ClaimContext& context) {
    const Index sets = context.pick(9, 60);
    Index regular = 0;
    Index exact = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child("noiseless").child(i);
        const Index d = 1 + i % 3;
        const RationalParameters truth = random_heads(d, d, d, 3, stream.child("truth"));
        const ExactProblem data =
            realisable_problem(random_sequences(feature_dim(d), d, 4, 9, stream.child("Z")), truth);
        if (rational_rank(data.H) == data.psi()) {
            ++regular;
            exact += least_squares(data) == coefficients(truth) ? 1 : 0;
        }
    }
    evidence.check(
        Form::tested,
        regular > 0 && exact == regular,
        formatted("realisable, no noise: N = psi = d^2(d+1)/2 samples suffice, far fewer than "
                  "d^4/eps; exact recovery in {} of the {} of {} random sets with regular features",
                  exact,
                  regular,
                  sets),
        kSampled);
}

struct NoisyDesign {
    RationalMatrix H;
    RationalMatrix population;
    Rational sigma;
};

NoisyDesign regular_design(const Stream& stream, Index N) {
    const RationalMatrix population =
        population_second_moment(moments_of("atoms", three_atoms()), 2, 2);
    for (Index attempt = 0;; ++attempt) {
        const RationalMatrix H = feature_rows(random_sequences(N, 2, 2, 1, stream.child(attempt)));
        if (rational_rank(H) == H.cols()) {
            return {H, population, Rational(1, 2)};
        }
    }
}

/// E over all 2^N signs of the excess risk of least squares under noise ±σ, one output.
Rational mean_excess(const NoisyDesign& design) {
    const Index N = design.H.rows();
    const RationalMatrix projector =
        rational_inverse(design.H.transpose() * design.H) * design.H.transpose();
    Rational total = 0;
    for (Index signs = 0; signs < (Index{1} << N); ++signs) {
        RationalVector noise(N);
        for (Index i = 0; i < N; ++i) {
            noise(i) = (signs >> i & 1) != 0 ? design.sigma : Rational(-design.sigma);
        }
        const RationalVector error = projector * noise;
        total += error.dot(design.population * error);
    }
    return total / Rational(Index{1} << N);
}

/// Accepted: σ² tr(Λ Λ_D⁻¹)/N is the mean over all noises, with this matrix for Λ_D.
Answer is_the_mean(const NoisyDesign& design, const std::string& name, const RationalMatrix& data) {
    const Index N = design.H.rows();
    const RationalMatrix ratio = design.population * rational_inverse(data);
    const Rational formula = design.sigma * design.sigma * ratio.trace() / Rational(N);
    const Rational mean = mean_excess(design);
    return {mean == formula,
            formatted("independent noise +-1/2, d = n = 2, one output, N = {}: the mean excess "
                      "risk over all {} noises is {}; sigma^2 tr(Lambda Lambda_D^-1)/N, Lambda the "
                      "population's and Lambda_D {}, is {}",
                      N,
                      Index{1} << N,
                      mean,
                      name,
                      formula)};
}

Evidence test_theorem_2_2_sufficient(const ClaimContext& context) {
    Evidence evidence;
    check_noiseless(evidence, context);
    const NoisyDesign design = regular_design(context.stream.child("noise"), context.pick(8, 11));
    const SharedTest noise(evidence, is_the_mean);
    noise.check(Form::tested, design, std::string("the data's"), second_moment(design.H));
    noise.control(design, std::string("the population's too"), design.population);
    return evidence;
}

}  // namespace

Claim theorem_2_2_sufficient() {
    return {
        .id = "yau2024/theorem_2_2_sufficient",
        .place = "Theorem 2.2, under further assumptions",
        .tested =
            "for one design: no noise: N = psi regular samples give excess risk 0; noise of "
            "variance sigma^2 in "
            "each of o outputs: the mean excess is sigma^2 o tr(Lambda Lambda_D^-1)/N",
        .deviation = "assumptions under which a bound like equation 6 holds",
        .depends_on = "yau2024/theorem_2_2_distribution_free yau2024/lemma_2_3",
        .method = Method::exact,
        .explain =
            "The error of least squares is Lambda_D^-1 (1/N) sum H_i noise_i', whose mean "
            "square in the norm of Lambda is the trace. Where Lambda_D stays close to Lambda "
            "this is about sigma^2 o psi/N, so d^4 stands for noise in d outputs.",
        .run = test_theorem_2_2_sufficient,
    };
}

}  // namespace attest::yau2024
