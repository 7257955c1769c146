#include "core/questions/factored_source.hpp"

#include "core/base/error.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/solve/scaled_fit.hpp"

namespace attest {

FactoredSource::FactoredSource(const MomentSource& source) : source_(source) {}

const Dataset& FactoredSource::dataset() const {
    const Dataset* const data = source_.dataset();
    require(data != nullptr, "audit: the source has no tokens, expected a data set");
    return *data;
}

const SequenceSource& FactoredSource::sequences() const {
    const SequenceSource* const data = source_.sequences();
    require(data != nullptr, "audit: the source has no tokens, expected sequences");
    return *data;
}

const ScaledFactor& FactoredSource::scaled() const {
    return factor_.get([this] { return scaled_factor(source_); });
}

std::unique_ptr<const MomentSource> FactoredSource::in_its_units(
    const SequenceSource& other) const {
    return scaled_source(other, scaled().scale);
}

const NumericalSpectrum& FactoredSource::spectrum() const {
    return spectrum_.get([this] { return numerical_spectrum(scaled()); });
}

const NumericalLeverage& FactoredSource::leverage() const {
    return leverage_.get([this] { return NumericalLeverage(factor()); });
}

const LeastSquaresFit& FactoredSource::minimiser() const {
    return minimiser_.get([this] {
        return fit_scaled(source_, {}, [this](const MomentSource& s, const SolveOptions& options) {
            const FeatureLayout layout = source_.shape().layout;
            return &s == &source_ ? fit_svd(factor(), layout, options)
                                  : fit_svd(triangular_factor(s), layout, options);
        });
    });
}

}  // namespace attest
