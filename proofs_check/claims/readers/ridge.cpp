#include "proofs_check/exact/ridge.hpp"

#include "core/base/text.hpp"
#include "core/data/sources/moments.hpp"
#include "core/features/coefficients.hpp"
#include "core/solve/solvers.hpp"
#include "proofs_check/claims/claim.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "proofs_check/exact/other_routes.hpp"

#include <limits>

namespace attest::readers {

namespace {

/// LAPACK's test ratio of least squares for [H; sqrt(N/8) I] and [Y; 0]: the ridge 1/8.
double ridge_ratio(const ExactProblem& exact, const RationalMatrix& P) {
    const RationalMatrix misfit = exact.Y - exact.H * P;
    const RationalMatrix residual =
        exact.H.transpose() * misfit - exact.num_examples() * Rational(1, 8) * P;
    const auto norm = [](const RationalMatrix& A) {
        return A.cast<double>().cwiseAbs().colwise().sum().maxCoeff();
    };
    const auto size = static_cast<double>(exact.num_examples() + exact.psi());
    return norm(residual) /
           (size * norm(exact.H) * norm(exact.Y) * std::numeric_limits<double>::epsilon());
}

/// Five sequences of a single token (x_1, x_2): S_12 z_1 = S_11 z_2 and S_12 z_2 = S_22 z_1 on
/// each, so rank 4 of 6.
Dataset single_tokens() {
    return sequences({Matrix{{1}, {0}},
                      Matrix{{0}, {1}},
                      Matrix{{1}, {1}},
                      Matrix{{1}, {-1}},
                      Matrix{{2}, {1}}});
}

/// y = S_11 z_2: the head (e_1', E_12) of one output.
RationalParameters square_truth() {
    return {2, 1, {{RationalMatrix{{1, 0}}, unit_matrix(2, 1, 2)}}};
}

/// Adds the solvers behind `attest learn --ridge` on these, against the exact normal equations.
void check_ridge_solvers(Evidence& evidence) {
    constexpr double kRatioBound = 30.0;
    const ExactProblem exact = realisable_problem(exact_sequences(single_tokens()), square_truth());
    const Dataset data = with_labels(single_tokens(), exact.Y.transpose().cast<double>());
    const DatasetSource source(data);
    std::vector<RationalMatrix> found;
    for (const Solver& solver : solvers()) {
        const LeastSquaresFit fit = solver.fit(source, {.ridge = 0.125, .norm = Norm::packed});
        if (fit.status != SolveStatus::refused) {
            found.emplace_back(fit.P.cast<Rational>());
        }
    }
    const SharedTest minimises(
        evidence,
        [&](const std::string& whose, const std::vector<RationalMatrix>& each) {
            double largest = 0.0;
            for (const RationalMatrix& P : each) {
                largest = std::max(largest, ridge_ratio(exact, P));
            }
            const bool below = !each.empty() && largest < kRatioBound;
            return Answer{below,
                          formatted("lambda = 1/8, {}: normal equations {} to 30 roundings",
                                    whose,
                                    below ? "hold" : "do not hold")};
        },
        "double");
    minimises.check(Form::tested, formatted("{} solvers of attest learn", found.size()), found);
    minimises.control("equations with lambda I in place of N lambda I",
                      std::vector{ridge_minimiser(exact, Rational(1, 8 * 5))});
}

/// The ridge objective as a definite quadratic form around its minimiser: unique on any data.
void check_unique(Evidence& evidence, const ClaimContext& context) {
    const Index draws = context.pick(12, 120);
    Index unique = 0;
    Index deficient = 0;
    for (Index i = 0; i < draws; ++i) {
        const Stream stream = context.stream.child("unique").child(i);
        const Index d = 1 + i % 2;
        const Index examples = 1 + i % 7;
        const ExactProblem data{
            feature_rows(random_sequences(examples, d, 2, 3, stream.child("Z"))),
            random_integers(examples, d, 9, stream.child("y"))};
        const Rational penalty(1, 1 + 10 * i * i);
        const RationalMatrix P = ridge_minimiser(data, penalty);
        const RationalMatrix step = random_integers(data.psi(), d, 5, stream.child("step"));
        const RationalMatrix moved = P + step;
        const RationalMatrix change = data.H * step;
        const Rational rise = squared_norm(change) / examples + penalty * squared_norm(step);
        const bool parabola = risk(data, moved) + penalty * squared_norm(moved) ==
                              risk(data, P) + penalty * squared_norm(P) + rise;
        const RationalMatrix form = ridge_form(data.H, penalty);
        deficient += rational_rank(data.H) < data.psi() ? 1 : 0;
        unique += parabola && definiteness(form).positive(data.psi()) ? 1 : 0;
    }
    evidence.check(
        Form::tested,
        unique == draws && deficient > 0,
        formatted(
            "with any lambda > 0 one minimiser: Lambda + lambda I is positive definite, and moving "
            "the minimiser by D raises risk + lambda |P|^2 by exactly |HD|^2/N + lambda |D|^2, on "
            "{} of {} random integer data sets of 1 to 7 examples, d <= 2, {} of them deficient",
            unique,
            draws,
            deficient),
        kSampled);
}

/// Deficient data: unique, and wrong for every lambda. The truth has the null vector's direction.
void check_no_certificate(Evidence& evidence) {
    const RationalParameters truth{2,
                                   2,
                                   {{unit_matrix(2, 1, 1), unit_matrix(2, 1, 2)},
                                    {-unit_matrix(2, 1, 2), unit_matrix(2, 2, 1)}}};
    const ExactProblem data = realisable_problem(exact_sequences(deficient_five()), truth);
    const RationalMatrix Z{{1, 1}, {0, 1}};
    bool always_zero = data.Y.isZero(Rational(0));
    for (const Rational& penalty : {Rational(1), Rational(1, 1000), Rational(1, 1000000)}) {
        always_zero = always_zero && ridge_minimiser(data, penalty).isZero(Rational(0));
    }
    evidence.check(
        Form::tested,
        always_zero && output(truth, Z)(0) == 1,
        "no certificate: on the five deficient inputs the truth (E_11, E_12), (-E_12, E_21) has "
        "the labels 0, the ridge minimiser is 0 for lambda = 1, 1/1000, 1/10^6, unique each time, "
        "and on " +
            to_text(Z) + " the truth gives " + to_text_vector(output(truth, Z)));
}

/// Full rank: P_lambda − P = −lambda (Lambda + lambda I)⁻¹ P, of order lambda and never 0.
void check_bias(Evidence& evidence) {
    const std::vector<RationalMatrix> six = exact_sequences(unimodular_six());
    const RationalParameters truth{2, 2, {{unit_matrix(2, 1, 1), unit_matrix(2, 1, 1)}}};
    const ExactProblem data = realisable_problem(six, truth);
    const RationalMatrix P = coefficients(truth);
    const RationalMatrix Lambda = second_moment(data.H);
    const RationalMatrix slope = rational_inverse(Lambda) * P;
    const RationalMatrix curvature = rational_inverse(Lambda) * slope;
    const Rational trace = Lambda.trace();
    bool between = true;
    std::string biases;
    for (Rational penalty(1); penalty > Rational(1, 10000000); penalty /= 10) {
        const RationalMatrix bias = ridge_minimiser(data, penalty) - P;
        const RationalMatrix rest = bias + penalty * slope;
        // The eigenvalues of Lambda lie between 0 and its trace.
        const Rational least = penalty / (trace + penalty);
        between =
            between && squared_norm(bias) >= least * least * squared_norm(P) &&
            squared_norm(bias) <= penalty * penalty * squared_norm(slope) &&
            squared_norm(rest) <= penalty * penalty * penalty * penalty * squared_norm(curvature);
        if (penalty >= Rational(1, 100)) {
            biases += formatted("{}{}", biases.empty() ? "" : ", ", bias.cwiseAbs().maxCoeff());
        }
    }
    evidence.check(
        Form::tested,
        between && risk(data, ridge_minimiser(data, Rational(1))) > 0,
        "full rank does not help: on the unimodular six with y = S_11 z_1, lambda/(tr Lambda + "
        "lambda) |P| <= |P_lambda - P| <= lambda |Lambda^-1 P| and |P_lambda - P + lambda "
        "Lambda^-1 P| <= lambda^2 |Lambda^-2 P| for lambda = 1, 1/10, ..., 10^-7; the largest "
        "errors of a coefficient at 1, 1/10, 1/100 are " +
            biases);
    const ExactProblem one{RationalMatrix{{1}}, RationalMatrix{{1}}};
    evidence.check(Form::tested,
                   ridge_minimiser(one, Rational(1, 4)) == RationalMatrix{{Rational(4, 5)}},
                   "by hand: d = n = N = 1, Z = 1, y = 1 gives 1/(1 + lambda), 4/5 at lambda = "
                   "1/4, in place of 1");
}

/// λ → 0 on deficient data: the minimum-norm minimiser of the norm that is penalised.
void check_limit(Evidence& evidence) {
    const std::vector<RationalMatrix> Z = exact_sequences(single_tokens());
    const RationalParameters truth = square_truth();
    const ExactProblem data = realisable_problem(Z, truth);
    const RationalMatrix least = least_norm(data);
    const Index rank = rational_rank(data.H);
    const RationalMatrix limit = ridge_limit(data, rank + 1);
    const RationalMatrix Lambda = second_moment(data.H);
    const std::optional<RationalMatrix> source = rational_solve(Lambda, least);
    bool bounded = source.has_value();
    for (Rational penalty(1); bounded && penalty > Rational(1, 10000000); penalty /= 10) {
        const RationalMatrix rest = ridge_minimiser(data, penalty) - least;
        const RationalMatrix image = ridge_form(data.H, penalty) * rest;
        bounded = squared_norm(rest) <= penalty * penalty * squared_norm(*source) &&
                  image == -penalty * least;
    }
    evidence.check(
        Form::tested,
        limit == least && ridge_limit(data, rank + 4) == limit && bounded,
        "five sequences of one token, (1,0), (0,1), (1,1), (1,-1), (2,1), with y = S_11 z_2, rank "
        "4 of 6: det(Lambda + lambda I)/lambda^2 times P_lambda is a polynomial of degree 3 in "
        "lambda, and its value at 0 by interpolation is that of the minimum-norm minimiser " +
            to_text_vector(least) +
            " (S_12 z_1, S_12 z_2, S_11 z_1, S_11 z_2, S_22 z_1, S_22 z_2); (Lambda + lambda "
            "I)(P_lambda - P_0) = -lambda P_0 and |P_lambda - P_0| <= lambda |Lambda^+ P_0| for "
            "lambda = 1, ..., 10^-7");
    const RationalMatrix query{{1, 1}, {0, 1}};
    const RationalMatrix h = feature_rows({query});
    const RationalMatrix symmetric = kernel_minimiser(Z, data.Y);
    const RationalMatrix packed_output = h * limit;
    const RationalMatrix symmetric_output = h * symmetric;
    evidence.check(Form::tested,
                   risk(data, limit) == 0 && risk(data, symmetric) == 0 &&
                       packed_output != symmetric_output &&
                       packed_output(0, 0) != output(truth, query)(0),
                   "so the limit is a choice of norm, not something the data say: on " +
                       to_text(query) + " the truth gives " + to_text(output(truth, query)) +
                       ", the limit with |P|_F " + to_text(packed_output) + ", with |Sym W|_F " +
                       to_text(symmetric_output) + ", all three exact on the data");
}

Evidence test_ridge(const ClaimContext& context) {
    Evidence evidence;
    check_unique(evidence, context);
    check_no_certificate(evidence);
    check_bias(evidence);
    check_limit(evidence);
    check_ridge_solvers(evidence);
    return evidence;
}

}  // namespace

Claim ridge() {
    return {
        .id = "readers/ridge",
        .place = "a reader's question",
        .printed =
            "no statement, a question: does the ridge variant (sum H H' + N lambda I)^-1 sum H y' "
            "make the certificate unnecessary?",
        .tested =
            "lambda > 0: one minimiser on any data, but not the truth: off in the null space of "
            "deficient data, by order lambda on full rank; for lambda -> 0 it tends to the "
            "minimiser of least norm",
        .depends_on = "yau2024/algorithm_1",
        .method = Method::exact,
        .explain =
            "Lambda + lambda I is positive definite, so the objective has one minimiser whatever "
            "the data: its uniqueness is that of the penalty. P_lambda - P_0 = -lambda (Lambda + "
            "lambda I)^-1 P_0 with P_0 the minimiser of least norm, so what P_0 lacks of the truth "
            "in the null space of Lambda no lambda brings back.",
        .run = test_ridge,
    };
}

}  // namespace attest::readers
