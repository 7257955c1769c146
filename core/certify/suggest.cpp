#include "core/certify/suggest.hpp"

#include "core/algebra/lapack.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/features/cubic.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// The row space of a factor and the inverse singular values in it.
struct RowSpace {
    Matrix basis;    ///< ψ×r
    Vector inverse;  ///< r
};

RowSpace row_space(const TriangularFactor& factor, Index rank) {
    const Svd decomposition = svd(factor.R);
    return {decomposition.V.leftCols(rank), decomposition.sigma.head(rank).cwiseInverse()};
}

Suggestion best_candidate(const RowSpace& space, const Matrix& H, const std::vector<bool>& taken) {
    const Matrix coordinates = space.basis.transpose() * H;
    const bool complete = space.basis.cols() == H.rows();
    Suggestion best;
    for (Index i = 0; i < H.cols(); ++i) {
        if (taken[static_cast<std::size_t>(i)]) {
            continue;
        }
        const double length = H.col(i).stableNorm();
        const double rest =
            complete ? 0.0 : (H.col(i) - space.basis * coordinates.col(i)).stableNorm();
        Suggestion one;
        one.candidate = i;
        one.outside = rest > kOutsideShare * length ? rest / length : 0.0;
        one.leverage = space.inverse.cwiseProduct(coordinates.col(i)).squaredNorm();
        const bool better =
            std::pair(one.outside, one.leverage) > std::pair(best.outside, best.leverage);
        if (best.candidate < 0 || better) {
            best = one;
        }
    }
    return best;
}

/// The factor with one more example: rows scale as 1/√N.
TriangularFactor with_row(const TriangularFactor& factor, const Vector& h) {
    const auto N = static_cast<double>(factor.num_examples);
    TriangularFactor larger = factor;
    larger.num_examples += 1;
    const Matrix row = h.transpose() / std::sqrt(N + 1.0);
    larger.R = stack_qr(factor.R * std::sqrt(N / (N + 1.0)), row);
    return larger;
}

}  // namespace

std::vector<Suggestion> suggest_examples(const TriangularFactor& factor,
                                         const MomentSource& pool,
                                         Index count) {
    require(pool.shape().psi() > 0 && pool.shape().psi() == factor.R.cols(),
            "suggest: the pool and the data disagree on d");
    const Matrix H = feature_columns(collect(pool), pool.shape().layout);
    require(H.allFinite(),
            "suggest: a candidate is so much larger than the data that its features are beyond the "
            "largest double, 1.8e308; divide its tokens");
    std::vector<bool> taken(static_cast<std::size_t>(H.cols()), false);
    std::vector<Suggestion> chosen;
    TriangularFactor current = factor;
    NumericalSpectrum spectrum = numerical_spectrum(current);
    for (Index step = 0; step < std::min(count, Index{H.cols()}); ++step) {
        Suggestion best = best_candidate(row_space(current, spectrum.rank), H, taken);
        taken[static_cast<std::size_t>(best.candidate)] = true;
        current = with_row(current, H.col(best.candidate));
        spectrum = numerical_spectrum(current);
        best.rank = spectrum.rank;
        best.lambda_min = spectrum.nullity() == 0 ? spectrum.lambda_min : 0.0;
        chosen.push_back(best);
    }
    return chosen;
}

}  // namespace attest
