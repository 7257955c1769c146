#include "proofs_check/claims/yau2024/unitary_relations.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "tasks/associative_memory.hpp"

namespace attest::yau2024 {

namespace {

/// S_ij x_l − S_il x_j − δ_ij x_l + δ_il x_j as features, with x_l = tr(S_kk) x_l/(d + 1), for x
/// and S of the rows from `first` on.
VectorOf<Rational> relation(Index d, Index first, Index i, Index j, Index l) {
    const Index D = 2 * d;
    VectorOf<Rational> features = VectorOf<Rational>::Zero(feature_dim(D));
    const auto add = [&](Index b, Index c, Index e, const Rational& value) {
        features(pack_index(D, b, c) * D + first + e) += value;
    };
    add(first + i, first + j, l, 1);
    add(first + i, first + l, j, -1);
    for (Index m = 0; m < d; ++m) {
        add(m, m, l, i == j ? Rational(-1, d + 1) : Rational(0));
        add(m, m, j, i == l ? Rational(1, d + 1) : Rational(0));
    }
    return features;
}

/// Features that vanish on every unitary sequence, a column each: S_kk = I + q q' and S_vv = I +
/// ζζ' with |q| = 1, so S_ij x_l − S_il x_j = δ_ij x_l − δ_il x_j for x = q in the key rows and x =
/// ζ in the value rows, and x_l = tr(S_kk) x_l/(d + 1).
RationalMatrix universal_relations(Index d) {
    RationalMatrix R(feature_dim(2 * d), 2 * d * d * d);
    for (Index column = 0; column < R.cols(); ++column) {
        const Index ijl = column % (d * d * d);
        R.col(column) =
            relation(d, column < d * d * d ? 0 : d, ijl / (d * d), ijl / d % d, ijl % d);
    }
    return R;
}

RationalParameters paper_teacher(Index d) {
    RationalMatrix V = RationalMatrix::Zero(2 * d, 2 * d);
    RationalMatrix Q = V;
    V.bottomRightCorner(d, d).setIdentity();
    Q.topLeftCorner(d, d).setIdentity();
    return {2 * d, 2 * d, {{V, Q}}};
}

/// The 2d(d²−1)/3 relations hold on every unitary sequence, and the paper's teacher has no part in
/// them.
void check_relations(Evidence& evidence, const ClaimContext& context) {
    const SharedTest vanish(
        evidence,
        [&](Index d, double mixture) -> Answer {
            AssociativeMemoryOptions options;
            options.d = d;
            options.mixture = mixture;
            options.orthogonal = OrthogonalKind::rational;
            const AssociativeMemory task(options, context.stream.child("relations").child(d));
            std::vector<RationalMatrix> Z;
            for (Index i = 0; i < 4; ++i) {
                Z.push_back(task.draw_exact(i));
            }
            const RationalMatrix R = universal_relations(d);
            const RationalMatrix values = feature_rows(Z) * R;
            const RationalMatrix gram = R.transpose() * R;
            const Index rank = rational_rank(gram);
            return {values.isZero(Rational(0)) && rank == 2 * d * (d * d - 1) / 3,
                    formatted("keys with {} entries, {} sequences: {} independent combinations of "
                              "features {} on each of 4",
                              d,
                              mixture > 0.5 ? "unitary" : "Gaussian",
                              rank,
                              values.isZero(Rational(0)) ? "vanish" : "do not all vanish")};
        },
        kSampled);
    for (Index d = 2; d <= context.pick(3, 4); ++d) {
        vanish.check(Form::tested, Index{d}, 1.0);
    }
    vanish.control(Index{2}, 0.0);
    const SharedTest orthogonal(
        evidence, [](const RationalParameters& theta, const std::string& what) -> Answer {
            const RationalMatrix inner =
                universal_relations(theta.d / 2).transpose() * coefficients(theta);
            return {inner.isZero(Rational(0)),
                    formatted("keys with {} entries: {} is {}orthogonal to all of them",
                              theta.d / 2,
                              what,
                              inner.isZero(Rational(0)) ? "" : "not ")};
        });
    for (const Index d : {2, 3, 4}) {
        orthogonal.check(Form::tested, paper_teacher(d), "the paper's teacher");
    }
    orthogonal.control(random_heads(4, 4, 1, 3, context.stream.child("other")), "a random head");
}

/// d = 2 afresh, over Q: these unitary data lack exactly 2d(d²−1)/3 = 4 of 40 dimensions.
void check_nullity(Evidence& evidence, const ClaimContext& context) {
    AssociativeMemoryOptions options;
    options.d = 2;
    options.mixture = 1.0;
    options.orthogonal = OrthogonalKind::rational;
    const AssociativeMemory task(options, context.stream.child("unitary"));
    std::vector<RationalMatrix> Z;
    for (Index i = 0; i < 60; ++i) {
        Z.push_back(task.draw_exact(i));
    }
    const RationalMatrix H = feature_rows(Z);
    const RationalMatrix G = H.transpose() * H;
    const Index rank = rational_rank(G);
    evidence.check(Form::tested,
                   H.cols() - rank == 4,
                   formatted("keys and values with d = 2 entries, 60 unitary sequences over Q: "
                             "rank {} of {}, nullity 2 d (d^2 - 1)/3 = 4",
                             rank,
                             H.cols()));
}

}  // namespace

void check_unitary_relations(Evidence& evidence, const ClaimContext& context) {
    check_relations(evidence, context);
    check_nullity(evidence, context);
}

}  // namespace attest::yau2024
