#include "proofs_check/checker/digest.hpp"
#include "proofs_check/checker/verify.hpp"

namespace attest::checker {
namespace {
/// Of the line `layer`; the paper's where there is none.
Layer read_layer(Reader& in) {
    if (in.rest().substr(0, in.rest().find(' ')) != "layer") {
        return {};
    }
    in.expect("layer ");
    const std::string text(in.rest());
    const std::optional<Layer> layer = parse_layer(text);
    in.require(layer.has_value(), "not the canonical text of a layer");
    in.expect(text + '\n');
    Layer found = *layer;
    found.plain = false;
    return found;
}
}  // namespace

std::string verify(std::string_view proof, const Problem& problem) {
    const auto& [data, queries] = problem;
    Reader in(proof);
    in.expect("attest-proof 1\n");
    in.expect("data " + describe(data) + '\n');
    const Layer layer = read_layer(in);
    const std::string alone = misfit(layer, data, Dataset{});
    in.require(alone.empty(), alone);
    const bool queried = queries.num_examples > 0;
    in.expect(queried ? "queries " + describe(queries) + '\n' : "");
    const std::string together = misfit(layer, data, queries);
    in.require(together.empty(), together);
    in.expect("claim ");
    std::string claim(in.rest());
    const Table table{data, queries, layer};
    check_claim(in, table);
    return claim;
}
}  // namespace attest::checker
