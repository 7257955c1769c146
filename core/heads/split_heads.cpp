#include "core/heads/split_heads.hpp"

#include "core/algebra/flatten.hpp"
#include "core/algebra/lapack.hpp"
#include "core/features/gauge.hpp"
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

}  // namespace

HeadSplit split_tensor(const Matrix& W, Index d, Index limit) {
    require(d >= 1 && W.cols() == d * d && W.rows() % d == 0, "split_tensor: W is not (o·d)×d²");
    const Index o = W.rows() / d;
    const Svd decomposition = svd(W);
    HeadSplit split;
    split.heads.d = d;
    split.heads.o = o;
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
        split.heads.heads.push_back(
            {fold<double>(half * left, o, d), fold<double>(half * decomposition.V.col(h), d, d)});
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

}  // namespace attest
