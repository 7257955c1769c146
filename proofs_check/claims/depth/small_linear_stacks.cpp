#include "core/base/text.hpp"
#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

namespace attest::depth {

namespace {

constexpr Index kMostHeads = 4;
constexpr Index kMostLayers = 4;

/// a, v ≤ d, H ≤ 4, L ≤ 4 at one d.
std::vector<Sizes> all_sizes(Index d) {
    std::vector<Sizes> all;
    for (Index a = 1; a <= d; ++a) {
        for (Index v = 1; v <= d; ++v) {
            for (Index heads = 1; heads <= kMostHeads; ++heads) {
                for (Index layers = 1; layers <= kMostLayers; ++layers) {
                    all.push_back({d, a, v, heads, layers});
                }
            }
        }
    }
    return all;
}

enum class Connections : std::uint8_t { none, residual };

using Law = Index (*)(const Sizes&);

/// As if nothing were lost between layers, nor to heads that mix.
Index heads_and_layers_add_up(const Sizes& sizes) {
    return sizes.layers * sizes.heads * (head_ranks(sizes) - 1);
}

/// Accepted: each dimension is proved, and is what the law says.
Answer sweep(Index d, Connections connections, Law law) {
    Index stacks = 0;
    Index by_symmetries = 0;
    Index by_bounds = 0;
    Index exceptions = 0;
    std::string first;
    for (const Sizes& sizes : all_sizes(d)) {
        const StackDimension found =
            dimension({stack_of(sizes,
                                [&](StackLayer& layer) {
                                    layer.residual = connections == Connections::residual;
                                }),
                       2});
        ++stacks;
        by_symmetries += found.proof == DimensionProof::symmetries ? 1 : 0;
        by_bounds += found.proof == DimensionProof::bound ? 1 : 0;
        if (found.proof == DimensionProof::none || found.rank != law(sizes)) {
            first = exceptions++ > 0 ? first
                                     : formatted(", the first ({},{},{},{};{})",
                                                 sizes.d,
                                                 sizes.a,
                                                 sizes.v,
                                                 sizes.heads,
                                                 sizes.layers);
        }
    }
    return {exceptions == 0,
            formatted("d = {}, {} residual connections: {} stacks, {} proved by symmetries, {} by "
                      "bounds; {} exceptions{}",
                      d,
                      connections == Connections::residual ? "with" : "without",
                      stacks,
                      by_symmetries,
                      by_bounds,
                      exceptions,
                      first)};
}

Evidence test_small_linear_stacks(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest all(evidence, sweep);
    for (Index d = 1; d <= context.pick(3, 5); ++d) {
        all.check(Form::tested, d, Connections::none, &linear_stack);
        all.check(Form::tested, d, Connections::residual, &linear_residual_stack);
    }
    all.control(Index{2}, Connections::none, &heads_and_layers_add_up);
    return evidence;
}

}  // namespace

Claim small_linear_stacks() {
    return {
        .id = "depth/small_linear_stacks",
        .paper = "docs/depth.md",
        .place = "Laws, every small linear stack",
        .tested =
            "every stack of linear attention with d <= 5, a and v <= d, H <= 4 and at most 4 "
            "layers, with residual connections or without, at two tokens: its dimension is "
            "that of depth/residual and depth/without_residual, proved, without an exception. The "
            "quick profile goes to d = 3",
        .depends_on = "depth/one_linear_layer depth/residual depth/without_residual",
        .method = Method::exact,
        .explain =
            "The laws are upper bounds for all sizes; a rank modulo a prime is a lower one. Where "
            "they meet, or where the symmetries' rank does the same, the dimension is proved. "
            "Exceptions would be counted, and the first one named. The full profile goes through "
            "1760 stacks.",
        .run = test_small_linear_stacks,
    };
}

}  // namespace attest::depth
