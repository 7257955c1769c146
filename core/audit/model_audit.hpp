#pragma once

#include "core/audit/factored_source.hpp"
#include "core/data/model_file.hpp"

#include <string_view>
#include <vector>

namespace attest {

/// A model on one query, beside every other one of at most its training risk.
struct ModelOnQuery {
    double may_differ_by = 0.0;  ///< 2√((risk − least risk)·leverage): two such models, numerical
    double distance_to_minimiser = 0.0;  ///< from the minimiser of least norm
    double distance_to_half = 0.0;       ///< of the output's entries from 1/2, the least

    /// Whether all of them round to the same token: no entry of an equally good model's output lies
    /// on the other side of 1/2.
    [[nodiscard]] bool same_token() const { return may_differ_by < distance_to_half; }
};

/// How good a model is, and how far an equally good one may be from it.
struct ModelAudit {
    double risk = 0.0;
    double least_risk = 0.0;            ///< of any P, numerical; at most `risk`
    std::vector<ModelOnQuery> queries;  ///< in order

    [[nodiscard]] double may_differ_by_at_most() const;
    [[nodiscard]] Index same_tokens() const;
};

/// Audits a model against labelled data (Lemma A.7, corrected) on the queries, null for none.
/// `name` is the model's in error messages. Throws InvalidInput when the sizes disagree or there
/// are no labels, or where the risk leaves the range of doubles. One pass for the risk.
[[nodiscard]] ModelAudit audit_model(const FactoredSource& data,
                                     const Model& model,
                                     std::string_view name,
                                     const Dataset* queries);

}  // namespace attest
