#include "core/layers/formal_input.hpp"

#include "core/base/error.hpp"

namespace attest {

namespace {

/// Variables, numbered as they are asked for.
class Variables {
public:
    [[nodiscard]] std::vector<Polynomial> next(Index count) {
        std::vector<Polynomial> fresh;
        for (Index k = 0; k < count; ++k) {
            fresh.push_back(PolynomialArithmetic::variable(used_++));
        }
        return fresh;
    }

private:
    Index used_ = 0;
};

}  // namespace

LayerSequence<Polynomial> formal_input(const Layer& layer,
                                       const LayerInput& input,
                                       Index length,
                                       Index query) {
    require(query >= 0 && query < length,
            "formal input: got query {} of {} tokens, expected one of them, from 0",
            query,
            length);
    Variables variables;
    LayerSequence<Polynomial> example;
    example.asking = variables.next(layer.cross ? input.x : 0);
    for (Index t = 0; t < length; ++t) {
        LayerSequence<Polynomial>::Token token;
        token.z = variables.next(input.d);
        token.phi = variables.next(input.phi);
        token.gates = variables.next(gate_rows(layer, input));
        token.beta = variables.next(layer.form == TokenForm::delta ? 1 : 0);
        if (t == query && !layer.cross) {
            example.asking = layer.form == TokenForm::mapped ? token.phi : token.z;
        }
        example.tokens.push_back(std::move(token));
    }
    return example;
}

}  // namespace attest
