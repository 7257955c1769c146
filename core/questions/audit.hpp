#pragma once

#include "core/data/dataset.hpp"
#include "core/explain/data_facts.hpp"
#include "core/features/predict.hpp"
#include "core/questions/audit_budget.hpp"
#include "core/questions/certify.hpp"
#include "core/questions/reduce_heads.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Sequences of one data set that are the same input.
struct DuplicateGroup {
    std::vector<Index> sequences;   ///< two or more, ascending
    double labels_differ_by = 0.0;  ///< most that their labels are from the first one's, ‖·‖
};

/// Those with more than one, by their first sequence. O(T d).
[[nodiscard]] std::vector<DuplicateGroup> duplicate_groups(const Dataset& data);

/// A sequence that stands in two data sets.
struct SeenBefore {
    Index number = 0;  ///< in the second
    Index as = 0;      ///< the first one of its kind in the first
};

/// The sequences of `inputs` that are inputs of `data` as well, ascending.
[[nodiscard]] std::vector<SeenBefore> seen_before(const Dataset& data, const Dataset& inputs);

/// What is asked of a layer. What is pointed to must outlive the call.
struct LayerAuditRequest {
    std::string model_name = "model";
    const Dataset* held_out = nullptr;  ///< inputs that the layer was not trained on, or null
    std::string held_out_name = "held-out data";
    double confidence = 0.95;     ///< of the coverage
    std::optional<double> noise;  ///< standard deviation of the label noise; else estimated
    double head_budget = 10.0;    ///< seconds at most for the fewest heads, and again for fewer
    Stream stream = Stream(0);    ///< of the search for heads
    double budget = std::numeric_limits<double>::infinity();  ///< estimated seconds of all parts
    Index layers = 1;                    ///< that share it: audits of one model
    double machine_speed = 1.0;          ///< see AuditSize
    std::string again = "attest audit";  ///< the command, to which --budget is added
};

/// One example of the held-out data.
struct HeldOutInput {
    Determination verdict = Determination::undecided;
    std::optional<double> leverage;  ///< numerical; the mean over the data is their rank
    /// Two layers that fit the data as well as the model differ here by at most this, numerical;
    /// infinite where the output is open, absent without labels.
    std::optional<double> may_differ_by;
    std::optional<double> truth_within;  ///< see TruthDistance; where the noise is known
    std::optional<double> error;         ///< ‖output − label‖, where it has a label
    std::vector<Index> broken;           ///< classes of the explanation that do not hold here
};

/// What noise in the labels does to the best layer, numerical.
struct NoiseEffect {
    double sigma = 0.0;                     ///< standard deviation in each output
    bool is_estimated = false;              ///< from what the labels leave
    double excess_risk = 0.0;               ///< expected on inputs like the data: σ²·o·rank/N
    std::optional<double> held_out_excess;  ///< the same there; infinite where outputs are open
};

/// The training example whose label moves its own output most.
struct Influence {
    Index example = 0;
    double share = 0.0;  ///< leverage/N, from 0 to 1: at 1 its output is its label alone
};

/// Something that an audit says of other layers or data, and why not here.
struct LeftOut {
    std::string what;
    std::string why;
};

/// Everything about one layer and the data it saw.
struct LayerAudit {
    Layer layer;
    Index num_sequences = 0;
    Index shortest = 0;  ///< tokens of a sequence
    Index longest = 0;
    Index num_examples = 0;
    Index d = 0;
    Index o = 0;  ///< outputs of the model
    Index psi = 0;
    bool is_labelled = false;
    AuditPlan plan;  ///< what the budget has room for; what follows is absent where it has none
    Certification found;  ///< rank, structure, explanation, coverage, held-out inputs, the model
    std::optional<NumericalSpectrum> spectrum;
    DataFacts facts;
    std::vector<DuplicateGroup> duplicates;
    std::vector<Influence> influences;  ///< the largest five, descending
    std::optional<Risk> risk;           ///< of the model on the data
    std::optional<Risk> held_out_risk;
    Index num_held_out = 0;              ///< held-out sequences
    std::vector<HeldOutInput> held_out;  ///< in order
    std::vector<SeenBefore> seen;        ///< held-out sequences that stand in the data
    HeadNeeds heads;
    std::optional<NoiseEffect> noise;
    std::vector<LeftOut> left_out;
    std::string again;  ///< the request's

    /// What the rank over the rationals says; where it was left out, what counting says of it.
    [[nodiscard]] const ExactEvidence& exact() const { return *found.exact(); }
};

/// Of what an audit left out: what only its budget kept out, with the command that adds it, or
/// only the memory.
[[nodiscard]] std::vector<LeftOut> beyond_budget(const LayerAudit& audit);

/// What the audit will do within its budget, before it starts. Throws as audit_layer.
[[nodiscard]] AuditPlan audit_plan(const FactoredSource& data,
                                   const Model& model,
                                   const LayerAuditRequest& request);

/// Audits a model on the data it learned from. The data are read by the model's layer. Throws
/// InvalidInput where model, data and held-out data do not fit together, EnvironmentFailure when
/// the memory does not suffice.
[[nodiscard]] LayerAudit audit_layer(const FactoredSource& data,
                                     const Model& model,
                                     const LayerAuditRequest& request);

/// How much an observation should worry.
enum class Concern : std::uint8_t {
    alarm,  ///< something is open or wrong
    note,   ///< worth knowing
};
[[nodiscard]] std::string_view to_string(Concern concern);

/// One thing that an audit saw.
struct Observation {
    std::string kind;  ///< snake_case: "too_few_examples", or the kind of a cause
    Concern concern = Concern::note;
    std::string sentence;
    std::string advice;  ///< what to do; empty where nothing
};

/// Whether the layer is the only one that fits as well, and on which inputs.
enum class Uniqueness : std::uint8_t {
    everywhere,    ///< proved, for every input
    lengths_seen,  ///< proved, for inputs as long as the data's
    held_out,      ///< proved, for every held-out input, some of them new; elsewhere not
    none,
    undecided,  ///< also where all held-out inputs stand in the data and the rest is open
};
[[nodiscard]] std::string_view to_string(Uniqueness uniqueness);
[[nodiscard]] Decision decision(Uniqueness uniqueness);

/// An audit for a person in a hurry.
struct AuditSummary {
    Uniqueness unique = Uniqueness::undecided;
    std::string unique_in_words;
    std::string good_in_words;              ///< how good the layer is
    std::vector<Observation> observations;  ///< alarms first

    /// The advice of the alarms, each once; that nothing is to do where there is none.
    [[nodiscard]] std::vector<std::string> what_to_do() const;
    [[nodiscard]] Index alarms() const;
};

/// A rounding of labels to bfloat16, u = 2⁻⁸, is at most this relative risk: u²‖y‖² of ‖y‖². A
/// layer that is worse than the best one by no more may owe it to how its outputs were stored.
inline constexpr double kStoredRisk = 0x1p-16;

/// "5 tokens", "2 to 9 tokens": the lengths of the data's sequences.
[[nodiscard]] std::string tokens_in_words(const LayerAudit& audit);

[[nodiscard]] AuditSummary summarise(const LayerAudit& audit);

/// What an audit saw, in the order of its parts: examples, causes, held-out inputs, the model,
/// heads. Where the function is unique on inputs of the lengths seen, causes of what is open are
/// notes.
[[nodiscard]] std::vector<Observation> observations(const LayerAudit& audit, Uniqueness unique);

}  // namespace attest
