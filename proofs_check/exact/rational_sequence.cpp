#include "proofs_check/exact/rational_sequence.hpp"

#include "core/base/error.hpp"
#include "core/layers/arithmetic.hpp"

namespace attest {

namespace {

std::vector<Rational> entries(const RationalMatrix& A, Index column) {
    const RationalVector v = A.col(column);
    return {v.begin(), v.end()};
}

}  // namespace

LayerSequence<Rational> rational_sequence(const RationalMatrix& Z) {
    LayerSequence<Rational> example;
    for (Index t = 0; t < Z.cols(); ++t) {
        example.tokens.push_back({entries(Z, t), {}, {}, {}});
        example.asking = example.tokens.back().z;
    }
    return example;
}

LayerSequence<Rational> rational_sequence(const RationalMatrix& Z, const RationalMatrix& phi) {
    require(Z.cols() == phi.cols(),
            "rational_sequence: got {} tokens and {} columns of phi, expected as many",
            Z.cols(),
            phi.cols());
    LayerSequence<Rational> example = rational_sequence(Z);
    for (Index t = 0; t < Z.cols(); ++t) {
        example.asking = entries(phi, t);
        example.tokens[static_cast<std::size_t>(t)].phi = example.asking;
    }
    return example;
}

RationalVector rational_features(const Layer& layer,
                                 const LayerInput& sizes,
                                 const LayerSequence<Rational>& example) {
    const std::vector<Rational> features =
        layer_features(FieldArithmetic<Rational>(), layer, sizes, example);
    return RationalVector::Map(features.data(), std::ssize(features));
}

}  // namespace attest
