#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "proofs_check/claims/fewest_heads/statements.hpp"
#include "proofs_check/claims/fewest_heads/tangents.hpp"

namespace attest::fewest_heads {

namespace {

/// V_h → Σ_k g_hk V_k and Q_h → Σ_k f_hk Q_k.
RationalParameters mixed(const RationalParameters& theta,
                         const RationalMatrix& g,
                         const RationalMatrix& f) {
    RationalParameters result{theta.d, theta.o, {}};
    for (Index h = 0; h < theta.num_heads(); ++h) {
        RationalMatrix V = RationalMatrix::Zero(theta.o, theta.d);
        RationalMatrix Q = RationalMatrix::Zero(theta.d, theta.d);
        for (Index k = 0; k < theta.num_heads(); ++k) {
            const auto& head = theta.heads[static_cast<std::size_t>(k)];
            V += g(h, k) * head.V;
            Q += f(h, k) * head.Q;
        }
        result.heads.push_back({V, Q});
    }
    return result;
}

/// What mixes the Q_h, where g mixes the V_h.
enum class QueryMix : std::uint8_t { inverse_transpose, none };

void check_mixing(Evidence& evidence, const ClaimContext& context) {
    const SharedTest keeps(
        evidence,
        [&](QueryMix mix) -> Answer {
            const Index draws = context.pick(20, 200);
            Index kept = 0;
            for (Index draw = 0; draw < draws; ++draw) {
                const Stream stream = context.stream.child("mix").child(draw);
                const Index H = 2 + draw % 3;
                const RationalParameters theta = random_heads(3, 2, H, 9, stream.child("heads"));
                RationalMatrix g = random_integers(H, H, 3, stream.child("g"));
                g.diagonal().array() += 20;  // dominant, hence invertible
                const RationalMatrix f = mix == QueryMix::none
                                             ? RationalMatrix(RationalMatrix::Identity(H, H))
                                             : RationalMatrix(rational_inverse(g).transpose());
                const RationalParameters result = mixed(theta, g, f);
                kept += head_tensor(result) == head_tensor(theta) &&
                                result.heads[0].V != theta.heads[0].V
                            ? 1
                            : 0;
            }
            return {kept == draws,
                    formatted("V_h -> sum g_hk V_k, Q_h -> {} changes the heads and not W, for {} "
                              "of {} random integer heads and g",
                              mix == QueryMix::none ? "Q_h" : "sum (g^-T)_hk Q_k",
                              kept,
                              draws)};
        },
        kSampled);
    keeps.check(Form::tested, QueryMix::inverse_transpose);
    keeps.control(QueryMix::none);
}

/// Accepted: the tangents at heads of the dimension that counting gives them, and no two of them
/// with the same coefficients.
Answer is_locally_unique(const RationalParameters& theta) {
    const Index d = theta.d;
    const Index H = theta.num_heads();
    const Tangents found = tangents(theta);
    const bool unique = found.coefficients == found.tensors;
    return {unique && found.tensors == H * (theta.o * d + d * d) - H * H,
            formatted("d = {}, o = {}, H = {}: tangents at random integer heads have dimension {}, "
                      "their coefficients rank {}{}",
                      d,
                      theta.o,
                      H,
                      found.tensors,
                      found.coefficients,
                      unique ? ": no other W of rank H nearby" : ": not injective on them")};
}

void check_local_uniqueness(Evidence& evidence, const ClaimContext& context) {
    const SharedTest unique(evidence, is_locally_unique, kSampled);
    const Index d = 2;
    for (Index o = 2; o <= context.pick(3, 4); ++o) {
        for (Index H = 1; H <= 3; ++H) {
            const RationalParameters theta =
                random_heads(d, o, H, 99, context.stream.child("tangent").child(o).child(H));
            if (H * (o * d + d * d) - H * H <= o * feature_dim(d)) {
                unique.check(Form::tested, theta);
            } else {
                unique.control(theta);
            }
        }
    }
    // One output: the count would allow it, and q_1 z · q_2 z = q_2 z · q_1 z does not.
    unique.control(random_heads(4, 1, 2, 99, context.stream.child("tangent").child("one output")));
}

/// Whether v and w of a head V = u v', Q = w y' have one direction.
enum class Directions : std::uint8_t { two, one };

/// Accepted: V = u v', Q = w y' and V = u w', Q = v y' compute the same function by other tensors.
Answer swap_is_hidden(Directions directions, Index draws, const Stream& of_draws) {
    Index same_function = 0;
    Index other_tensor = 0;
    for (Index draw = 0; draw < draws; ++draw) {
        const Stream stream = of_draws.child(draw);
        RationalMatrix u = random_integers(3, 1, 9, stream.child("u"));
        RationalMatrix v = random_integers(3, 1, 9, stream.child("v"));
        RationalMatrix w = random_integers(3, 1, 9, stream.child("w"));
        RationalMatrix y = random_integers(3, 1, 9, stream.child("y"));
        u(0) = y(0) = 1;
        v(0) = w(0) = 10;
        v(1) = 1;
        w(1) = 2;
        if (directions == Directions::one) {
            w = 2 * v;
        }
        const RationalParameters one{3, 3, {{u * v.transpose(), w * y.transpose()}}};
        const RationalParameters swapped{3, 3, {{u * w.transpose(), v * y.transpose()}}};
        same_function += coefficients(one) == coefficients(swapped) ? 1 : 0;
        other_tensor += head_tensor(one) != head_tensor(swapped) ? 1 : 0;
    }
    return {same_function == draws && other_tensor == draws,
            formatted("V = uv', Q = wy' and V = uw', Q = vy', v and w {}: the same coefficients "
                      "{} times and different W {} times of {}{}",
                      directions == Directions::two ? "not parallel" : "parallel",
                      same_function,
                      other_tensor,
                      draws,
                      directions == Directions::two ? ", so dense heads are needed" : "")};
}

void check_rank_one_heads(Evidence& evidence, const ClaimContext& context) {
    const SharedTest hidden(evidence, swap_is_hidden, kSampled);
    const Index draws = context.pick(20, 200);
    hidden.check(Form::tested, Directions::two, draws, context.stream.child("rank one"));
    hidden.control(Directions::one, draws, context.stream.child("rank one"));
}

Evidence test_identifiable(const ClaimContext& context) {
    Evidence evidence;
    check_mixing(evidence, context);
    check_local_uniqueness(evidence, context);
    check_rank_one_heads(evidence, context);
    return evidence;
}

}  // namespace

Claim identifiable() {
    return {
        .id = "fewest_heads/identifiable",
        .paper = "docs/heads.md",
        .place = "section 5",
        .tested =
            "the heads of a function are never determined for H >= 2, as GL(H) mixes them; their "
            "tensor W is, locally, for generic heads of two outputs or more wherever the count "
            "allows it, at the sizes listed (d = 2); of one output it is not, for H >= 2",
        .method = Method::exact,
        .explain =
            "W = sum flatten(V_h) flatten(Q_h)' is a product of two factors of inner dimension H. "
            "If W -> p(W) is injective on the tangent space of the rank-H tensors at W, then W is "
            "the only one near with these coefficients (inverse function theorem); that a "
            "full rank at one integer point makes it full at generic points.",
        .run = test_identifiable,
    };
}

}  // namespace attest::fewest_heads
