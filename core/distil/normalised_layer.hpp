#pragma once

#include "core/data/dataset.hpp"

namespace attest {

/// One head of normalised linear attention, y = V (Σ_t k_t z̃_t) / Σ_t k_t with k_t = z̃_tᵀ Q z̃; z̃
/// = (1, z) where affine, else z.
struct NormalisedLayer {
    bool affine = false;
    Matrix V;  ///< o×d̃
    Matrix Q;  ///< d̃×d̃, up to scale: ‖Q‖_F = 1
};

/// What a normalised head reads of labelled sequences: one example each.
struct NormalisedExamples {
    std::vector<Matrix> S;  ///< Σ_t z̃_t z̃_tᵀ
    Matrix w;               ///< Σ_t z̃_t, a column each
    Matrix z;               ///< z̃ that asks
    Matrix y;               ///< labels
};

/// Throws InvalidInput unless the layer is `linear` or `affine` with one label a sequence;
/// EnvironmentFailure when they do not fit in memory.
[[nodiscard]] NormalisedExamples normalised_examples(const Dataset& data);

/// (1/N) Σ ‖ŷ − y‖²; infinite where a denominator is 0.
[[nodiscard]] double normalised_risk(const NormalisedLayer& layer, const NormalisedExamples& data);

struct NormalisedFit {
    NormalisedLayer layer;
    double risk = 0.0;   ///< of the layer on its training data
    double floor = 0.0;  ///< numerical: no normalised head has a smaller risk
    Index steps = 0;     ///< Levenberg–Marquardt steps taken, of all starts
};

/// What fit_normalised_layer is estimated to take at most, in seconds of the machine of AuditSize.
[[nodiscard]] double normalised_seconds(const Dataset& data);

/// The best normalised head that is found. In closed form: with K the rows vec(w zᵀ) in an
/// orthonormal basis, ℓ_i their lengths and ‖c‖ = 1, a head's denominators are at most ℓ_i, so that
/// N·risk ≥ σ², σ the least singular value of c ↦ (den y − numerators)/ℓ, any numerators that are
/// linear in S ⊗ z taken out: the floor. Its singular vector is a start, and so is the mean of the
/// tokens (Q = e_0 e_0ᵀ where affine, else the identity). From both Levenberg–Marquardt steps lead
/// down to a local minimum, the better of which is kept. Throws InvalidInput without examples.
[[nodiscard]] NormalisedFit fit_normalised_layer(const NormalisedExamples& data, bool affine);

}  // namespace attest
