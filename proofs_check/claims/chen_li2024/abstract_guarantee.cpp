#include "core/base/text.hpp"
#include "proofs_check/claims/chen_li2024/planted_run.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"

namespace attest::chen_li2024 {

namespace {

/// Two dense heads on Gaussian pairs of tokens.
SoftmaxAttentionOptions layer(Index d, double norm) {
    SoftmaxAttentionOptions options;
    options.teacher.d = d;
    options.teacher.norm = norm;
    return options;
}

Evidence test_abstract_guarantee(const ClaimContext& context) {
    Evidence evidence;
    const Index d = context.pick(4, 6);
    const Index examples = context.pick(1000, 40000);
    // Of 33 layers two may fail, of 40 four.
    const Index layers = context.pick(33, 40);
    const FindsMost found(evidence, 2);
    for (const double norm : {1.0, 3.0}) {
        found.check(formatted("d = {}, {} examples, norm {}", d, examples, norm),
                    planted_successes(layer(d, norm),
                                      examples,
                                      layers,
                                      context.stream.child(norm < 2.0 ? "small" : "large")));
    }
    found.control(formatted("d = {}, 60 examples, norm 3", d),
                  planted_successes(layer(d, 3.0), 60, layers, context.stream.child("starved")));
    return evidence;
}

}  // namespace

Claim guarantee() {
    return {
        .id = "chen_li2024/abstract_guarantee",
        .paper = "arXiv 2402.04084",
        .place = "Abstract",
        .printed =
            "(from the public abstract) m softmax heads with non-degenerate parameters are learned "
            "to small error from random labelled examples with uniform +-1 entries in time "
            "(dk)^O(m^3), k the length",
        .tested =
            "from Gaussian sequences of two tokens the six phases, before any local optimisation, "
            "find Theta_i and W_i of most layers of two dense heads (norm 1 and 3, sum of the W_i "
            "well conditioned), told m and a bound on the norms, 1.5 times the largest",
        .deviation =
            "the guarantee is asymptotic; tested is this project's completion of the algorithm at "
            "fixed sizes, on Gaussian inputs, to which the abstract extends it. With uniform signs "
            "at the same d = 4 and two tokens it finds no layer (control of continuous_inputs); it "
            "does at d = 6",
        .depends_on =
            "chen_li2024/crude_sum_bias chen_li2024/rows_injective "
            "chen_li2024/least_norm_identity",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "Crude sum, sculpting, refined sum, re-sculpting, hull and net search run on planted "
            "layers. Found means: the net's winner predicts held-out labels to 3 % of their square "
            "and its parameters are within 30 %. Most means more than half of all layers: so many "
            "successes have probability at most 5e-7 for a fair coin.",
        .run = test_abstract_guarantee,
    };
}

}  // namespace attest::chen_li2024
