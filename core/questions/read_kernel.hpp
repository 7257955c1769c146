#pragma once

#include "core/questions/factored_source.hpp"
#include "core/questions/output.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// The kernel of distance that the labels of some data were made with, read off the coefficients of
/// a fit with the layer `lags=L`. P_δ, the coefficients of the token δ before the last, is Σ_r γ_rᵟ
/// P_r for heads with decays γ_r: as a sequence in δ it obeys a linear recurrence whose roots are
/// the decays (Prony 1795).
struct KernelReading {
    Vector strengths;        ///< singular values of the matrix with rows P_1, …, P_{L−1}
    double threshold = 0.0;  ///< those below count as 0: rounding, and what noise of the size
                             ///< of the fit's residual does to coefficients
    double lags_relative_risk = 0.0;  ///< of the fit itself
    std::vector<double> profile;  ///< κ(1), …, κ(L−1) of the strongest component, κ(1) = 1
    std::vector<double> decays;   ///< roots of the recurrence, descending; empty where they are not
                                  ///< real or leave (0, 1]
    double misfit = 0.0;          ///< what the recurrence leaves of P_δ, relative
    std::string note;             ///< why there are no decays
    std::optional<Layer> layer;   ///< with the simplest fractions near the decays
    double relative_risk = 0.0;   ///< of a fit with that layer
    bool exact = false;           ///< that layer fits every label exactly, proved over Q
};

/// `fit` is of the source's data, read by `lags=L`, L ≥ 3. Lags have to reach back to the first
/// token: what lies beyond them has one weight. At most (L−1)/2 decays can be told apart. P_0 is
/// left out: what the last token asks itself is known up to symmetry only. The proof that the layer
/// fits exactly is tried up to `most_features` of its features. Throws InvalidInput for another
/// layer.
[[nodiscard]] KernelReading read_kernel(const FactoredSource& source,
                                        const LeastSquaresFit& fit,
                                        Index most_features = 1000);

/// The kernel that the lags show, the decays behind it and the layer that they make.
void describe(Output& output, const KernelReading& kernel);

}  // namespace attest
