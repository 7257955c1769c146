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
#include "core/questions/output.hpp"
#include "core/solve/operator_spectrum.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
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

/// A level by its name, and what it can be asked.
struct CertifyLevelWords {
    CertifyLevel level;
    std::string_view name;
    std::string_view summary;
    bool takes_parts;  ///< whether the parts of CertifyParts can be asked of it
};

[[nodiscard]] std::span<const CertifyLevelWords> certify_levels();
[[nodiscard]] std::string_view to_string(CertifyLevel level);
/// The level of that name, "auto" for automatic. Throws UnknownName.
[[nodiscard]] CertifyLevel certify_level_from_string(std::string_view name);

/// What only a rank over the rationals can answer.
struct CertifyParts {
    const Dataset* queries = nullptr;  ///< the answer is then about them; null: about the data
    bool witness = false;              ///< two minimisers that disagree
    bool reasons = false;              ///< why something is open
    bool realisable = false;  ///< presumes that some model fits the labels exactly, which then has
                              ///< to stand up to an exact test
    bool least_risk = false;  ///< of all models, of labelled data
    std::optional<double> coverage;  ///< how much of the future, with this confidence
    Index heads = 0;  ///< with a model of so many heads: do the data determine it among layers of
                      ///< as many, near it? 0: not asked
    HeadSizes head_sizes;  ///< of the heads of these layers; 0: full
};

/// What is asked of a data set. What is pointed to must outlive the call; null is not asked. The
/// names stand for the data in messages.
struct CertifyRequest {
    CertifyLevel level = CertifyLevel::automatic;
    CertifyParts parts;
    const Model* model = nullptr;  ///< how far may an equally good one be?
    std::string model_name = "model";
    const Dataset* other = nullptr;  ///< excess risk there
    std::string other_name = "the other data";
    std::optional<double> noise;    ///< with queries: how far is the truth?
    const Dataset* pool = nullptr;  ///< candidates for `suggest`
    std::string pool_name = "the pool";
    Index suggest = 0;  ///< so many examples to add
};

/// Throws UnknownName where the level cannot be asked a part, and names these parts.
void require_answerable(const CertifyRequest& request);

/// Rank, singular values and coverage go through the examples in order; what else is asked looks at
/// all tokens at once.
[[nodiscard]] ReadingAs reading_for(const CertifyRequest& request);

/// What the rank over the rationals says, with every part that was asked for and could be decided.
struct ExactEvidence {
    ExactRank rank;
    std::optional<ConsistencyReport> labels;  ///< realisable: they bear it out
    std::optional<StructureAudit> structure;  ///< of deficient data
    std::optional<Margin> margin;             ///< automatic, where it is cheap
    std::optional<LowerRankSeen> lower_seen;  ///< where the spectrum is cheap and falls short
    std::optional<double> roundings;          ///< full rank: to a lower one, where that is cheap
    std::optional<Coverage> coverage;
    std::optional<Explanation> explanation;
    std::optional<LeastRisk> least_risk;
    std::optional<QueryAudit> queries;
    std::optional<WitnessAudit> witness;
    std::string no_witness;  ///< why there is none, where one was asked for
    std::optional<LocalDetermination> few_heads;
};

/// What a level found, one alternative each; a ConsistencyReport where the labels do not bear out
/// that they are realisable, so that nothing is said of the rank.
using CertifyEvidence = std::variant<NumericalSpectrum,
                                     OperatorSpectrum,
                                     LambdaMinEnclosure,
                                     GroupedRank,
                                     ExactEvidence,
                                     ConsistencyReport>;

/// Two models and an input that a caller has kept as files.
struct WitnessFiles {
    std::array<std::string, 2> models;
    std::string input;
};

/// What one audit of a data set found.
struct Certification {
    CertifyLevel level = CertifyLevel::automatic;
    SequenceShape data;
    DataVerdict verdict = DataVerdict::undecided;  ///< about the data
    DataVerdict answer = DataVerdict::undecided;   ///< about the queries where there are some, else
                                                   ///< the verdict
    Index least_heads = 0;  ///< the verdict is about models with at least so many heads
    CertifyEvidence evidence;
    std::optional<ModelAudit> model;
    std::optional<OutOfDistribution> elsewhere;
    std::optional<TruthDistance> truth;
    std::optional<std::vector<Suggestion>> suggestions;
    std::string other_name;
    std::string pool_name;
    std::optional<std::string>
        proof;  ///< for attest-check: of the answer; of the least risk where that was asked for
    std::string unanswered;                     ///< parts that labels which no layer has leave open
    std::optional<std::string> proof_file;      ///< where a proof was to be kept: see keep_proof
    std::optional<WitnessFiles> witness_files;  ///< see keep_witness

    /// The exact evidence, or null.
    [[nodiscard]] const ExactEvidence* exact() const {
        return std::get_if<ExactEvidence>(&evidence);
    }

    /// Singular values: those of the level, or of the margin beside the exact rank; or null.
    [[nodiscard]] const NumericalSpectrum* spectrum() const;

    /// The proved ends of λ_min, or null.
    [[nodiscard]] const LambdaMinEnclosure* enclosure() const;
};

/// Do the data determine the learned function, and whatever else is asked. However much that is,
/// the triangular factor of the data is formed at most once. Throws InvalidInput where the parts do
/// not fit together, EnvironmentFailure when the memory does not suffice, and what
/// require_answerable throws.
[[nodiscard]] Certification certify(const FactoredSource& data, const CertifyRequest& request);

/// Keeps the proof in a file: see write_proof.
void keep_proof(Certification& found, const std::string& path);

/// Writes the witness beside "out.npz": the minimisers to out-a.npz and out-b.npz, the input to
/// out-input.npz. Nothing where there is no witness.
void keep_witness(Certification& found, const std::string& path);

/// "out.npz" gives "out-a.npz", "out-b.npz" and "out-input.npz".
[[nodiscard]] WitnessFiles witness_files(const std::string& path);

/// The answer as docs/json.md lists it, and as lines for people.
[[nodiscard]] Output describe(const Certification& found);

/// The sizes of a data set, which every level shows first.
void describe(Output& output, const SequenceShape& data);

/// λ_min as floating point sees it, as it is proved, or both; null is absent.
void describe_lambda_min(Output& output,
                         const NumericalSpectrum* spectrum,
                         const LambdaMinEnclosure* enclosure);

}  // namespace attest
