#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

#include <algorithm>

namespace attest::depth {

namespace {

/// Sizes, and groups that share keys and values.
struct Grouped {
    Sizes sizes;
    Index groups;
};

enum class Heads : std::uint8_t { linear, softmax };

/// ad + vd + h(ad + dv) − a² − v² a group of h heads; linear: h at most ad and dv, less h².
Index grouped_layer(const Grouped& of, Heads heads) {
    const Sizes& s = of.sizes;
    const Index ad = s.a * s.d;
    const Index dv = s.d * s.v;
    const Index all = s.heads / of.groups;
    const Index h = heads == Heads::linear ? std::min({all, ad, dv}) : all;
    const Index mixed = heads == Heads::linear ? h * h : 0;
    return of.groups * (ad + dv + h * (ad + dv) - s.a * s.a - s.v * s.v - mixed);
}

/// Each head with keys and values of its own.
Index ungrouped(const Grouped& of, Heads heads) {
    return heads == Heads::linear ? linear_layer(of.sizes) : softmax_layer(of.sizes);
}

template <class Law>
std::vector<Prediction> of_groups(const std::vector<Grouped>& all,
                                  Index tokens,
                                  Heads heads,
                                  const Law& law) {
    std::vector<Prediction> said;
    said.reserve(all.size());
    for (const Grouped& each : all) {
        said.push_back({stack_of(each.sizes,
                                 [&](StackLayer& layer) {
                                     layer.groups = each.groups;
                                     layer.residual = each.sizes.layers > 1;
                                     layer.score = heads == Heads::linear ? StackScore::linear
                                                                          : StackScore::softmax;
                                 }),
                        tokens,
                        each.sizes.layers * law(each, heads)});
    }
    return said;
}

Evidence test_grouped_heads(const ClaimContext& /*context*/) {
    Evidence evidence;
    const std::vector<Grouped> linear{{{3, 1, 1, 2, 1}, 1},
                                      {{3, 2, 2, 2, 1}, 1},
                                      {{3, 1, 1, 4, 1}, 1},
                                      {{3, 1, 1, 4, 1}, 2},
                                      {{3, 2, 2, 3, 1}, 1},
                                      {{3, 1, 2, 4, 1}, 1},
                                      {{4, 2, 2, 2, 1}, 1},
                                      {{4, 1, 1, 4, 1}, 2},
                                      {{3, 1, 1, 2, 2}, 1},
                                      {{3, 2, 2, 2, 2}, 1},
                                      {{3, 1, 1, 4, 2}, 2},
                                      {{3, 2, 2, 3, 2}, 1},
                                      {{4, 2, 2, 2, 2}, 1}};
    const std::vector<Grouped> softmax{
        {{3, 1, 1, 2, 2}, 1}, {{3, 2, 2, 2, 2}, 1}, {{3, 1, 1, 4, 2}, 2}, {{4, 2, 2, 4, 1}, 2}};
    const SharedTest law(evidence, all_proved);
    const std::vector<Prediction> groups = of_groups(linear, 2, Heads::linear, grouped_layer);
    law.check(Form::tested, std::string("linear, two tokens, residual where two layers"), groups);
    law.check(Form::tested,
              std::string("softmax, three tokens, residual where two layers"),
              of_groups(softmax, 3, Heads::softmax, grouped_layer));
    law.control(std::string("linear, as if nothing were shared"),
                of_groups(linear, 2, Heads::linear, ungrouped));
    return evidence;
}

}  // namespace

Claim grouped_heads() {
    return {
        .id = "depth/grouped_heads",
        .paper = "docs/depth.md",
        .place = "Laws, heads that share keys and values",
        .tested =
            "groups of h heads that share K and V: a softmax layer has G(ad + vd + h(ad + dv) - "
            "a^2 - v^2) dimensions; a linear one, two tokens or more, G(ad + vd + h'(ad + dv) - "
            "a^2 - v^2 - h'^2), h' = min(h, ad, dv); layers with residual connections add up. For "
            "the sizes listed, (d,a,v,H/G;layers)",
        .depends_on = "depth/residual",
        .method = Method::exact,
        .explain =
            "Bases of keys and of values change once a group. Linear heads of one group mix by "
            "GL_h: the group depends on K, V and the matrix sum of O_h x Q_h, of rank h'. Each "
            "size "
            "listed is proved, and no size besides: several groups of h >= ad heads may fill more "
            "than they have room for, and then the formula is too large; what holds there is open.",
        .run = test_grouped_heads,
    };
}

}  // namespace attest::depth
