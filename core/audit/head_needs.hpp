#pragma once

#include "core/audit/factored_source.hpp"
#include "core/data/model_file.hpp"
#include "core/rng/stream.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// How much of a layer's output so many heads cannot reproduce.
struct HeadLossAt {
    Index heads = 0;
    double loss = 0.0;  ///< mean ‖ŷ − y‖² over mean ‖y‖² on the data, the best found
};

/// How many heads a layer's function needs on some data.
struct HeadNeeds {
    Index has = 0;                 ///< heads of the model; 0 where it has coefficients only
    Index at_least = 0;            ///< certified; 1 is trivial
    std::optional<Index> found;    ///< the fewest found that lose nothing but rounding on the data
    bool same_everywhere = false;  ///< these compute the same function, on any input
    bool proved_fewest = false;
    std::vector<HeadLossAt> fewer;  ///< from 1 up, as far as the time went
    std::string not_sought;         ///< why there is nothing but `has`
};

/// By reduce_heads in the norm of the data, at most `budget` seconds for the fewest and as many for
/// the losses. Sought for the layer linear, up to 1000 features.
[[nodiscard]] HeadNeeds head_needs(const FactoredSource& data,
                                   const Model& model,
                                   const Matrix& P,
                                   double budget,
                                   const Stream& stream);

}  // namespace attest
