#include "core/certify/minimum_eigenvalue.hpp"

#include "core/algebra/lapack.hpp"

#include <algorithm>
#include <limits>

namespace attest {

NumericalSpectrum numerical_spectrum(const TriangularFactor& factor) {
    NumericalSpectrum spectrum;
    spectrum.psi = factor.R.cols();
    spectrum.sigma = singular_values(factor.R);
    const double largest = spectrum.sigma.size() > 0 ? spectrum.sigma(0) : 0.0;
    spectrum.threshold = static_cast<double>(std::max(factor.num_examples, spectrum.psi)) *
                         std::numeric_limits<double>::epsilon() * largest;
    spectrum.rank = (spectrum.sigma.array() > spectrum.threshold).count();
    spectrum.lambda_max = largest * largest;
    spectrum.trace = factor.R.squaredNorm();
    if (spectrum.sigma.size() == spectrum.psi && spectrum.psi > 0) {
        const double smallest = spectrum.sigma(spectrum.psi - 1);
        spectrum.lambda_min = smallest * smallest;
    }
    return spectrum;
}

}  // namespace attest
