#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/counted.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <Eigen/Cholesky>

namespace attest::yau2024 {

namespace {

/// Multiplications of each stage of least squares by normal equations.
struct Counts {
    std::int64_t moments = 0;
    std::int64_t features = 0;
    std::int64_t gram = 0;
    std::int64_t labels = 0;  ///< H y, for one output
    std::int64_t cholesky = 0;
    std::int64_t solves = 0;  ///< with both triangles, for one output

    [[nodiscard]] std::int64_t total(Index outputs) const {
        return moments + features + gram + cholesky + outputs * (labels + solves);
    }
};

/// b ← (L Lᵀ)⁻¹ b.
void solve_both(const MatrixOf<Counted>& L, VectorOf<Counted>& b) {
    for (Index i = 0; i < b.size(); ++i) {
        for (Index j = 0; j < i; ++j) {
            b(i) -= L(i, j) * b(j);
        }
        b(i) /= L(i, i);
    }
    for (Index i = b.size() - 1; i >= 0; --i) {
        for (Index j = i + 1; j < b.size(); ++j) {
            b(i) -= L(j, i) * b(j);
        }
        b(i) /= L(i, i);
    }
}

/// Runs the stages on counting numbers: N sequences of n tokens, d rows.
Counts count(Index d, Index n, Index N, const Stream& stream) {
    Counts counts;
    const Index psi = feature_dim(d);
    MatrixOf<Counted> H(psi, N);
    for (Index i = 0; i < N; ++i) {
        const Matrix Z = random_integers(d, n, 50, stream.child(i)).cast<double>();
        const MatrixOf<Counted> counted = Z.cast<Counted>();
        VectorOf<Counted> s = VectorOf<Counted>::Zero(packed_dim(d));
        counts.moments += multiplications([&] {
            for (Index t = 0; t < n; ++t) {
                add_token<Counted>(s, counted.col(t));
            }
        });
        const VectorOf<Counted> z = counted.col(n - 1);
        counts.features += multiplications([&] { H.col(i) = features_of_moments<Counted>(s, z); });
    }
    MatrixOf<Counted> G = MatrixOf<Counted>::Zero(psi, psi);
    counts.gram = multiplications([&] {
        for (Index i = 0; i < psi; ++i) {
            for (Index j = 0; j <= i; ++j) {
                G(i, j) = H.row(i).dot(H.row(j));
            }
        }
    });
    const VectorOf<Counted> y = VectorOf<Counted>::Ones(N);
    VectorOf<Counted> b(psi);
    counts.labels = multiplications([&] {
        for (Index i = 0; i < psi; ++i) {
            b(i) = H.row(i).transpose().dot(y);
        }
    });
    G.diagonal().array() += Counted(1);
    MatrixOf<Counted> L;
    counts.cholesky = multiplications([&] { L = Eigen::LLT<MatrixOf<Counted>>(G).matrixL(); });
    counts.solves = multiplications([&] { solve_both(L, b); });
    return counts;
}

void check_formulas(Evidence& evidence, const ClaimContext& context) {
    bool moments = true;
    bool rest = true;
    bool leading = true;
    for (Index d = 1; d <= context.pick(4, 5); ++d) {
        const Index psi = feature_dim(d);
        const Index N = 2 * psi;
        for (const Index n : {Index{2}, Index{8}}) {
            const Counts counts = count(d, n, N, context.stream.child(d).child(n));
            moments = moments && counts.moments == N * n * packed_dim(d);
            rest = rest && counts.features == N * psi && counts.gram == N * psi * (psi + 1) / 2 &&
                   counts.labels == N * psi && counts.solves == psi * (psi - 1);
            // Eigen multiplies blocks by −1 on the way: at most 3ψ² more.
            leading = leading && counts.cholesky >= psi * (psi * psi - 1) / 6 &&
                      counts.cholesky <= psi * psi * psi / 6 + 3 * psi * psi;
        }
    }
    evidence.check(
        Form::tested,
        moments && rest && leading,
        formatted(
            "counted multiplications, d = 1 to {}, n = 2 and 8, N = 2 psi: moments N n d(d+1)/2, "
            "features N psi, Gram N psi(psi+1)/2, Cholesky psi^3/6 and at most 3 psi^2 more; for "
            "each "
            "output N psi for its moments with the features and psi(psi-1) for two triangles",
            context.pick(4, 5)),
        "exact: counted");
}

/// The Gram matrix alone takes N d⁶/8 or more, so the ratio to N d⁴ n_max grows like d².
void check_growth(Evidence& evidence, const ClaimContext& context) {
    bool grows = true;
    std::string ratios;
    const Index largest = context.pick(4, 5);
    for (Index d = 1; d <= largest; ++d) {
        const Index N = 2 * feature_dim(d);
        const Counts counts = count(d, 2, N, context.stream.child("printed").child(d));
        grows = grows && 8 * counts.gram >= N * d * d * d * d * d * d;
        ratios +=
            formatted("{}{}", d == 1 ? "" : ", ", Rational(counts.total(d), N * d * d * d * d * 2));
    }
    const Counts shorter = count(3, 2, 36, context.stream.child("short"));
    const Counts longer = count(3, 16, 36, context.stream.child("long"));
    evidence.check(
        Form::tested,
        longer.total(3) - shorter.total(3) == Index{36} * 14 * 6,
        "the length enters through the moments alone: n = 16 in place of 2 adds N (16 - 2) "
        "d(d+1)/2 multiplications, it does not multiply the others by 8");
    evidence.check(
        Form::tested,
        grows,
        "the Gram matrix takes N psi(psi+1)/2 >= N d^6/8 multiplications; divided by N d^4 "
        "n_max that is at least d^2/(8 n_max), without bound in d; all multiplications for d "
        "outputs "
        "divided by N d^4 n_max, n_max = 2, N = 2 psi, d = 1 to " +
            std::to_string(largest) + ": " + ratios);
}

/// A bound on the number of operations for N sequences of n tokens with d rows, to excess ε.
using Law = Rational (*)(Index N, Index d, Index n, const Rational& eps);

Rational printed_law(Index N, Index d, Index n, const Rational& eps) {
    return Rational(N * d * d * d * d * n) / eps;
}

Rational normal_equations_law(Index N, Index d, Index n, const Rational& /*eps*/) {
    const Index psi = feature_dim(d);
    return Rational(N * n * packed_dim(d) + N * psi + N * psi * (psi + 1) / 2 +
                    d * (N * psi + psi * (psi - 1))) +
           Rational(psi * (psi * psi - 1), 6);
}

/// (y, ε) and (c y, c² ε) are one problem: P solves the first iff c P solves the second. Accepted:
/// the law asks for at least as many operations as there are entries to be read, for both.
Answer same_in_other_units(Law law, const std::string& name) {
    const std::vector<RationalMatrix> Z{RationalMatrix{{1}}, RationalMatrix{{2}}};
    const Rational c = 1000;
    const ExactProblem data{feature_rows(Z), RationalMatrix{{1}, {3}}};
    const ExactProblem scaled{data.H, data.Y * c};
    const RationalMatrix P{{Rational(1, 3)}};
    const RationalMatrix cP = P * c;
    const Rational excess = risk(data, P) - risk(data, least_squares(data));
    const bool same = risk(scaled, cP) - risk(scaled, least_squares(scaled)) == c * c * excess;
    const Rational before = law(2, 1, 1, Rational(1, 10));
    const Rational after = law(2, 1, 1, c * c / 10);
    return {same && before >= 2 && after >= 2,
            formatted("{}: d = n = 1, Z = 1 and 2, y = 1 and 3, eps = 1/10: {} operations; the "
                      "same in other units, y times 1000 and eps times 10^6: {}",
                      name,
                      before,
                      after)};
}

void check_units(Evidence& evidence) {
    const SharedTest units(evidence, same_in_other_units);
    units.check(Form::printed, &printed_law, "N d^4 n_max/eps");
    units.check(Form::tested, &normal_equations_law, "normal equations");
}

Evidence test_theorem_2_2_running_time(const ClaimContext& context) {
    Evidence evidence;
    check_formulas(evidence, context);
    check_growth(evidence, context);
    check_units(evidence);
    return evidence;
}

}  // namespace

Claim theorem_2_2_running_time() {
    return {
        .id = "yau2024/theorem_2_2_running_time",
        .place = "Theorem 2.2, running time",
        .printed =
            "Algorithm 1 runs in time O(N d^4 n_max/eps), eps the excess that is allowed (in the "
            "appendix: O(d^4 N/eps), without n_max)",
        .tested =
            "least squares by normal equations: N n d(d+1)/2 + N psi + N psi(psi+1)/2 + psi^3/6 "
            "multiplications to leading order, about N d^6/8 + d^9/48; d outputs add d (N psi + "
            "psi^2)",
        .deviation =
            "the printed time is that of gradient descent with 1/eps steps of N psi d, if "
            "the norm of the solution and the condition number are constants; n_max enters "
            "as a term N d^2 n_max, not as a factor",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::wrong_bound,
        .explain =
            "(y, eps) and (c y, c^2 eps) state the same problem, and the printed time falls by c^2 "
            "without bound: a factor that carries the units of eps, such as the square of the norm "
            "of the solution, is missing. Algorithm 1 asks for the minimiser of a regression in "
            "psi unknowns, whose Gram "
            "matrix alone takes N psi^2/2 multiplications and psi is d^3/2.",
        .run = test_theorem_2_2_running_time,
    };
}

}  // namespace attest::yau2024
