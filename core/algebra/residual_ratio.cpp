#include "core/algebra/residual_ratio.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <limits>

namespace attest {

namespace {

double norm1(const Matrix& A) {
    // A maximum that drops a NaN would let a broken result pass every test.
    return A.size() == 0 ? 0.0 : A.cwiseAbs().colwise().sum().maxCoeff<Eigen::PropagateNaN>();
}

std::string shape_of(const Matrix& A) {
    return formatted("{}x{}", A.rows(), A.cols());
}

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

double least_squares_ratio(const Matrix& H, const Matrix& P, const Matrix& Y) {
    require(H.rows() == Y.rows() && H.cols() == P.rows() && P.cols() == Y.cols(),
            "least_squares_ratio: got H {}, P {}, Y {}, expected Nxpsi, psixo, Nxo",
            shape_of(H),
            shape_of(P),
            shape_of(Y));
    const Matrix gradient = H.transpose() * (Y - H * P);
    const Index largest = std::max({H.rows(), H.cols(), Y.cols()});
    const double scale = static_cast<double>(largest) * norm1(H) * norm1(Y) * kEpsilon;
    return is_zero(scale) ? norm1(gradient) : norm1(gradient) / scale;
}

double difference_ratio(const Matrix& A, const Matrix& B) {
    require(A.rows() == B.rows() && A.cols() == B.cols(),
            "difference_ratio: got {} and {}, expected equal shapes",
            shape_of(A),
            shape_of(B));
    const double difference = norm1(A - B);
    const double scale = static_cast<double>(std::max(A.rows(), A.cols())) * norm1(A) * kEpsilon;
    return is_zero(scale) ? difference : difference / scale;
}

double gamma_bound(Index operations) {
    const double mu = static_cast<double>(operations) * kEpsilon / 2.0;
    return mu / (1.0 - mu);
}

}  // namespace attest
