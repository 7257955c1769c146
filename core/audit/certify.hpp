#pragma once

#include "core/audit/certify_request.hpp"
#include "core/audit/label_noise.hpp"
#include "core/audit/margin.hpp"
#include "core/audit/model_audit.hpp"
#include "core/audit/query_audit.hpp"
#include "core/audit/structure_audit.hpp"
#include "core/audit/witness_audit.hpp"
#include "core/certify/consistency.hpp"
#include "core/certify/coverage.hpp"
#include "core/certify/grouped_rank.hpp"
#include "core/certify/least_risk.hpp"
#include "core/certify/local_determination.hpp"
#include "core/certify/suggest.hpp"
#include "core/explain/explanation.hpp"
#include "core/solve/operator_spectrum.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What one audit of a data set found; every part is there if it was asked for and could be
/// decided.
struct Certification {
    DataVerdict verdict = DataVerdict::undecided;  ///< about the data
    DataVerdict answer = DataVerdict::undecided;   ///< about the queries where there are some, else
                                                   ///< the verdict
    Index heads = 0;  ///< the verdict is about models with at least so many heads
    std::optional<ConsistencyReport> labels;    ///< Presume::realisable: whether they bear it out
    std::optional<ExactRank> rank;              ///< not where the labels deny the presumption
    std::optional<GroupedRank> grouped;         ///< level grouped
    std::optional<StructureAudit> structure;    ///< of deficient data
    std::optional<Coverage> coverage;           ///< needs the rank
    std::optional<Explanation> explanation;     ///< needs the rank
    std::optional<LeastRisk> least_risk;        ///< if it was asked for
    std::optional<QueryAudit> queries;          ///< needs the rank
    std::optional<NumericalSpectrum> spectrum;  ///< level numerical; automatic where cheap
    std::optional<OperatorSpectrum> operator_spectrum;  ///< level matrix_free
    std::optional<LambdaMinEnclosure> enclosure;        ///< level rigorous; automatic where cheap
    std::optional<WitnessAudit> witness;                ///< needs the rank
    std::optional<ModelAudit> model;
    std::optional<LocalDetermination> few_heads;  ///< needs the rank
    std::optional<OutOfDistribution> elsewhere;
    std::optional<TruthDistance> truth;
    std::vector<Suggestion> suggestions;
    std::optional<std::string>
        proof;  ///< for attest-check: of the answer; of the least risk where that was asked for
};

/// Do the data determine the learned function, and whatever else is asked. However much that is,
/// the triangular factor of the data is formed at most once. Throws InvalidInput where the parts do
/// not fit together, EnvironmentFailure when the memory does not suffice.
[[nodiscard]] Certification certify(const FactoredSource& data, const CertifyRequest& request);

}  // namespace attest
