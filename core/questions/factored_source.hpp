#pragma once

#include "core/certify/numerical/spectrum.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/problem.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace attest {

/// A value that is computed when it is first asked for, at most once, and then kept. Several
/// threads may ask: the others wait for the first. What throws leaves it unknown, and the next one
/// who asks tries again.
template <class Value>
class Lazy {
public:
    /// The value, by `make()` the first time.
    template <class Make>
    [[nodiscard]] const Value& get(const Make& make) {
        const std::lock_guard lock(mutex_);
        if (!value_) {
            value_.emplace(make());
        }
        return *value_;
    }

private:
    std::mutex mutex_;
    std::optional<Value> value_;
};

/// Examples with what several questions about them share: the triangular factor R, RᵀR = Λ_D of the
/// examples divided by powers of two where they are far from size 1, and what follows from it. Each
/// is computed when it is first asked for, at most once, from one pass over the examples in all;
/// any number of threads may ask. What the reference returns lives as long as this object.
class FactoredSource {
public:
    /// The source must outlive this.
    explicit FactoredSource(const MomentSource& source);

    [[nodiscard]] const MomentSource& source() const { return source_; }

    /// The data set behind the source. Throws InvalidInput where the tokens are not at hand.
    [[nodiscard]] const Dataset& dataset() const;

    /// The sequences behind the source, in memory or not. Throws InvalidInput where there are none.
    [[nodiscard]] const SequenceSource& sequences() const;

    /// The one pass, about 3Nψ² flops; see triangular_factor.
    [[nodiscard]] const ScaledFactor& scaled() const;

    [[nodiscard]] const TriangularFactor& factor() const { return scaled().factor; }

    /// Other examples in the units of the factor. The data set must outlive what is returned.
    [[nodiscard]] std::unique_ptr<const MomentSource> in_its_units(
        const SequenceSource& other) const;

    [[nodiscard]] std::unique_ptr<const MomentSource> in_its_units(const Dataset& other) const {
        return in_its_units(SequencesInMemory(other));
    }

    /// Singular values of R, with their exponent, O(ψ³).
    [[nodiscard]] const NumericalSpectrum& spectrum() const;

    /// Its numerical row space, of examples in its units, O(ψ³).
    [[nodiscard]] const NumericalLeverage& leverage() const;

    /// The empirical risk minimiser of least norm ‖Sym W‖ at any rank, by the SVD of R, O(ψ³), and
    /// another pass where the examples had to be scaled. Throws InvalidInput where its coefficients
    /// leave the range of doubles.
    [[nodiscard]] const LeastSquaresFit& minimiser() const;

private:
    const MomentSource& source_;
    mutable Lazy<ScaledFactor> factor_;
    mutable Lazy<NumericalSpectrum> spectrum_;
    mutable Lazy<NumericalLeverage> leverage_;
    mutable Lazy<LeastSquaresFit> minimiser_;
};

}  // namespace attest
