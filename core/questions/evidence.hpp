#pragma once

#include "core/certify/numerical/enclosure.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/certify/rank/structural_rank.hpp"
#include "core/certify/span.hpp"
#include "core/certify/witness.hpp"
#include "core/data/model_file.hpp"
#include "core/questions/factored_source.hpp"
#include "core/questions/verdict.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Is the output determined on each query? One entry a query, in order.
struct QueryAudit {
    DataVerdict verdict = DataVerdict::undecided;  ///< determined: all are; not_determined: one is
                                                   ///< not
    std::vector<QuerySpan> spans;
    Vector leverages;  ///< numerical; infinite outside the row space
    Index determined = 0;
    Index not_determined = 0;
    std::optional<std::string> proof;  ///< of the verdict, for attest-check
};

/// Holds every query against the row space of the data: verdicts, without leverages and proof.
/// `rank` is certify_rank(data). Throws InvalidInput when queries and data disagree on d.
[[nodiscard]] QueryAudit query_verdicts(const FactoredSource& data,
                                        const ExactRank& rank,
                                        const Dataset& queries);

/// The same, with leverages and proof.
[[nodiscard]] QueryAudit audit_queries(const FactoredSource& data,
                                       const ExactRank& rank,
                                       const Dataset& queries);

/// Which part of a deficiency is the layer's own, whatever the data: combinations of its features
/// that vanish on every input change P but no output.
struct StructureAudit {
    std::optional<StructuralRank> seen;  ///< over inputs of the lengths in the data
    std::optional<StructuralRank> all;   ///< over inputs of every length whose last token asks, and
                                         ///< those of the kinds in the data
    Index shortest = 0;                  ///< of the lengths in the data
    Index longest = 0;

    /// Whether all minimisers are one function on inputs of these kinds, P being another matter.
    [[nodiscard]] bool determined_on_seen(const ExactRank& rank) const;
    [[nodiscard]] bool determined_on_all(const ExactRank& rank) const;
};

/// Of deficient data; a part is absent where it would take too long to say.
[[nodiscard]] StructureAudit audit_structure(const SequenceSource& data);

[[nodiscard]] inline StructureAudit audit_structure(const Dataset& data) {
    return audit_structure(SequencesInMemory(data));
}

/// Two minimisers that disagree, as models with Algorithm 1's heads.
struct WitnessAudit {
    Witness witness;
    std::array<Model, 2> models;  ///< without meta
};

/// What a search for two minimisers that disagree found: them, or why there are none.
struct WitnessSearch {
    std::optional<WitnessAudit> found;
    std::string none;
};

/// A witness beside the minimiser of least norm, or beside zero where there are no labels, on the
/// first query or, for null, on an input of its own. `rank` is certify_rank(data) with
/// NullVectors::all. Throws InvalidInput where the difference leaves the range of doubles.
[[nodiscard]] WitnessSearch search_witness(const FactoredSource& data,
                                           const ExactRank& rank,
                                           const Dataset* queries);

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

/// How far from deficient the data are, beside a proof that says whether they are.
struct Margin {
    NumericalSpectrum spectrum;
    std::optional<LambdaMinEnclosure> enclosure;  ///< where it is positive and cheap
};

/// Whether the singular values of so many examples cost no more than a second or two: N ψ² up to
/// 1e10.
[[nodiscard]] bool is_spectrum_cheap(Index num_examples, Index psi);

/// The margin where it costs no more than a second or two: nothing beyond N ψ² = 1e10, the
/// enclosure only up to 1e7. Beyond that the level has to be asked for.
[[nodiscard]] std::optional<Margin> margin_where_cheap(const FactoredSource& data,
                                                       const ExactRank& rank);

/// Double precision sees a lower rank than the one proved over Q.
struct LowerRankSeen {
    Index rank = 0;    ///< singular values above the threshold of NumericalSpectrum
    double gap = 0.0;  ///< the last of them over the next one; infinite where that is 0

    /// A gap of a million or more is no slow decay: data of that rank were rounded.
    [[nodiscard]] bool looks_rounded() const { return gap >= 1e6; }
};

/// Nothing where double precision sees the proved rank.
[[nodiscard]] std::optional<LowerRankSeen> lower_rank_seen(const NumericalSpectrum& spectrum,
                                                           const ExactRank& rank);

/// How far the features H of rank r are from a matrix of lower rank, in roundings of its largest
/// singular value: σ_r/(2⁻⁵³ σ_1). By Eckart and Young no change of H below σ_r in the spectral
/// norm lowers the rank. Numerical; 0 at rank 0. Below 1 a proof is about the numbers in the file
/// alone.
[[nodiscard]] double roundings_to_lower_rank(const NumericalSpectrum& spectrum, Index rank);

/// The same of data of full rank by two singular values alone, where all of them would cost a
/// second or two at most (N ψ² up to 1e10); nothing where data of lower rank are so near that the
/// spectrum has to say which.
[[nodiscard]] std::optional<double> roundings_where_cheap(const FactoredSource& data);

/// The spectrum where it costs a second or two at most (N ψ² up to 1e10) and N ≥ ψ.
[[nodiscard]] std::optional<NumericalSpectrum> spectrum_where_cheap(const FactoredSource& data);

/// Expected excess risk of least squares on other data under label noise: σ²·o·trace/N, numerical.
struct OutOfDistribution {
    double sigma = 0.0;        ///< standard deviation of the noise in each output
    double trace = 0.0;        ///< tr(Λ_other Λ_D⁺), the mean leverage of the other data
    double excess_risk = 0.0;  ///< infinite where the other data leave the row space
};

/// Refuses what is no standard deviation of label noise. Throws InvalidInput.
void require_noise(double noise);

/// The standard deviation of the noise in each output, estimated from what the labels leave; see
/// below. Nothing without labels or with N ≤ ψ.
[[nodiscard]] std::optional<double> noise_estimate(const FactoredSource& data);

/// Without `sigma` the noise is estimated from what the labels leave: residual·N/((N − ψ)·o) is its
/// unbiased variance when some P is the truth. `name` is the other data's in error messages. Throws
/// InvalidInput when d disagrees, where the noise cannot be estimated, or where its square leaves
/// the range of doubles.
[[nodiscard]] OutOfDistribution risk_elsewhere(const FactoredSource& data,
                                               const Dataset& other,
                                               std::string_view name,
                                               std::optional<double> sigma);

/// How far the minimiser is from the truth on each query, for all of them at once with probability
/// `confidence`: √(energy/N · leverage), numerical.
struct TruthDistance {
    double sigma = 0.0;
    double confidence = 0.0;
    Vector within;         ///< one a query
    double at_most = 0.0;  ///< on every query
};

/// By projected_noise_bound at confidence 0.95, for noise of scale `sigma` in each output. Throws
/// InvalidInput where the square of the noise leaves the range of doubles.
[[nodiscard]] TruthDistance distance_to_truth(const FactoredSource& data,
                                              const Dataset& queries,
                                              double sigma);

}  // namespace attest
