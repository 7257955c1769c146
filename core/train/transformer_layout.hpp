#pragma once

#include "core/algebra/matrix.hpp"

#include <vector>

namespace attest {

struct TransformerShape {
    Index d = 0;       ///< entries of a token
    Index o = 0;       ///< outputs
    Index length = 0;  ///< positions that are learned
    Index layers = 2;
    Index width = 64;
    Index heads = 4;
    Index hidden = 256;  ///< of the MLP
};

/// One matrix of parameters within θ, column-major, and how its entries start.
struct ParameterBlock {
    Index offset = 0;
    Index rows = 0;
    Index cols = 0;
    double mean = 0.0;       ///< at the start
    double deviation = 0.0;  ///< at the start; 0: all entries start at the mean
};

struct TransformerLayer {
    ParameterBlock attention_gain, attention_shift;  ///< layer norm before attention
    ParameterBlock query, key, value, output;        ///< width×width, without bias
    ParameterBlock mlp_gain, mlp_shift;              ///< layer norm before the MLP
    ParameterBlock up, up_bias, down, down_bias;     ///< hidden×width, width×hidden
};

/// Where every parameter of a pre-LN transformer stands in θ. Weights start with variance 1 over
/// their inputs, those that write into the residual stream divided by √(2·layers) (Radford et al.
/// 2019), positions with 0.02, the last matrix and the biases with 0.
struct TransformerLayout {
    /// Throws InvalidInput unless all sizes are positive and the heads divide the width.
    explicit TransformerLayout(const TransformerShape& shape);

    ParameterBlock input;      ///< width×d
    ParameterBlock positions;  ///< width×length
    std::vector<TransformerLayer> layers;
    ParameterBlock final_gain, final_shift;
    ParameterBlock head, head_bias;   ///< o×width
    std::vector<ParameterBlock> all;  ///< every block, in order
    Index size = 0;                   ///< of θ
};

template <class Scalar>
[[nodiscard]] Eigen::Map<const MatrixOf<Scalar>> block_of(const VectorOf<Scalar>& theta,
                                                          const ParameterBlock& block) {
    return {theta.data() + block.offset, block.rows, block.cols};
}

template <class Scalar>
[[nodiscard]] Eigen::Map<MatrixOf<Scalar>> block_of(VectorOf<Scalar>& theta,
                                                    const ParameterBlock& block) {
    return {theta.data() + block.offset, block.rows, block.cols};
}

}  // namespace attest
