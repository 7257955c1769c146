#include "core/heads/split_heads.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/matrix.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/scaled_coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

/// +1 or −1, the sign of the largest entry: singular vectors are unique only up to sign.
double orientation(const Vector& v) {
    Index at = 0;
    v.cwiseAbs().maxCoeff(&at);
    return v(at) < 0.0 ? -1.0 : 1.0;
}

/// W as a sum of rank-one terms left·rightᵀ, the strongest first.
struct SplitTensor {
    std::vector<std::pair<Vector, Vector>> terms;
    Vector sigma;
    double threshold = 0.0;
};

SplitTensor split_rectangular(const Matrix& W, Index limit) {
    const Svd decomposition = svd(W);
    SplitTensor split;
    split.sigma = decomposition.sigma;
    const double largest = split.sigma.size() > 0 ? split.sigma(0) : 0.0;
    split.threshold = static_cast<double>(std::max(W.rows(), W.cols())) *
                      std::numeric_limits<double>::epsilon() * largest;
    for (Index h = 0; h < std::min(split.sigma.size(), limit); ++h) {
        if (!(split.sigma(h) > split.threshold)) {
            break;
        }
        const Vector left = decomposition.U.col(h);
        const double half = orientation(left) * std::sqrt(split.sigma(h));
        split.terms.emplace_back(half * left, half * decomposition.V.col(h));
    }
    return split;
}

}  // namespace

HeadSplit split_tensor(const Matrix& W, Index d, Index limit) {
    require(d >= 1 && W.cols() == d * d && W.rows() % d == 0, "split_tensor: W is not (o·d)×d²");
    const Index o = W.rows() / d;
    SplitTensor parts = split_rectangular(W, limit);
    HeadSplit split{{d, o, {}}, std::move(parts.sigma), parts.threshold};
    for (const auto& [left, right] : parts.terms) {
        split.heads.heads.push_back({fold<double>(left, o, d), fold<double>(right, d, d)});
    }
    return split;
}

HeadSplit split_heads(const Matrix& P, Index d) {
    const auto [scaled, exponent] = scaled_coefficients(P);
    HeadSplit split =
        split_tensor(symmetric_gauge<double>(scaled, d), d, std::numeric_limits<Index>::max());
    if (exponent != 0) {
        split.heads = times_power(std::move(split.heads), exponent);
        split.sigma = split.sigma.unaryExpr([e = exponent](double s) { return std::ldexp(s, e); });
        split.threshold = std::ldexp(split.threshold, exponent);
    }
    return split;
}

LayerHeads split_layer(const Matrix& P, const Layer& layer, const LayerInput& input) {
    const SumShape shape = sum_shape(layer, input);
    const Index m = layout_of(layer, input).m();
    LayerHeads found;
    for (Index g = 0; g < num_sums(layer); ++g) {
        const Matrix W = tensor_of_sum(layer, input, P, g);
        const SplitTensor split = split_rectangular(W, std::numeric_limits<Index>::max());
        for (const auto& [left, right] : split.terms) {
            found.heads.push_back({fold<double>(left, P.cols(), shape.rows),
                                   fold<double>(right, shape.columns, m),
                                   g});
        }
    }
    if (layer.affine) {
        found.direct = P.bottomRows(m).transpose();
    }
    return found;
}

}  // namespace attest
