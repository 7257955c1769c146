#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

#include <algorithm>

namespace attest::depth {

namespace {

/// Sizes, and an MLP of `width` neurons behind the attention.
struct WithMlp {
    Sizes sizes;
    Index width;
};

/// L·(one linear layer + min(m(2d−1), d·monomials)).
Index with_mlp(const WithMlp& of, Activation activation) {
    const Index d = of.sizes.d;
    const Index monomials =
        activation == Activation::square ? d * (d + 1) / 2 : d * (d + 1) * (d + 2) / 6;
    return of.sizes.layers *
           (linear_layer(of.sizes) + std::min(of.width * (2 * d - 1), d * monomials));
}

/// No scale lost between W₁ and W₂.
Index forgets_scales(const WithMlp& of, Activation /*activation*/) {
    return of.sizes.layers * (linear_layer(of.sizes) + of.width * 2 * of.sizes.d);
}

template <class Law>
std::vector<Prediction> of_mlp(const std::vector<WithMlp>& all,
                               Activation activation,
                               const Law& law) {
    std::vector<Prediction> said;
    said.reserve(all.size());
    for (const WithMlp& each : all) {
        said.push_back({stack_of(each.sizes,
                                 [&](StackLayer& layer) {
                                     layer.residual = true;
                                     layer.activation = activation;
                                     layer.width = each.width;
                                 }),
                        2,
                        law(each, activation)});
    }
    return said;
}

Evidence test_polynomial_mlp(const ClaimContext& /*context*/) {
    Evidence evidence;
    const std::vector<WithMlp> squares{{{2, 1, 1, 1, 1}, 2},
                                       {{3, 1, 1, 2, 1}, 2},
                                       {{3, 1, 1, 2, 2}, 2},
                                       {{3, 1, 1, 2, 2}, 3},
                                       {{2, 1, 1, 1, 2}, 3},
                                       {{2, 1, 1, 1, 1}, 4},
                                       {{3, 2, 2, 1, 2}, 4},
                                       {{3, 1, 1, 1, 1}, 2},
                                       {{3, 1, 1, 1, 1}, 3},
                                       {{3, 1, 1, 1, 1}, 4},
                                       {{3, 1, 1, 1, 1}, 6}};
    const std::vector<WithMlp> cubes{{{2, 1, 1, 1, 1}, 2},
                                     {{3, 1, 1, 2, 1}, 2},
                                     {{3, 1, 1, 2, 2}, 2},
                                     {{2, 1, 1, 1, 2}, 3},
                                     {{2, 1, 1, 1, 1}, 4},
                                     {{3, 2, 2, 1, 2}, 4}};
    const SharedTest law(evidence, all_proved);
    law.check(Form::tested, std::string("squares"), of_mlp(squares, Activation::square, with_mlp));
    law.check(Form::tested, std::string("cubes"), of_mlp(cubes, Activation::cube, with_mlp));
    law.control(std::string("squares, scales of neurons forgotten"),
                of_mlp(squares, Activation::square, forgets_scales));
    return evidence;
}

}  // namespace

Claim polynomial_mlp() {
    return {
        .id = "depth/polynomial_mlp",
        .paper = "docs/depth.md",
        .place = "Laws, MLPs of squares and cubes",
        .tested =
            "linear attention, and behind it an MLP of m neurons with squares or cubes, residual "
            "connections, no biases, two tokens: L(D_1 + min(m(2d-1), d M)) dimensions, D_1 those "
            "of the attention, M = d(d+1)/2 squares or C(d+2,3) cubes. For the sizes listed, "
            "(d,a,v,H,m;layers)",
        .depends_on = "depth/residual",
        .method = Method::exact,
        .explain =
            "A neuron is W2_i (w_i'x)^k: 2d parameters less a scale, and all of them lie in the "
            "space of d polynomials. Both bounds hold for all sizes. Equality is proved where it "
            "is listed; where m(2d-1) is near d M it need not hold, as sums of powers of linear "
            "forms have exceptions there (Alexander and Hirschowitz).",
        .run = test_polynomial_mlp,
    };
}

}  // namespace attest::depth
