#include "core/questions/normalised_head.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/layers/arithmetic.hpp"
#include "core/layers/formal_input.hpp"
#include "core/rng/sample.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/exact/coefficient_matrix.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "proofs_check/exact/rational_sequence.hpp"

namespace attest::family {

namespace {

/// y = (Σ_t V z_t z_tᵀ Q z) / (Σ_t z_tᵀ Q z).
using NormalisedAttention = HeadOf<Rational>;

/// One input by its features H, the products w_j z_l of the tokens' sum and the query, and, in the
/// arithmetic of both, the head's numerators and denominator.
template <class Value>
struct Fractions {
    std::vector<Value> features;
    std::vector<Value> products;
    std::vector<Value> numerators;
    Value denominator;
};

template <class Arithmetic>
Fractions<typename Arithmetic::Value> fractions(
    const Arithmetic& p,
    const NormalisedAttention& theta,
    const LayerSequence<typename Arithmetic::Value>& example) {
    const Index d = theta.Q.rows();
    Fractions<typename Arithmetic::Value> parts{
        layer_features(p, Layer{}, {.d = d}, example), {}, {}, p.zero()};
    for (std::size_t j = 0; j < example.asking.size(); ++j) {
        auto sum = p.zero();
        for (const auto& token : example.tokens) {
            sum = p.add(sum, token.z[j]);
        }
        for (std::size_t l = 0; l < example.asking.size(); ++l) {
            parts.products.push_back(p.multiply(sum, example.asking[l]));
            const Rational q = theta.Q(static_cast<Index>(j), static_cast<Index>(l));
            parts.denominator =
                p.add(parts.denominator, p.multiply(p.number(q), parts.products.back()));
        }
    }
    const RationalMatrix P = coefficients(RationalParameters{d, theta.V.rows(), {theta}});
    for (Index a = 0; a < P.cols(); ++a) {
        auto sum = p.zero();
        for (Index i = 0; i < P.rows(); ++i) {
            sum = p.add(sum,
                        p.multiply(p.number(P(i, a)), parts.features[static_cast<std::size_t>(i)]));
        }
        parts.numerators.push_back(sum);
    }
    return parts;
}

/// Times the denominator, the equation of output a: its coefficients of the oψ + d² unknowns, the
/// numerator's P and Q.
template <class Arithmetic>
std::vector<typename Arithmetic::Value> equation(const Arithmetic& p,
                                                 const Fractions<typename Arithmetic::Value>& parts,
                                                 std::size_t a) {
    std::vector<typename Arithmetic::Value> columns;
    for (std::size_t b = 0; b < parts.numerators.size(); ++b) {
        for (const auto& feature : parts.features) {
            columns.push_back(a == b ? p.multiply(feature, parts.denominator) : p.zero());
        }
    }
    for (const auto& product : parts.products) {
        columns.push_back(
            p.multiply(p.number(Rational(-1)), p.multiply(parts.numerators[a], product)));
    }
    return columns;
}

std::string named(const NormalisedAttention& theta, Index n) {
    return formatted("V = {}, Q = {}, n = {}", to_text(theta.V), to_text(theta.Q), n);
}

/// Accepted: over all inputs of n tokens the equations have a null space of the dimension said.
Answer null_space_of_all(const NormalisedAttention& theta, Index n, Index said) {
    const PolynomialArithmetic p;
    const Index d = theta.Q.rows();
    const auto parts = fractions(p, theta, formal_input(Layer{}, {.d = d}, n, n - 1));
    std::vector<std::vector<Polynomial>> equations;
    for (std::size_t a = 0; a < parts.numerators.size(); ++a) {
        equations.push_back(equation(p, parts, a));
    }
    const RationalMatrix A = coefficient_matrix(equations);
    const Index nullity = A.cols() - rational_rank(A);
    return {nullity == said,
            formatted("{}: {} unknowns, on all inputs a null space of dimension {}; said {}",
                      named(theta, n),
                      A.cols(),
                      nullity,
                      said)};
}

/// Accepted: as many sequences of n random integer tokens as there are unknowns, and ten, leave one
/// dimension, and its Q is a multiple of the head's.
Answer null_space_of_data(const NormalisedAttention& theta, Index n, const Stream& stream) {
    const FieldArithmetic<Rational> field;
    const Index d = theta.Q.rows();
    const Index unknowns = theta.V.rows() * feature_dim(d) + d * d;
    RationalMatrix A((unknowns + 10) * theta.V.rows(), unknowns);
    for (Index i = 0; i < A.rows(); i += theta.V.rows()) {
        const auto parts =
            fractions(field, theta, rational_sequence(random_integers(d, n, 9, stream.child(i))));
        for (Index a = 0; a < theta.V.rows(); ++a) {
            const auto row = equation(field, parts, static_cast<std::size_t>(a));
            A.row(i + a) = RationalVector::Map(row.data(), unknowns).transpose();
        }
    }
    const RationalMatrix null = rational_null_space(A);
    RationalMatrix pair(d * d, 2);
    pair.col(1) = theta.Q.transpose().reshaped();
    const bool one = null.cols() == 1;
    if (one) {
        pair.col(0) = null.bottomRows(d * d);
    }
    return {
        one && rational_rank(pair) == 1,
        formatted(
            "{}: {} equations from random integers leave {} dimension(s){}",
            named(theta, n),
            A.rows(),
            null.cols(),
            one ? formatted(", Q = {} up to scale", to_text_vector(null.bottomRows(d * d))) : "")};
}

/// Accepted: `attest learn --normalised`'s solver finds Q, so that it rounds to the integers
/// planted once it has their size.
Answer found_in_doubles(const NormalisedAttention& theta, const Stream& stream) {
    const Index d = theta.Q.rows();
    const Matrix V = theta.V.cast<double>();
    const Matrix Q = theta.Q.cast<double>();
    std::vector<Matrix> Z;
    Matrix y(V.rows(), 60);
    for (Index i = 0; i < y.cols(); ++i) {
        Z.push_back(grid_matrix(grid_normal(), d, 4, stream.child(i)));
        const Vector scores = Z.back().transpose() * (Q * Z.back().col(3));
        y.col(i) = V * (Z.back() * scores) / scores.sum();
    }
    const std::string what =
        formatted("Q = {}, 60 Gaussian sequences in doubles", to_text(theta.Q));
    try {
        const NormalisedHead found = fit_normalised_head(with_labels(sequences(Z), y));
        Index row = 0;
        Index column = 0;
        Q.cwiseAbs().maxCoeff(&row, &column);
        const Matrix scaled = found.Q * (Q(row, column) / found.Q(row, column));
        return {scaled.array().round().matrix() == Q, what + ": found, up to scale and rounding"};
    } catch (const NotAvailable& refusal) {
        return {false, formatted("{}: refused, {}", what, refusal.what())};
    }
}

Evidence test_normalised_head(const ClaimContext& context) {
    Evidence evidence;
    const NormalisedAttention regular{RationalMatrix{{2, -1}}, RationalMatrix{{1, 2}, {-1, 3}}};
    const NormalisedAttention rank_one{RationalMatrix{{2, -1}}, RationalMatrix{{1, 2}, {2, 4}}};
    const NormalisedAttention two_outputs{RationalMatrix{{2, -1}, {0, 0}}, regular.Q};
    const NormalisedAttention rank_two{RationalMatrix{{1, 0, 2}},
                                       RationalMatrix{{1, 2, 0}, {-1, 3, 1}, {0, 5, 1}}};
    const NormalisedAttention skew{RationalMatrix{{1, 0, 2}},
                                   RationalMatrix{{0, 1, 2}, {-1, 0, 3}, {-2, -3, 0}}};
    const NormalisedAttention scalar{RationalMatrix{{3}}, RationalMatrix{{2}}};
    const SharedTest all(evidence, null_space_of_all);
    for (const Index n : {2, 3}) {
        all.check(Form::tested, regular, n, Index{1});
        all.check(Form::tested, rank_one, n, Index{2});
        all.check(Form::tested, skew, n, Index{n == 2 ? 3 : 1});
    }
    all.check(Form::tested, two_outputs, Index{2}, Index{1});
    all.check(Form::tested, rank_two, Index{2}, Index{1});
    all.check(Form::tested, scalar, Index{2}, Index{1});
    all.control(rank_one, Index{2}, Index{1});
    all.control(skew, Index{2}, Index{1});
    all.control(regular, Index{1}, Index{1});
    const SharedTest data(evidence, null_space_of_data, kSampled);
    data.check(Form::tested, regular, Index{3}, context.stream.child("regular"));
    data.control(rank_one, Index{3}, context.stream.child("rank one"));
    const SharedTest doubles(evidence, found_in_doubles, "double");
    doubles.check(Form::tested, regular, context.stream.child("doubles"));
    doubles.control(rank_one, context.stream.child("doubles"));
    return evidence;
}

}  // namespace

Claim normalised_head() {
    return {
        .id = "family/normalised_head",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "one head with a normaliser, y = (sum V z_t z_t' Q z)/(sum z_t' Q z), V not 0: the "
            "equations (numerator) - y (denominator) = 0, linear in o psi + d^2 unknowns, have a "
            "null space of dimension one, the head up to the scale of Q, if Q has rank >= 2 or d = "
            "1, and n >= 3, or n = 2 and Q is not skew. It has dimension d if Q has rank one, "
            "d(d-1)/2 if n = 2 and Q is skew",
        .depends_on = "family/decay_rank",
        .method = Method::exact,
        .explain =
            "Times D = w'Qz, w the sum of the tokens, an equation is P_a H D = N_a w'Q'z. D is "
            "linear in the tokens before the last with coefficients Q z, which share no factor if "
            "Q has rank two, so D is irreducible. If N_a = D l, comparing the products of two "
            "tokens before the last gives V_a = 0; with one such token x, the terms z z z and x z "
            "z give V_a = 0 or z'Qz = 0. Else D divides w'Q'z: Q' = c Q, then P is c times the "
            "head's, features being independent. Q = ab': b'z cancels, and Q' = a b'' with any b'' "
            "is a solution. n = 2, Q skew: y = V x for every skew Q'. Equations are compared as "
            "polynomials, on all inputs.",
        .run = test_normalised_head,
    };
}

}  // namespace attest::family
