#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// A fixed map of tokens to three numbers: φ(z) = (1, z_1 z_2, z_1² + z_2).
RationalVector fixed_map(const RationalVector& z) {
    return RationalVector{{Rational(1), z(0) * z(1), z(0) * z(0) + z(1)}};
}

RationalMatrix mapped(const RationalMatrix& Z) {
    RationalMatrix F(3, Z.cols());
    for (Index t = 0; t < Z.cols(); ++t) {
        F.col(t) = fixed_map(Z.col(t));
    }
    return F;
}

/// Σ_h V_h Z φ(Z)ᵀ Q_h φ(z), V_h d×d, Q_h m×m.
RationalVector mapped_layer(const RationalParameters& theta, const RationalMatrix& Z) {
    const RationalMatrix F = mapped(Z);
    RationalVector y = RationalVector::Zero(Z.rows());
    for (const HeadOf<Rational>& head : theta.heads) {
        y += head.V * (Z * (F.transpose() * (head.Q * F.col(F.cols() - 1))));
    }
    return y;
}

/// (Z φ(Z)ᵀ)[j,k] φ(z)_l: d m² features, or without the last feature of the query.
RationalVector mapped_features(const RationalMatrix& Z, Index query_features) {
    const RationalMatrix F = mapped(Z);
    const RationalMatrix M = Z * F.transpose();
    std::vector<Rational> list;
    for (Index j = 0; j < M.rows(); ++j) {
        for (Index k = 0; k < M.cols(); ++k) {
            for (Index l = 0; l < query_features; ++l) {
                list.push_back(M(j, k) * F(l, F.cols() - 1));
            }
        }
    }
    return Eigen::Map<RationalVector>(list.data(), static_cast<Index>(list.size()));
}

/// Accepted: least squares on these features fits the labels of a random layer exactly, and their
/// second moment is regular, so that every minimiser is the teacher.
Answer learns_fixed(const Stream& stream, Index query_features) {
    RationalParameters theta{2, 2, {}};
    for (Index h = 0; h < 2; ++h) {
        theta.heads.push_back({random_integers(2, 2, 3, stream.child("V").child(h)),
                               random_integers(3, 3, 3, stream.child("Q").child(h))});
    }
    const Index psi = Index{2} * 3 * query_features;
    const std::vector<RationalMatrix> Z = random_sequences(psi + 6, 2, 3, 4, stream.child("Z"));
    RationalMatrix H(psi + 6, psi);
    RationalMatrix y(psi + 6, 2);
    for (Index i = 0; i < H.rows(); ++i) {
        H.row(i) = mapped_features(Z[static_cast<std::size_t>(i)], query_features).transpose();
        y.row(i) = mapped_layer(theta, Z[static_cast<std::size_t>(i)]).transpose();
    }
    const ExactProblem data{H, y};
    const Index rank = rational_rank(H);
    const Rational loss = risk(data, least_squares(data));
    return {loss == 0 && rank == psi,
            formatted("keys and queries phi(z) = (1, z_1 z_2, z_1^2 + z_2), two heads: least "
                      "squares on {} features of {} random sequences: rank {}, training loss {}",
                      psi,
                      H.rows(),
                      rank,
                      loss == 0 ? "0" : "above 0")};
}

/// d = 1, keys φ(k z), φ(x) = 1/(1 + x²): the values at x = 1, …, m for k = 1, …, m. Accepted: they
/// span at most `features` dimensions, so that so many features would do.
Answer few_dimensions(bool learned_projection, Index m) {
    constexpr Index kFeatures = 1;
    RationalMatrix values(m, m);
    for (Index k = 0; k < m; ++k) {
        for (Index x = 0; x < m; ++x) {
            const Rational at = learned_projection ? Rational((k + 1) * (x + 1)) : Rational(x + 1);
            values(k, x) = Rational(learned_projection ? 1 : k + 1) / (1 + at * at);
        }
    }
    const Index rank = rational_rank(values);
    return {rank <= kFeatures,
            formatted("d = 1, phi(x) = 1/(1 + x^2), keys {}: {} models span {} dimensions",
                      learned_projection ? "phi(k z), k learned" : "k phi(z)",
                      m,
                      rank)};
}

Evidence test_section_6_feature_maps(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest dimensions(evidence, few_dimensions);
    dimensions.check(Form::printed, true, Index{8});
    dimensions.check(Form::tested, false, Index{8});
    const SharedTest fixed(evidence, learns_fixed, kSampled);
    fixed.check(Form::tested, context.stream, Index{3});
    fixed.control(context.stream, Index{2});
    return evidence;
}

}  // namespace

Claim section_6_feature_maps() {
    return {
        .id = "yau2024/section_6_feature_maps",
        .place = "Section 6",
        .printed =
            "the theory extends trivially when arbitrary feature maps phi are applied to keys and "
            "queries",
        .tested =
            "it does for a fixed phi of the tokens, sum_h V_h Z phi(Z)' Q_h phi(z): linear in the "
            "d m^2 features (Z phi(Z)')_jk phi(z)_l, with a certificate of their own",
        .deviation =
            "with phi applied after learned projections, phi(K z), as attention kernels do, the "
            "layer is linear in no finite set of features",
        .depends_on = "yau2024/lemma_e1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::convention,
        .explain =
            "Between fixed features the argument of Lemma E.1 goes through word by word. The "
            "functions 1/(1 + k^2 x^2), k = 1, 2, …, are linearly independent, so no psi is large "
            "enough for all k; the rank grows with every value that is added.",
        .run = test_section_6_feature_maps,
    };
}

}  // namespace attest::yau2024
