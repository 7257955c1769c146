#include "core/base/text.hpp"
#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

namespace attest::depth {

namespace {

/// Attention of one kind, with its law for one layer.
struct Attention {
    const char* name;
    StackScore score;
    Index (*layer)(const Sizes&);
};

constexpr Attention kLinear{"linear", StackScore::linear, linear_layer};
constexpr Attention kSoftmax{"softmax", StackScore::softmax, softmax_layer};

/// Gains and residual connections: layers add up, and a final gain has d more.
std::vector<Prediction> with_gains(const Attention& attention, Index lost_between) {
    const std::vector<Sizes> sizes{{3, 2, 2, 1, 1}, {3, 1, 1, 2, 2}, {2, 1, 2, 1, 2}};
    const auto change = [&](StackLayer& layer) {
        layer.score = attention.score;
        layer.residual = true;
        layer.norm = StackNorm::rms_gain;
    };
    std::vector<Prediction> said = predictions(sizes, 3, change, [&](const Sizes& s) {
        return s.layers * attention.layer(s) - (s.layers - 1) * lost_between;
    });
    Prediction with_final = said[1];
    with_final.shape.final_norm = StackNorm::rms_gain;
    with_final.said += with_final.shape.d;
    said.push_back(with_final);
    return said;
}

/// No gain and no residual connection: rotations are lost between layers, and a scale if ε = 0.
std::vector<Prediction> rotated(const Attention& attention,
                                const std::vector<Sizes>& sizes,
                                double epsilon) {
    const auto change = [&](StackLayer& layer) {
        layer.score = attention.score;
        layer.norm = StackNorm::rms;
        layer.epsilon = epsilon;
    };
    return predictions(sizes, 3, change, [&](const Sizes& s) {
        const Index scale = epsilon > 0.0 ? 0 : 1;
        return s.layers * attention.layer(s) - (s.layers - 1) * (s.d * (s.d - 1) / 2 + scale);
    });
}

/// Accepted: doubles see a rank below the bound that is proved, by as much as is said.
Answer falls_short(const Prediction& prediction, Index by) {
    const StackDimension found = dimension({prediction.shape, prediction.tokens});
    return {found.upper == prediction.said && found.rank + by == found.upper,
            formatted("linear, one head, d = {}, a = 1, epsilon = 0: rank {} in doubles, at most "
                      "{}, by the law {}",
                      prediction.shape.d,
                      found.rank,
                      found.upper,
                      prediction.said)};
}

Evidence test_norms(const ClaimContext& /*context*/) {
    Evidence evidence;
    const std::vector<Sizes> sizes{{2, 1, 2, 1, 2}, {3, 1, 3, 1, 2}, {3, 1, 2, 2, 2}};
    const std::vector<Sizes> one_key{{2, 1, 2, 1, 2}, {3, 1, 3, 1, 2}};
    const std::vector<Sizes> two_heads{{3, 1, 2, 2, 2}};
    const SharedTest law(evidence, all_met, kMetInDoubles);
    for (const Attention& attention : {kLinear, kSoftmax}) {
        const std::string name = attention.name;
        law.check(Form::tested, name + ", gains, residual", with_gains(attention, 0));
        law.check(Form::tested, name + ", epsilon 1/2", rotated(attention, sizes, 0.5));
        law.check(
            Form::tested,
            name + ", epsilon 0",
            rotated(attention, attention.score == StackScore::linear ? two_heads : sizes, 0.0));
    }
    law.control(std::string("softmax, gains, residual, a scale lost between layers"),
                with_gains(kSoftmax, 1));
    const SharedTest short_of(evidence, falls_short, kMetInDoubles);
    const std::vector<Prediction> fails = rotated(kLinear, one_key, 0.0);
    short_of.check(Form::tested, fails[0], Index{1});
    short_of.check(Form::tested, fails[1], Index{2});
    short_of.control(fails[0], Index{0});
    return evidence;
}

}  // namespace

Claim norms() {
    return {
        .id = "depth/norms",
        .paper = "docs/depth.md",
        .place = "Laws, RMS norms",
        .tested =
            "RMS norms before attention, linear or softmax, three tokens: with gains and residual "
            "connections the dimension is that without norms, and a final gain adds d; without "
            "either it is the sum of the layers' less d(d-1)/2 between each two, and 1 less if "
            "epsilon = 0. The last fails for one linear head with a = 1: (2,1,2,1;2) has 9 for 10, "
            "(3,1,3,1;2) 20 for 22, in doubles",
        .depends_on = "depth/residual depth/softmax_stacks",
        .method = Method::property,
        .explain =
            "Upper bounds are proved for all sizes, by fields: gains against the columns that "
            "read them, and rotations between layers, as |Rx| = |x|. That they are met is seen in "
            "doubles at the sizes listed, by a gap of singular values, and is no proof. With a = "
            "H = 1 and a linear score all tokens of a layer are parallel, so that a norm with "
            "epsilon = 0 leaves nothing but their signs, and the query is lost.",
        .run = test_norms,
    };
}

}  // namespace attest::depth
