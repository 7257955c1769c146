#pragma once

#include "core/certify/consistency.hpp"
#include "core/certify/coverage/coverage.hpp"
#include "core/certify/least_risk.hpp"
#include "core/certify/local_determination.hpp"
#include "core/certify/rank/grouped_rank.hpp"
#include "core/certify/suggest.hpp"
#include "core/data/dataset.hpp"
#include "core/data/model_file.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/explain/explanation.hpp"
#include "core/questions/evidence.hpp"
#include "core/solve/operator_spectrum.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// How the rank is decided.
enum class CertifyLevel : std::uint8_t {
    automatic,    ///< exactly, with the margin beside the verdict where it is cheap
    numerical,    ///< singular values, which prove nothing
    matrix_free,  ///< the ends of the spectrum by products alone, which prove nothing; for large d
    rigorous,     ///< an enclosure of λ_min
    exact,        ///< the rank over the rationals
    grouped,      ///< the same by groups of examples with one query, for large d
};
[[nodiscard]] std::string_view to_string(CertifyLevel level);
/// The level of that name, "auto" for automatic. Throws UnknownName.
[[nodiscard]] CertifyLevel certify_level_from_string(std::string_view name);

/// What is presumed of the labels: nothing, or that some model fits them exactly, which then has to
/// stand up to an exact test.
enum class Presume : std::uint8_t { nothing, realisable };

/// Whether the least training risk over all models is asked for.
enum class WantLeastRisk : std::uint8_t { no, yes };

/// Whether two minimisers that disagree are asked for.
enum class WantWitness : std::uint8_t { no, yes };

/// Whether the reasons of a deficiency are asked for.
enum class WantReasons : std::uint8_t { no, yes };

/// What is asked of a data set. Null and absent parts are not asked for; what they point to must
/// outlive the call. The names stand for the data in error messages.
struct CertifyRequest {
    CertifyLevel level = CertifyLevel::automatic;
    const Dataset* queries = nullptr;       ///< exact levels: the answer is then about them
    WantWitness witness = WantWitness::no;  ///< exact levels
    WantReasons reasons = WantReasons::no;  ///< exact levels
    Presume presume = Presume::nothing;     ///< exact levels
    const Model* model = nullptr;           ///< how far may an equally good one be?
    std::string model_name = "model";
    Index heads = 0;  ///< exact levels, with a model of so many heads: do the data determine it
                      ///< among layers of as many, near it? 0: not asked
    const Dataset* other = nullptr;  ///< excess risk there
    std::string other_name = "other data";
    std::optional<double> coverage;  ///< exact levels: how much of the future, with this confidence
    WantLeastRisk least_risk = WantLeastRisk::no;  ///< exact levels, of labelled data
    std::optional<double> noise;                   ///< with queries: how far is the truth?
    const Dataset* pool = nullptr;                 ///< candidates for `suggest`
    Index suggest = 0;                             ///< so many examples to add
};

/// Rank, singular values and coverage go through the examples in order; what else is asked looks at
/// all tokens at once.
[[nodiscard]] ReadingAs reading_for(const CertifyRequest& request);

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
