#pragma once

#include "core/data/dataset.hpp"
#include "core/questions/output.hpp"

#include <string>

namespace attest {

/// One head of normalised linear attention, y = (Σ_t V z_t z_tᵀ Q z) / (Σ_t z_tᵀ Q z), found
/// without knowing anything but the labels: (numerator) − y·(denominator) = 0 is homogeneous and
/// linear in oψ + d² unknowns, the coefficients of the numerator and Q.
struct NormalisedHead {
    Matrix V;                  ///< o×d
    Matrix Q;                  ///< d×d, up to scale: ‖Q‖_F = 1, its largest entry positive
    Vector sigma;              ///< singular values that Q is the last right vector of, descending
    double size = 0;           ///< of the equations before the numerator is eliminated from them
    double relative_risk = 0;  ///< Σ ‖ŷ − y‖² / Σ ‖y‖² of the head on the data
};

/// Least singular values of the d²-dimensional problem that is left when the numerator is
/// eliminated: the last must be lost in rounding, the one before must not. Numerical. Throws
/// InvalidInput without labels per sequence or for another layer than the paper's, NotAvailable
/// where the data leave more than one direction open or none fits, with the singular values;
/// EnvironmentFailure when the features do not fit into memory.
[[nodiscard]] NormalisedHead fit_normalised_head(const Dataset& data);

/// The sizes of the data, how far another head is from fitting them, and how well this one does.
[[nodiscard]] Output describe(const NormalisedHead& found, const Dataset& data);

/// Writes V and Q under normalised_V and normalised_Q. Throws EnvironmentFailure, leaving no file.
void write_normalised_head(const std::string& path, const NormalisedHead& head);

}  // namespace attest
