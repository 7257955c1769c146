#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

namespace attest::depth {

namespace {

/// d² between each two, whatever H·v is.
Index without_bottlenecks(const Sizes& sizes) {
    return sizes.layers * linear_layer(sizes) - (sizes.layers - 1) * sizes.d * sizes.d;
}

Evidence test_without_residual(const ClaimContext& /*context*/) {
    Evidence evidence;
    const auto plain = [](StackLayer&) {};
    const std::vector<Sizes> wide{{2, 1, 2, 1, 2},
                                  {2, 2, 2, 1, 2},
                                  {2, 2, 2, 1, 3},
                                  {2, 2, 2, 2, 2},
                                  {2, 2, 2, 2, 3},
                                  {3, 1, 1, 3, 2},
                                  {3, 1, 2, 2, 2},
                                  {3, 2, 3, 1, 2},
                                  {3, 2, 3, 1, 3},
                                  {3, 3, 3, 1, 2},
                                  {4, 2, 2, 2, 2},
                                  {4, 2, 2, 2, 3}};
    const std::vector<Sizes> narrow{{2, 1, 1, 1, 2},
                                    {2, 1, 1, 1, 3},
                                    {3, 1, 1, 1, 2},
                                    {3, 1, 1, 1, 3},
                                    {3, 1, 2, 1, 2},
                                    {3, 1, 1, 2, 2},
                                    {3, 2, 2, 1, 2},
                                    {3, 2, 2, 1, 3},
                                    {4, 1, 1, 2, 2},
                                    {4, 2, 1, 2, 2}};
    const SharedTest law(evidence, all_proved);
    law.check(
        Form::tested, std::string("H v at least d"), predictions(wide, 2, plain, linear_stack));
    const std::vector<Prediction> bottlenecks = predictions(narrow, 2, plain, linear_stack);
    law.check(Form::tested, std::string("H v below d"), bottlenecks);
    law.control(std::string("H v below d, bottlenecks forgotten"),
                predicted_by(narrow, bottlenecks, without_bottlenecks));
    return evidence;
}

}  // namespace

Claim without_residual() {
    return {
        .id = "depth/without_residual",
        .paper = "docs/depth.md",
        .place = "Laws, linear layers without residual connections",
        .tested =
            "L linear layers without residual connections, two tokens or more, r_l = min(d, H v) "
            "numbers between layers, r_0 = r_L = d: the dimension is the sum of what each layer "
            "has "
            "as a map from r_(l-1) to r_l numbers, less r_l^2 between each two; for the sizes "
            "listed",
        .depends_on = "depth/one_linear_layer",
        .method = Method::exact,
        .explain =
            "Upper bound, for all such sizes: what a layer puts out lies in the column space of "
            "its O, of dimension r_l, so the stack is one through r_l numbers; a basis change of "
            "those is undone by the next layer, and acts freely where the r_l components of the "
            "layer are independent. Equality is proved for each size listed. Control: with d^2 "
            "between layers even where H v < d, (2,1,1,1;2) would have 4 for 5.",
        .run = test_without_residual,
    };
}

}  // namespace attest::depth
