#include "core/layers/layer_heads.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"

namespace attest {

namespace {

/// The share of a coefficient that M_jk has: a pair's is split evenly between (j,k) and (k,j).
double share_of_entry(const SumShape& shape, Index j, Index k) {
    return shape.symmetric && j != k ? 0.5 : 1.0;
}

void require_heads(const Layer& layer) {
    require(has_heads(layer), "layer {}: has no heads, only coefficients", to_string(layer));
}

}  // namespace

bool has_heads(const Layer& layer) {
    return layer.form == TokenForm::square || layer.has_own_keys();
}

Index entry_of_sum(const SumShape& shape, Index j, Index k) {
    return shape.symmetric ? pack_index(shape.rows, j, k) : j * shape.columns + k;
}

SumShape sum_shape(const Layer& layer, const LayerInput& input) {
    require_heads(layer);
    const Index D = input.d + (layer.affine ? 1 : 0);
    if (layer.has_own_keys()) {
        return {D, input.phi, false};
    }
    return {D, D, layer.gates != GateForm::vector};
}

Matrix coefficients(const Layer& layer, const LayerInput& input, Index o, const LayerHeads& heads) {
    const FeatureLayout layout = layout_of(layer, input);
    const SumShape shape = sum_shape(layer, input);
    const Index m = layout.m();
    const Index size = summand_size(layer, input);
    Matrix P = Matrix::Zero(layout.psi(), o);
    for (const LayerHead& head : heads.heads) {
        const bool fits = head.V.rows() == o && head.V.cols() == shape.rows &&
                          head.Q.rows() == shape.columns && head.Q.cols() == m &&
                          head.kernel >= 0 && head.kernel < num_sums(layer);
        require(fits,
                "layer {}: got a head with V {}x{}, Q {}x{}, kernel {}, expected {}x{}, {}x{}, "
                "kernel below {}",
                to_string(layer),
                head.V.rows(),
                head.V.cols(),
                head.Q.rows(),
                head.Q.cols(),
                head.kernel,
                o,
                shape.rows,
                shape.columns,
                m,
                num_sums(layer));
        for (Index j = 0; j < shape.rows; ++j) {
            for (Index k = 0; k < shape.columns; ++k) {
                const Index state = head.kernel * size + entry_of_sum(shape, j, k);
                P.middleRows(state * m, m) += head.Q.row(k).transpose() * head.V.col(j).transpose();
            }
        }
    }
    if (heads.direct.size() > 0) {
        require(layer.affine && heads.direct.rows() == o && heads.direct.cols() == m,
                "layer {}: got direct {}x{}, expected {}x{}",
                to_string(layer),
                heads.direct.rows(),
                heads.direct.cols(),
                layer.affine ? o : 0,
                layer.affine ? m : 0);
        P.bottomRows(m) += heads.direct.transpose();
    }
    return P;
}

Matrix tensor_of_sum(const Layer& layer, const LayerInput& input, const Matrix& P, Index g) {
    const FeatureLayout layout = layout_of(layer, input);
    const SumShape shape = sum_shape(layer, input);
    const Index m = layout.m();
    const Index first = g * summand_size(layer, input);
    require(P.rows() == layout.psi() && g >= 0 && g < num_sums(layer),
            "tensor_of_sum: P has {} rows, expected {}",
            P.rows(),
            layout.psi());
    Matrix W(P.cols() * shape.rows, shape.columns * m);
    for (Index a = 0; a < P.cols(); ++a) {
        for (Index j = 0; j < shape.rows; ++j) {
            for (Index k = 0; k < shape.columns; ++k) {
                const Index at = first + entry_of_sum(shape, j, k);
                const double share = share_of_entry(shape, j, k);
                for (Index l = 0; l < m; ++l) {
                    W(a * shape.rows + j, k * m + l) = share * P(at * m + l, a);
                }
            }
        }
    }
    return W;
}

}  // namespace attest
