#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/features/embedded.hpp"
#include "core/model/forward.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// Σ_h Σ_{b,s,c,e} V[a,b] Z[b,s] Z[c,s] Q[c,e] Z[e,n]: the definition, entry by entry.
RationalVector by_loops(const RationalParameters& theta, const RationalMatrix& Z) {
    RationalVector y = RationalVector::Zero(theta.o);
    const Index last = Z.cols() - 1;
    for (const HeadOf<Rational>& head : theta.heads) {
        for (Index s = 0; s < Z.cols(); ++s) {
            Rational score = 0;
            for (Index c = 0; c < theta.d; ++c) {
                for (Index e = 0; e < theta.d; ++e) {
                    score += Z(c, s) * head.Q(c, e) * Z(e, last);
                }
            }
            for (Index a = 0; a < theta.o; ++a) {
                for (Index b = 0; b < theta.d; ++b) {
                    y(a) += head.V(a, b) * Z(b, s) * score;
                }
            }
        }
    }
    return y;
}

RationalParameters exchanged(const RationalParameters& theta) {
    RationalParameters swapped = theta;
    for (HeadOf<Rational>& head : swapped.heads) {
        std::swap(head.V, head.Q);
    }
    return swapped;
}

/// Another way to the output, in words and as a function of (Θ, Z).
struct Reading {
    std::string words;
    RationalVector (*output)(const RationalParameters& theta, const RationalMatrix& Z);
};

RationalVector by_definition(const RationalParameters& theta, const RationalMatrix& Z) {
    return attend_all<Rational>(theta, Z).col(Z.cols() - 1);
}

RationalVector by_moments(const RationalParameters& theta, const RationalMatrix& Z) {
    const RationalMatrix S = Z * Z.transpose();
    const RationalVector z = Z.col(Z.cols() - 1);
    return attend_moments<Rational>(theta, S, z);
}

RationalVector by_coefficients(const RationalParameters& theta, const RationalMatrix& Z) {
    return coefficients(theta).transpose() * cubic_features<Rational>(Z);
}

RationalVector by_tensor(const RationalParameters& theta, const RationalMatrix& Z) {
    const Index d = theta.d;
    const RationalMatrix X = embedded_features<Rational>(Z);
    const RationalMatrix W = head_tensor(theta);
    RationalVector y(d);
    for (Index a = 0; a < d; ++a) {
        y(a) = frobenius(W.middleRows(a * d, d), X);
    }
    return y;
}

RationalVector by_gauge(const RationalParameters& theta, const RationalMatrix& Z) {
    const RationalMatrix W = symmetric_gauge<Rational>(coefficients(theta), theta.d);
    return coefficients_of_tensor<Rational>(W, theta.d).transpose() * cubic_features<Rational>(Z);
}

RationalVector with_exchanged_matrices(const RationalParameters& theta, const RationalMatrix& Z) {
    return by_definition(exchanged(theta), Z);
}

RationalVector without_first_token(const RationalParameters& theta, const RationalMatrix& Z) {
    return by_definition(theta, Z.rightCols(Z.cols() - 1));
}

Evidence test_definition_2_1(const ClaimContext& context) {
    Evidence evidence;
    const Index models = context.pick(50, 500);
    const SharedTest agrees(
        evidence,
        [&](const Reading& reading) {
            Index agreeing = 0;
            for (Index i = 0; i < models; ++i) {
                const Stream stream = context.stream.child(i);
                const Index d = 1 + i % 4;
                const RationalParameters theta =
                    random_heads(d, d, 1 + i % 3, 3, stream.child("theta"));
                const RationalMatrix Z = random_integers(d, 2 + i % 4, 3, stream.child("Z"));
                agreeing += reading.output(theta, Z) == by_loops(theta, Z) ? 1 : 0;
            }
            return Answer{agreeing == models,
                          formatted("{} equals the five-fold sum over entries on {} of {} random "
                                    "integer models, d <= 4, n <= 5",
                                    reading.words,
                                    agreeing,
                                    models)};
        },
        kSampled);
    agrees.check(Form::printed, Reading{"sum_h V_h Z (Z' Q_h Z), last column,", by_definition});
    agrees.check(Form::printed, Reading{"the same at the query alone", output});
    agrees.check(Form::printed,
                 Reading{"<W, X_a>, X of Algorithm 8 (equations 8 and 30),", by_tensor});
    agrees.check(Form::printed, Reading{"<p_a, H(Z)> with equations 41 and 42", by_coefficients});
    agrees.check(Form::tested, Reading{"sum_h V_h S Q_h z with S = Z Z'", by_moments});
    agrees.check(Form::tested, Reading{"<p_a, H(Z)> of the symmetric gauge of P", by_gauge});
    agrees.control(Reading{"V and Q exchanged", with_exchanged_matrices});
    agrees.control(Reading{"the first token left out", without_first_token});
    return evidence;
}

}  // namespace

Claim definition_2_1() {
    return {
        .id = "yau2024/definition_2_1",
        .place = "Definition 2.1, equations 8, 30, 41 and 42",
        .printed =
            "MHLA(Z) = sum_h V_h Z (Z' Q_h Z); entry a of the last column is <W, X_a(Z)> = "
            "<p_a, H(Z)>",
        .tested = "the same, and = sum_h V_h S Q_h z with the moments S = Z Z' and z",
        .method = Method::sampled,
        .severity = Severity::none,
        .explain =
            "Associativity gives Z (Z' Q z) = S Q z. Written in entries this is linear in the "
            "numbers S_bc z_l, and S_bc = S_cb joins two terms of W in each feature.",
        .machine_checked = {"linear_attention.v: linearisation, attendE"},
        .run = test_definition_2_1,
    };
}

}  // namespace attest::yau2024
