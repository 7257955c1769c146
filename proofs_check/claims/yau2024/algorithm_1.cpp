#include "core/algebra/residual_ratio.hpp"
#include "core/exact/reals.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/features/embedded.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/singular_heads.hpp"

namespace attest::yau2024 {

namespace {

/// Row i of the regression of output a: flatten(X(Z_i)), N×d³.
RationalMatrix literal_design(const std::vector<RationalMatrix>& Z) {
    const Index d = Z.front().rows();
    RationalMatrix design(static_cast<Index>(Z.size()), d * d * d);
    for (std::size_t i = 0; i < Z.size(); ++i) {
        design.row(static_cast<Index>(i)) =
            flatten<Rational>(embedded_features<Rational>(Z[i])).transpose();
    }
    return design;
}

/// Steps (i) and (ii) over Q: Sym of P solves the literal regression with least norm.
void check_regression(Evidence& evidence, const ClaimContext& context) {
    const Index sets = context.pick(6, 30);
    Index optimal = 0;
    Index shortest = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child("set").child(i);
        const Index d = 1 + i % 3;
        const std::vector<RationalMatrix> Z =
            random_sequences(feature_dim(d) + 3, d, 2, 3, stream.child("Z"));
        const ExactProblem data{feature_rows(Z),
                                random_integers(feature_dim(d) + 3, d, 5, stream.child("y"))};
        const RationalMatrix W = symmetric_gauge<Rational>(least_squares(data), d);
        const RationalMatrix design = literal_design(Z);
        bool normal_equations = true;
        bool in_row_space = true;
        for (Index a = 0; a < d; ++a) {
            const RationalMatrix block = W.middleRows(a * d, d);
            const RationalVector w = flatten<Rational>(block);
            const RationalVector residual = design * w - data.Y.col(a);
            normal_equations =
                normal_equations && (design.transpose() * residual).isZero(Rational(0));
            in_row_space = in_row_space && rational_solve(design.transpose(), w).has_value();
        }
        optimal += normal_equations ? 1 : 0;
        shortest += in_row_space ? 1 : 0;
    }
    evidence.check(Form::printed,
                   optimal == sets,
                   formatted("least squares in psi unknowns, written as W in the symmetric gauge, "
                             "solves the regression over W in R^(d^2 x d^2) on {} of {} integer "
                             "data sets, d <= 3, without rounding",
                             optimal,
                             sets));
    evidence.check(
        Form::tested,
        shortest == sets,
        formatted("and is in the row space of its design on {}: the solution of least norm",
                  shortest));
}

/// V = Q = I: Sym W − I/2 has rank one and Sym W has eigenvalue 3/2 at vec I.
void check_one_head_truth(Evidence& evidence) {
    const RationalMatrix I = RationalMatrix::Identity(2, 2);
    const RationalMatrix W =
        symmetric_gauge<Rational>(coefficients(RationalParameters{2, 2, {{I, I}}}), 2);
    const RationalVector vec = flatten<Rational>(I);
    RationalMatrix shifted = W;
    shifted.diagonal().array() -= Rational(1, 2);
    evidence.check(Form::tested,
                   rational_rank(shifted) == 1 && W * vec == vec * Rational(3, 2),
                   "V = Q = I, d = 2: Sym W has the singular values 3/2, 1/2, 1/2, 1/2, so the "
                   "algorithm returns four heads for a truth with one");
}

/// Accepted: the head that a reading of step (iv) returns for V = E_11, Q = E_12 has the truth's
/// output (1, 0) on Z = I.
Answer reading_is_right(const std::string& words, const HeadOf<Rational>& head) {
    const RationalVector y = output({2, 2, {head}}, RationalMatrix::Identity(2, 2));
    return {y == RationalVector::Unit(2, 0),
            formatted("V = E_11, Q = E_12, Z = I: {}, the output is {}", words, to_text_vector(y))};
}

void check_readings(Evidence& evidence) {
    const RationalMatrix V = unit_matrix(2, 1, 1);
    const RationalMatrix Q = unit_matrix(2, 1, 2);
    const RationalMatrix Qt = Q.transpose();
    const RationalMatrix Vt = V.transpose();
    const SharedTest reading(evidence, reading_is_right);
    reading.check(Form::tested,
                  "V from the left singular vectors, folded row by row",
                  HeadOf<Rational>{V, Q});
    reading.control("V from the right singular vectors", HeadOf<Rational>{Q, V});
    reading.control("folded column by column", HeadOf<Rational>{Vt, Qt});
}

/// Steps (iii) and (iv) at one precision: ‖p(heads) − P‖ against 20 d² u ‖P‖.
template <class Scalar>
void check_heads(Evidence& evidence, const ClaimContext& context, const std::string& precision) {
    Scalar worst = 0;
    bool few = true;
    for (Index i = 0; i < context.pick(4, 12); ++i) {
        const Index d = 1 + i % 4;
        const Stream stream = context.stream.child("float").child(i);
        const MatrixOf<Scalar> P =
            random_integers(feature_dim(d), d, 9, stream).template cast<Scalar>();
        const ParametersOf<Scalar> heads = singular_heads<Scalar>(symmetric_gauge<Scalar>(P, d), d);
        const MatrixOf<Scalar> error = coefficients(heads) - P;
        const Scalar unit = std::numeric_limits<Scalar>::epsilon();
        const Scalar ratio = error.norm() / (P.norm() * unit * Scalar(20 * d * d));
        worst = ratio > worst ? ratio : worst;
        few = few && heads.num_heads() <= d * d;
    }
    evidence.check(Form::printed,
                   worst < Scalar(1) && few,
                   formatted("SVD of W, scales split, rows folded: at most d^2 heads, and their "
                             "coefficients are P within 20 d^2 u ||P||, u the unit in the last "
                             "place; largest share of that bound {}, d = 1 to 4",
                             worst < Scalar(1) ? "below 1" : "above 1"),
                   precision);
}

Evidence test_algorithm_1(const ClaimContext& context) {
    Evidence evidence;
    check_regression(evidence, context);
    check_heads<double>(evidence, context, "double");
    check_heads<Real50>(evidence, context, "50 digits");
    check_heads<Real100>(evidence, context, "100 digits");
    check_one_head_truth(evidence);
    check_readings(evidence);
    return evidence;
}

}  // namespace

Claim algorithm_1() {
    return {
        .id = "yau2024/algorithm_1",
        .place = "Algorithm 1",
        .printed =
            "features X; W = argmin sum_i sum_a (<W, X_ia> - y_ia)^2; W = A B' by SVD, scales "
            "split evenly; V_h = Fold(A_h), Q_h = Fold(B_h)",
        .tested =
            "with 0-based k d + l (k slow) and row-major Fold; one problem in psi unknowns for "
            "each output",
        .depends_on = "yau2024/definition_2_1 yau2024/algorithm_8",
        .method = Method::property,
        .severity = Severity::none,
        .explain =
            "The regression sees W through its coefficients P only, and decouples over the "
            "outputs. Of all W with these coefficients the symmetric one is the shortest, so "
            "it is the minimum-norm solution whenever Lambda is regular.",
        .run = test_algorithm_1,
    };
}

}  // namespace attest::yau2024
