#pragma once

#include "core/audit/factored_source.hpp"
#include "core/certify/enclosure.hpp"
#include "core/certify/exact_rank.hpp"

#include <optional>

namespace attest {

/// How far from deficient the data are, beside a proof that says whether they are.
struct Margin {
    NumericalSpectrum spectrum;
    std::optional<LambdaMinEnclosure> enclosure;  ///< where it is positive and cheap
};

/// The margin where it costs no more than a second or two: nothing beyond N ψ² = 1e10, the
/// enclosure only up to 1e7. Beyond that the level has to be asked for.
[[nodiscard]] std::optional<Margin> margin_where_cheap(const FactoredSource& data,
                                                       const ExactRank& rank);

}  // namespace attest
