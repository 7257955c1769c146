#include "core/base/text.hpp"
#include "core/exact/dyadic.hpp"
#include "core/layers/layer_heads.hpp"
#include "core/layers/parse_layer.hpp"
#include "proofs_check/claims/family/spans.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/exact/rational_sequence.hpp"

#include <algorithm>
#include <cstdint>

namespace attest::family {

namespace {

/// What is learned in the keys, φ = relu behind it.
enum class Keys : std::uint8_t {
    scaled,       ///< relu(k z), d = 1
    biased,       ///< relu(z − b), d = 1
    two_entries,  ///< relu(z_1 − b z_2), d = 2
};

std::string named(Keys keys) {
    return keys == Keys::scaled   ? "relu(k z), d = 1"
           : keys == Keys::biased ? "relu(z - b), d = 1"
                                  : "relu(z_1 - b z_2), d = 2";
}

Rational relu(const Rational& x) {
    return std::max<Rational>(x, 0);
}

/// Keys of model b = 1, 2, …; scaled ones with factors −1, 2, −3, …
Rational key(Keys keys, Index b, const Rational& z_1, const Rational& z_2) {
    return keys == Keys::scaled   ? relu((b % 2 == 0 ? b : -b) * z_1)
           : keys == Keys::biased ? relu(z_1 - b)
                                  : relu(z_1 - b * z_2);
}

/// First output of y = Σ_t z_t φ(keys(z_t)) on the tokens (x, 1) and (1, 1), their first entries
/// where d = 1. A query that puts out 1 for the last token leaves nothing else.
Rational output(Keys keys, Index b, Index x) {
    return x * key(keys, b, Rational(x), 1) + key(keys, b, 1, 1);
}

/// Accepted: m models span m dimensions already on the m inputs x = 2, …, m + 1, and on −x too.
Answer independent(Keys keys, Index m) {
    RationalMatrix values(m, 2 * m);
    for (Index b = 1; b <= m; ++b) {
        for (Index i = 0; i < m; ++i) {
            values(b - 1, i) = output(keys, b, i + 2);
            values(b - 1, m + i) = output(keys, b, -i - 2);
        }
    }
    const Index rank = rational_rank(values);
    return {rank == m, formatted("keys {}: {} models span {} dimensions", named(keys), m, rank)};
}

/// Accepted: with φ(z) = (relu(z), relu(−z)) in the file, the layer `mapped` has features that are
/// independent and of which y = Σ_t z_t relu(k z_t + b)·relu(q z) is the combination that
/// attest makes of the head Q = a(k) a(q)ᵀ, a(k) = (k⁺, k⁻), on all pairs of tokens −3 … 3.
Answer in_mapped(Index k, Index q, Index b) {
    const Layer layer = layer_named("mapped");
    const LayerInput sizes{.d = 1, .phi = 2};
    const auto parts = [](Index factor) {
        return Vector{{static_cast<double>(std::max<Index>(factor, 0)),
                       static_cast<double>(std::max<Index>(-factor, 0))}};
    };
    const LayerHeads head{{{Matrix{{1.0}}, parts(k) * parts(q).transpose(), 0}}, {}};
    const RationalMatrix P =
        coefficients(layer, sizes, 1, head).unaryExpr([](double x) { return to_rational(x); });
    bool same = true;
    for (Index first = -3; first <= 3; ++first) {
        for (Index last = -3; last <= 3; ++last) {
            const RationalMatrix Z{{first, last}};
            RationalMatrix phi(2, 2);
            phi << Z.unaryExpr([](const Rational& z) { return relu(z); }),
                Z.unaryExpr([](const Rational& z) { return relu(-z); });
            const Rational y =
                (first * relu(Rational(k * first + b)) + last * relu(Rational(k * last + b))) *
                relu(Rational(q * last));
            const RationalVector H = rational_features(layer, sizes, rational_sequence(Z, phi));
            same = same && H.dot(P.col(0)) == y;
        }
    }
    const SpanDimension span = span_dimension("mapped", sizes, {2});
    return {same && span.is(span.psi),
            formatted("y = sum z_t relu({} z_t + {}) relu({} z) as `mapped` with phi = (relu(z), "
                      "relu(-z)): equal on 49 inputs: {}; rank for free phi {} of {}",
                      k,
                      b,
                      q,
                      same ? "yes" : "no",
                      span.certified,
                      span.psi)};
}

Evidence test_learned_maps(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest unbounded(evidence, independent);
    for (const Keys keys : {Keys::biased, Keys::two_entries}) {
        for (const Index m : {4, 8, 12}) {
            unbounded.check(Form::tested, keys, Index{m});
        }
    }
    unbounded.check(Form::tested, Keys::biased, context.pick(16, 40));
    unbounded.control(Keys::scaled, Index{12});
    const SharedTest mapped(evidence, in_mapped);
    mapped.check(Form::tested, Index{-2}, Index{3}, Index{0});
    mapped.check(Form::tested, Index{1}, Index{-1}, Index{0});
    mapped.control(Index{-2}, Index{3}, Index{1});
    return evidence;
}

}  // namespace

Claim learned_maps() {
    return {
        .id = "family/learned_maps",
        .paper = "docs/families.md",
        .place = "section 3.9",
        .tested =
            "keys relu(K z) with K learned: with a bias, or from two entries on, m models span m "
            "dimensions for every m, so no finite number of features makes the layer linear. "
            "relu(k z) of one entry without a bias needs two, relu(z) and relu(-z): `mapped` "
            "learns "
            "it, as it does every map fixed before learning",
        .depends_on = "yau2024/section_6_feature_maps",
        .method = Method::exact,
        .explain =
            "On the tokens x and 1 the model with bias b = 1, 2, … puts out x relu(x - b): 0 for x "
            "<= b and not 0 at x = b + 1, so the matrix over x = 2..m + 1 is triangular with a "
            "diagonal without zeros. Two entries, the second 1, make the same. relu(k z) = k+ "
            "relu(z) + k- relu(-z) is a combination of two fixed maps.",
        .run = test_learned_maps,
    };
}

}  // namespace attest::family
