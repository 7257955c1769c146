#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// Polynomial features of one number x: A·(1, x, x², x³), a row for every x.
RationalMatrix polynomial_features(const RationalMatrix& A, const std::vector<Rational>& points) {
    RationalMatrix H(static_cast<Index>(points.size()), A.rows());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Rational& x = points[i];
        const RationalVector powers{{1, x, x * x, x * x * x}};
        H.row(static_cast<Index>(i)) = (A * powers).transpose();
    }
    return H;
}

/// Features of the points −2 … 3, and the coefficients that label them.
struct Model {
    RationalMatrix H;
    RationalMatrix p;
};

/// Accepted: in each of the models no other coefficients are without training loss.
Answer determined(const std::vector<Model>& models) {
    Index unique = 0;
    for (const auto& [H, p] : models) {
        const ExactProblem data{H, H * p};
        unique += rational_null_space(H).cols() == 0 && least_squares(data) == p ? 1 : 0;
    }
    return {unique == static_cast<Index>(models.size()),
            formatted("in {} of {} models the coefficients without training loss are those of the "
                      "truth",
                      unique,
                      models.size())};
}

Evidence test_lemma_e1(const ClaimContext& context) {
    Evidence evidence;
    const Index models = context.pick(20, 200);
    std::vector<Model> certified;
    std::vector<Model> deficient;
    for (Index i = 0; i < models; ++i) {
        const Stream stream = context.stream.child(i);
        const RationalMatrix A = random_integers(3, 4, 1, stream.child("A"));
        const RationalMatrix H = polynomial_features(A, {-2, -1, 0, 1, 2, 3});
        const bool positive = definiteness(second_moment(H)).positive(3);
        (positive ? certified : deficient)
            .push_back({H, random_integers(3, 2, 5, stream.child("p"))});
    }
    evidence.check(
        Form::hypothesis,
        !certified.empty(),
        formatted("E[H H'] > 0 for {} of {} random polynomial models", certified.size(), models),
        kSampled);
    const SharedTest unique(evidence, determined, kSampled);
    unique.check(Form::printed, certified);
    unique.control(deficient);
    std::vector<Model> all_but_one = certified;
    all_but_one.push_back(deficient.front());
    unique.control(all_but_one);
    const RationalMatrix twice{{0, 1, 0, 0}, {0, 1, 0, 0}};
    const RationalMatrix H = polynomial_features(twice, {-1, 0, 1, 2});
    const RationalMatrix first{{1}, {0}};
    const RationalMatrix second{{0}, {1}};
    evidence.check(
        Form::tested,
        H * first == H * second,
        "a step of the printed proof fails in general and is not needed: H = (x, x) with p "
        "= (1, 0) and p = (0, 1) are the same function with different coefficients");
    return evidence;
}

}  // namespace

Claim lemma_e1() {
    return {
        .id = "yau2024/lemma_e1",
        .place = "Lemma E.1",
        .printed =
            "model(Z)[a] = <p_a(Theta), H(Z)> with p, H polynomial, data realisable, E[H H'] > "
            "0: all empirical risk minimisers are the same function",
        .tested = "the statement; not its proof's 'equal functions if and only if equal p'",
        .method = Method::exact,
        .severity = Severity::none,
        .remark =
            "the proof's map p need not separate functions: H = (x, x) with p = (1, 0) and (0, 1). "
            "The step is not needed",
        .explain =
            "The argument of Lemma 2.3 uses of the features only that the model is linear in "
            "them.",
        .machine_checked = {"polynomial_models.v: polynomial_minimisers, polynomial_learner, "
                            "equal_coefficients_not_needed"},
        .run = test_lemma_e1,
    };
}

}  // namespace attest::yau2024
