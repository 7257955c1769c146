#include "core/audit/factored_source.hpp"

#include "core/base/error.hpp"
#include "core/solve/orthogonal.hpp"

namespace attest {

FactoredSource::FactoredSource(const MomentSource& source) : source_(source) {}

const Dataset& FactoredSource::dataset() const {
    const Dataset* const data = source_.dataset();
    require(data != nullptr, "audit: the source has no tokens, expected a data set");
    return *data;
}

const TriangularFactor& FactoredSource::factor() const {
    return factor_.get([this] { return triangular_factor(source_); });
}

const NumericalSpectrum& FactoredSource::spectrum() const {
    return spectrum_.get([this] { return numerical_spectrum(factor()); });
}

const NumericalLeverage& FactoredSource::leverage() const {
    return leverage_.get([this] { return NumericalLeverage(factor()); });
}

const LeastSquaresFit& FactoredSource::minimiser() const {
    return minimiser_.get([this] { return fit_svd(factor(), source_.shape().d, {}); });
}

}  // namespace attest
