#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

#include <algorithm>

namespace attest::depth {

namespace {

/// min(d·C(d+2,3) + (t−1)·d·d²(d+1)/2, H(e − 1)) a layer.
Index fixed_decays(const Sizes& sizes, Index tokens) {
    const Index d = sizes.d;
    const Index monomials =
        d * (d * (d + 1) * (d + 2) / 6) + (tokens - 1) * (d * d * d * (d + 1) / 2);
    return sizes.layers * std::min(monomials, sizes.heads * (head_ranks(sizes) - 1));
}

Index learned_decays(const Sizes& sizes, Index tokens) {
    return fixed_decays(sizes, tokens) + sizes.layers * sizes.heads;
}

/// As without a decay.
Index as_if_all_were_one(const Sizes& sizes, Index /*tokens*/) {
    return linear_residual_stack(sizes);
}

struct Decaying {
    Sizes sizes;
    Index tokens;
};

template <class Law>
std::vector<Prediction> of_decay(const std::vector<Decaying>& all,
                                 StackDecay decay,
                                 const Law& law) {
    std::vector<Prediction> said;
    said.reserve(all.size());
    for (const Decaying& each : all) {
        said.push_back({stack_of(each.sizes,
                                 [&](StackLayer& layer) {
                                     layer.decay = decay;
                                     layer.residual = true;
                                 }),
                        each.tokens,
                        law(each.sizes, each.tokens)});
    }
    return said;
}

Evidence test_decays(const ClaimContext& /*context*/) {
    Evidence evidence;
    const std::vector<Decaying> room{{{2, 2, 2, 1, 1}, 2},
                                     {{2, 2, 2, 2, 1}, 2},
                                     {{2, 2, 2, 2, 1}, 3},
                                     {{2, 2, 2, 3, 1}, 3},
                                     {{2, 1, 1, 2, 1}, 2},
                                     {{3, 2, 2, 2, 1}, 3},
                                     {{3, 3, 3, 2, 1}, 2},
                                     {{3, 3, 3, 2, 1}, 3},
                                     {{2, 1, 1, 2, 2}, 3},
                                     {{2, 2, 2, 2, 2}, 3}};
    const std::vector<Decaying> filled{
        {{2, 2, 2, 3, 1}, 2}, {{2, 2, 2, 5, 1}, 3}, {{1, 1, 1, 3, 1}, 2}};
    const SharedTest law(evidence, all_proved);
    const std::vector<Prediction> fixed = of_decay(room, StackDecay::fixed, fixed_decays);
    law.check(Form::tested, std::string("fixed decays, two or three tokens"), fixed);
    law.check(Form::tested,
              std::string("fixed decays, filled"),
              of_decay(filled, StackDecay::fixed, fixed_decays));
    law.check(Form::tested,
              std::string("learned decays"),
              of_decay(room, StackDecay::learned, learned_decays));
    law.control(std::string("fixed decays as if all were 1"),
                of_decay(room, StackDecay::fixed, as_if_all_were_one));
    return evidence;
}

}  // namespace

Claim decays() {
    return {
        .id = "depth/decays",
        .paper = "docs/depth.md",
        .place = "Laws, heads with decays",
        .tested =
            "linear heads with different decays, t >= 2 tokens, residual connections: a layer has "
            "min(d C(d+2,3) + (t-1) d d^2(d+1)/2, H(a(2d-a) + v(2d-v) - 1)) dimensions; each "
            "learned decay adds one, at sizes that are not filled; layers add up. For the sizes "
            "listed",
        .depends_on = "depth/residual",
        .method = Method::exact,
        .explain =
            "Heads of different decays differ in every lag, so they do not mix: only bases and one "
            "scale a head are lost. Lag 0 sees cubic monomials of one token, each other lag the "
            "products x x' x x. Both are upper bounds for all sizes; each size listed is proved, "
            "at decays 2, 3, 4 and so on modulo a prime, that is for almost all decays. Control: "
            "the law without decays, under which (2,2,2,2) would have 12 for 14.",
        .run = test_decays,
    };
}

}  // namespace attest::depth
