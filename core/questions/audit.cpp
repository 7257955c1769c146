#include "core/questions/audit.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/explain/data_facts.hpp"
#include "core/explain/mapped_rows.hpp"
#include "core/features/coefficients.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/questions/heads_by_kernel.hpp"
#include "core/questions/learn.hpp"
#include "core/questions/output.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace attest {

namespace {

constexpr std::size_t kShownInfluences = 5;
// Beyond, the derivative by the heads' entries is larger than an audit should wait for.
constexpr Index kMostHeadEntries = 2000;

void require_fit(const Model& model,
                 const Dataset& data,
                 std::string_view model_name,
                 std::string_view data_name) {
    require(data.layer == model.layer && data.layout() == model.layout() && data.d() == model.d,
            "{}: layer {} and d = {} do not match {}, of layer {} and d = {}",
            model_name,
            to_string(model.layer),
            model.d,
            data_name,
            to_string(data.layer),
            data.d());
    require(data.labels == LabelKind::none || data.o() == model.o,
            "{}: {} outputs, but {} have labels of {} entries",
            model_name,
            model.o,
            data_name,
            data.o());
}

/// Sizes of the heads whose family the layer is compared with: as it was trained, so far as ranks
/// tell. Full where they do not.
HeadSizes family_of(const Model& model) {
    return sizes_below_full(model).value_or(HeadSizes());
}

bool few_heads_can_be_asked(const Model& model) {
    return num_heads(model) > 0 && has_heads(model.layer) &&
           family_parameters(model, family_of(model)) <= kMostHeadEntries;
}

/// Of linear layers one search for the fewest, and one for the error of fewer.
double head_searches(const Model& model) {
    return model.layer.is_linear() ? 2.0 : 1.0;
}

CertifyRequest certify_request(const Model& model,
                               const Dataset& data,
                               const LayerAuditRequest& request,
                               const AuditPlan& plan) {
    CertifyRequest asked;
    const bool numerical = plan.has(AuditPart::singular_values);
    if (plan.has(AuditPart::held_out) && numerical) {
        asked.parts.queries = request.held_out;
    }
    asked.parts.reasons = plan.has(AuditPart::reasons);
    if (plan.has(AuditPart::coverage)) {
        asked.parts.coverage = request.confidence;
    }
    if (data.labels != LabelKind::none && numerical) {
        asked.model = &model;
        asked.model_name = request.model_name;
        if (plan.has(AuditPart::few_heads)) {
            asked.parts.heads = num_heads(model);
            asked.parts.head_sizes = family_of(model);
        }
    }
    return asked;
}

/// Where the rank was left out: what the number of examples alone proves.
Certification known_by_counting(const FactoredSource& data) {
    Certification found;
    found.data = data.sequences().shape();
    found.least_heads = heads_for_every_function(found.data);
    ExactEvidence exact;
    exact.rank = rank_by_counting(found.data, "was left out");
    found.verdict = data_verdict(exact.rank.verdict);
    found.answer = found.verdict;
    found.evidence = std::move(exact);
    return found;
}

void describe(LayerAudit& audit, const Dataset& data, const Model& model) {
    audit.layer = data.layer;
    audit.num_sequences = data.num_sequences();
    audit.shortest = audit.longest = data.length(0);
    for (Index i = 1; i < data.num_sequences(); ++i) {
        audit.shortest = std::min(audit.shortest, data.length(i));
        audit.longest = std::max(audit.longest, data.length(i));
    }
    audit.num_examples = data.num_examples();
    audit.d = data.d();
    audit.o = model.o;
    audit.psi = data.layout().psi();
    audit.is_labelled = data.labels != LabelKind::none;
}

std::vector<Influence> largest_influences(const FactoredSource& data) {
    const Vector leverages = data.leverage().of(*data.in_its_units(data.dataset()));
    std::vector<Index> order(static_cast<std::size_t>(leverages.size()));
    std::iota(order.begin(), order.end(), Index{0});
    const std::size_t shown = std::min(order.size(), kShownInfluences);
    std::partial_sort(order.begin(),
                      order.begin() + static_cast<std::ptrdiff_t>(shown),
                      order.end(),
                      [&](Index a, Index b) { return leverages(a) > leverages(b); });
    std::vector<Influence> influences;
    for (std::size_t k = 0; k < shown; ++k) {
        const double share = leverages(order[k]) / static_cast<double>(leverages.size());
        influences.push_back({order[k], share});
    }
    return influences;
}

std::optional<NoiseEffect> noise_effect(const FactoredSource& data,
                                        Index outputs,
                                        const LayerAuditRequest& request) {
    const std::optional<double> sigma = request.noise ? request.noise : noise_estimate(data);
    if (!sigma) {
        return std::nullopt;
    }
    const auto N = static_cast<double>(data.source().shape().num_examples);
    const auto rank = static_cast<double>(data.leverage().rank());
    const double per_leverage = *sigma * *sigma * static_cast<double>(outputs) / N;
    NoiseEffect effect{*sigma, !request.noise, per_leverage * rank, std::nullopt};
    if (request.held_out != nullptr) {
        const double trace =
            risk_elsewhere(data, *request.held_out, request.held_out_name, sigma).trace;
        effect.held_out_excess = std::isfinite(trace) ? per_leverage * trace : trace;
    }
    return effect;
}

void add_held_out(LayerAudit& audit,
                  const FactoredSource& data,
                  const Matrix& P,
                  const LayerAuditRequest& request) {
    const Dataset& inputs = *request.held_out;
    const Prediction outputs = predict_and_score(P, DatasetSource(inputs));
    const std::optional<QueryAudit>& queries = audit.exact().queries;
    const std::vector<std::vector<Index>> broken =
        audit.exact().explanation ? broken_relations(*audit.exact().explanation, inputs)
                                  : std::vector<std::vector<Index>>();
    const bool numerical = audit.plan.has(AuditPart::singular_values);
    const Vector leverages = !numerical ? Vector()
                             : queries  ? queries->leverages
                                        : data.leverage().of(*data.in_its_units(inputs));
    std::optional<TruthDistance> truth;
    if (audit.noise) {
        truth = distance_to_truth(data, inputs, audit.noise->sigma);
    }
    for (Index i = 0; i < inputs.num_examples(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        HeldOutInput one;
        if (queries) {
            one.verdict = queries->spans[k].verdict;
        }
        if (numerical) {
            one.leverage = leverages(i);
        }
        if (!broken.empty()) {
            one.broken = broken[k];
        }
        if (audit.found.model && queries) {
            one.may_differ_by = one.verdict == Determination::not_determined
                                    ? std::numeric_limits<double>::infinity()
                                    : audit.found.model->queries[k].may_differ_by;
        }
        if (truth) {
            one.truth_within = truth->within(i);
        }
        if (outputs.risk) {
            one.error = (outputs.y.col(i) - inputs.y.col(i)).stableNorm();
        }
        audit.held_out.push_back(std::move(one));
    }
    audit.held_out_risk = outputs.risk;
    audit.num_held_out = inputs.num_sequences();
    audit.seen = seen_before(data.dataset(), inputs);
}

bool is_planned(const AuditPlan& plan, AuditPart part) {
    return std::any_of(plan.parts.begin(), plan.parts.end(), [&](const PlannedPart& one) {
        return one.part == part;
    });
}

/// What other audits have and this one lacks, by name.
std::vector<LeftOut> left_out(const LayerAudit& audit, const LayerAuditRequest& request) {
    std::vector<LeftOut> list;
    if (!audit.is_labelled) {
        list.push_back({"how good the layer is, and how far an equally good one may differ",
                        "the data have no labels"});
    }
    for (LeftOut& one : beyond_budget(audit)) {
        list.push_back(std::move(one));
    }
    if (!audit.noise && audit.plan.has(AuditPart::singular_values)) {
        list.push_back({"the effect of label noise",
                        "it cannot be estimated without labels or with N <= psi; give --noise S"});
    }
    if (request.held_out == nullptr) {
        list.push_back({"single future inputs", "give them by --held-out FILE"});
    }
    const bool beyond =
        is_planned(audit.plan, AuditPart::fewest_heads) && !audit.plan.has(AuditPart::fewest_heads);
    if (!audit.heads.not_sought.empty() && !beyond) {
        list.push_back({"the heads needed and the error of fewer", audit.heads.not_sought});
    }
    if (!is_planned(audit.plan, AuditPart::few_heads)) {
        list.push_back({"whether it is unique among layers of as many heads",
                        !audit.is_labelled     ? "the data have no labels"
                        : audit.heads.has == 0 ? "the model has coefficients only"
                                               : "too many entries; certify --model --heads"});
    }
    if (audit.d == 0) {
        list.push_back({"dead and collinear coordinates",
                        "the layer " + to_string(audit.layer) + " reads no tokens"});
    } else if (audit.layer.cross || audit.layer.has_own_keys() ||
               audit.layer.gates != GateForm::none) {
        list.push_back({"dead coordinates of x, phi and gates", "tokens alone are looked at"});
    }
    if (audit.plan.has(AuditPart::rank) && audit.exact().rank.verdict == RankVerdict::deficient &&
        !(audit.exact().structure && audit.exact().structure->seen)) {
        list.push_back({"the structural rank", "too many features, lengths or terms"});
    }
    return list;
}

constexpr Choices<Concern, 2> kConcernNames{{{Concern::alarm, "alarm"}, {Concern::note, "note"}}};

constexpr Choices<Uniqueness, 5> kUniquenessNames{{{Uniqueness::everywhere, "everywhere"},
                                                   {Uniqueness::lengths_seen, "lengths_seen"},
                                                   {Uniqueness::held_out, "held_out"},
                                                   {Uniqueness::none, "no"},
                                                   {Uniqueness::undecided, "undecided"}}};

bool is_determined_on_held_out(const LayerAudit& audit) {
    const std::optional<QueryAudit>& queries = audit.exact().queries;
    return queries && queries->verdict == DataVerdict::determined;
}

/// Equally good layers agree on their data in any case.
bool tests_nothing(const LayerAudit& audit) {
    return std::ssize(audit.seen) == audit.num_held_out;
}

Uniqueness uniqueness(const LayerAudit& audit) {
    const DataVerdict verdict = audit.found.verdict;
    const ExactEvidence& exact = audit.exact();
    if (verdict == DataVerdict::determined) {
        return Uniqueness::everywhere;
    }
    if (exact.structure && exact.structure->determined_on_seen(exact.rank)) {
        return Uniqueness::lengths_seen;
    }
    if (is_determined_on_held_out(audit)) {
        return tests_nothing(audit) ? Uniqueness::undecided : Uniqueness::held_out;
    }
    return verdict == DataVerdict::not_determined ? Uniqueness::none : Uniqueness::undecided;
}

/// Heads that a layer needs for a deficiency to say anything of it.
std::string layers_asked(const Certification& found) {
    return found.least_heads == 0 ? "layers"
                                  : formatted("layers of {} heads or more", found.least_heads);
}

std::string among_few_heads(const ExactEvidence& found) {
    if (!found.few_heads || found.few_heads->verdict != LocalVerdict::determined) {
        return "";
    }
    return formatted(" Among layers of {} no other one near it has its outputs on the data.",
                     family_in_words(*found.few_heads));
}

std::string unique_in_words(const LayerAudit& audit, Uniqueness unique) {
    const ExactRank& rank = audit.exact().rank;
    const std::string open =
        formatted("of the {} coefficients of an output the data determine {}{} combinations",
                  rank.psi,
                  audit.plan.has(AuditPart::rank) ? "" : "at most ",
                  audit.plan.has(AuditPart::rank) ? rank.rank_lower : rank.rank_upper);
    switch (unique) {
        case Uniqueness::everywhere:
            return "Yes, proved: every layer of the family that fits the data best computes one "
                   "function.";
        case Uniqueness::lengths_seen:
            return formatted(
                "Yes on inputs of {}, proved: {}, and the rest changes no output there.",
                tokens_in_words(audit),
                open);
        case Uniqueness::held_out:
            return formatted("On every held-out input yes, proved; elsewhere no: {}.", open) +
                   among_few_heads(audit.exact());
        case Uniqueness::none:
            return formatted(
                       "No, proved: {} that fit the data equally well compute different functions; "
                       "{}.",
                       layers_asked(audit.found),
                       open) +
                   among_few_heads(audit.exact());
        case Uniqueness::undecided:
            return is_determined_on_held_out(audit)
                       ? formatted(
                             "Undecided: every held-out sequence stands in the data, where "
                             "equally good layers agree in any case; {}.",
                             open)
                       : formatted("Undecided: {}.", rank.reason);
    }
    return "";
}

std::string good_in_words(const LayerAudit& audit) {
    if (!audit.risk) {
        return "Not known: the data have no labels.";
    }
    std::string text =
        formatted("Mean squared error {} on the data ({} of the labels' mean square)",
                  brief(std::ldexp(audit.risk->risk, audit.risk->exponent)),
                  brief(audit.risk->relative));
    if (const auto& model = audit.found.model) {
        text += model->least_risk < model->risk
                    ? formatted("; the best layer of the family has {}.", brief(model->least_risk))
                    : "; no layer of the family has less.";
    } else {
        text += ".";
    }
    if (audit.held_out_risk) {
        text += formatted(" On the held-out inputs {} of the labels' mean square.",
                          brief(audit.held_out_risk->relative));
    }
    return text;
}

using SequencesByDigest = std::map<std::string, std::vector<Index>>;

SequencesByDigest by_digest(const Dataset& data) {
    SequencesByDigest found;
    Index number = 0;
    for (const std::string& digest : input_digests(data)) {
        found[digest].push_back(number++);
    }
    return found;
}

/// Labels of a sequence, one a column.
Matrix labels_of(const Dataset& data, Index sequence) {
    const Index first = data.first_example(sequence);
    return data.y.middleCols(first, data.first_example(sequence + 1) - first);
}

double spread_of_labels(const Dataset& data, const std::vector<Index>& sequences) {
    if (data.labels == LabelKind::none) {
        return 0.0;
    }
    const Matrix first = labels_of(data, sequences.front());
    double most = 0.0;
    for (const Index i : sequences) {
        const Matrix difference = labels_of(data, i) - first;
        most = std::max(most, difference.colwise().stableNorm().maxCoeff());
    }
    return most;
}

constexpr std::size_t kMostCauses = 8;
// An error of half the labels' mean square, a thousand times what it is on the data.
constexpr double kFarOff = 0.5;

/// One after the other, each part by a function of its own.
class Observer {
public:
    Observer(const LayerAudit& audit, Uniqueness unique)
        : audit_(audit),
          open_(unique == Uniqueness::everywhere || unique == Uniqueness::lengths_seen
                    ? Concern::note
                    : Concern::alarm) {}

    std::vector<Observation> all() && {
        examples();
        causes();
        coordinates();
        duplicates();
        precision();
        held_out();
        goodness();
        heads();
        return std::move(seen_);
    }

private:
    void see(std::string kind, Concern concern, std::string sentence, std::string advice = "") {
        seen_.push_back({std::move(kind), concern, std::move(sentence), std::move(advice)});
    }

    /// What any data of so few examples leave open.
    void examples() {
        const auto& why = audit_.exact().explanation;
        const Index distinct = why ? why->distinct_examples : audit_.num_examples;
        const auto& structure = audit_.exact().structure;
        const Index wanted = structure && structure->seen ? structure->seen->rank : audit_.psi;
        const Index missing = wanted - distinct;
        if (missing > 0 && audit_.found.verdict != DataVerdict::determined) {
            see("too_few_examples",
                open_,
                formatted("{}, but {} to be determined for each output.",
                          plural(distinct, "distinct example"),
                          plural(wanted, "coefficient")),
                formatted("Record at least {} more, {} in all{}.",
                          plural(missing, "distinct example"),
                          wanted,
                          time_with(missing)));
        }
    }

    /// What their audit takes, where somebody would wait for it.
    std::string time_with(Index more) const {
        constexpr double kQuick = 2.0;
        AuditSize size = audit_.plan.size;
        size.num_examples += more;
        const double seconds = estimated_seconds(AuditPart::rank, size) +
                               estimated_seconds(AuditPart::singular_values, size);
        return seconds < kQuick ? ""
                                : formatted("; their rank and singular values take about {}",
                                            format_seconds(seconds));
    }

    /// Relations between features that hold in every example, by cause.
    void causes() {
        if (!audit_.exact().explanation) {
            return;
        }
        std::set<std::string> known;
        std::size_t more = 0;
        for (const RelationClass& one : audit_.exact().explanation->classes) {
            if (one.is_structural || !known.insert(one.cause.because).second) {
                continue;
            }
            if (known.size() > kMostCauses) {
                ++more;
                continue;
            }
            see(std::string(to_string(one.cause.kind)),
                open_,
                formatted("{}: {} in every example.", one.cause.because, to_string(one.example)),
                formatted("Record {}.", one.cause.broken_by));
        }
        if (more > 0) {
            see("more_causes", Concern::note, formatted("{} more causes are listed below.", more));
        }
    }

    /// Coordinates that say nothing by themselves; what they leave open is among the causes.
    void coordinates() {
        const auto dead = [&](const char* kind, const std::vector<Index>& list, const char* what) {
            if (!list.empty()) {
                see(kind,
                    Concern::note,
                    formatted("Coordinate{} {} {} {} in every token.",
                              list.size() == 1 ? "" : "s",
                              list_of(list),
                              list.size() == 1 ? "is" : "are",
                              what));
            }
        };
        const auto& why = audit_.exact().explanation;
        const bool is_cause =
            why && std::any_of(why->classes.begin(), why->classes.end(), [](const auto& one) {
                return one.cause.kind == CauseKind::zero_coordinate;
            });
        if (!is_cause) {
            dead("zero_coordinate", audit_.facts.zero, "0");
        }
        dead("constant_coordinate", audit_.facts.constant, "constant");
    }

    void duplicates() {
        Index repeated = 0;
        double most = 0.0;
        for (const DuplicateGroup& group : audit_.duplicates) {
            repeated += std::ssize(group.sequences) - 1;
            most = std::max(most, group.labels_differ_by);
        }
        if (repeated == 0) {
            return;
        }
        see("duplicates",
            Concern::note,
            formatted("{} of {} repeat an earlier input.",
                      repeated,
                      plural(audit_.num_sequences, "sequence")));
        if (most > 0.0) {
            see("contradictory_labels",
                Concern::alarm,
                formatted("Equal inputs have labels that differ by up to {}: no function has both.",
                          brief(most)),
                "Look at the labels of the duplicates: noise, or something the layer is not "
                "given.");
        }
    }

    void precision() {
        const ExactRank& rank = audit_.exact().rank;
        if (audit_.spectrum && audit_.spectrum->rank < rank.rank_lower) {
            see("ill_conditioned",
                Concern::alarm,
                formatted(
                    "The rank is {}, proved, but double precision sees {}: what is learned in "
                    "floating point may be another function.",
                    rank.rank_lower,
                    audit_.spectrum->rank),
                "Bring the coordinates to one size, or record more varied inputs.");
        }
    }

    void held_out() {
        if (const auto& queries = audit_.exact().queries; queries && queries->not_determined > 0) {
            see("held_out_open",
                Concern::alarm,
                formatted("On {} of {} the output is open: equally good layers with heads enough "
                          "differ there by any amount.",
                          queries->not_determined,
                          plural(std::ssize(queries->spans), "held-out input")),
                "Record inputs like the open ones.");
        }
        if (!audit_.seen.empty()) {
            see("held_out_seen",
                Concern::alarm,
                formatted("{} of the held-out sequences stand in the data: they test nothing.",
                          audit_.seen.size()),
                "Hold out inputs that the layer has not seen.");
        }
        held_out_elsewhere();
    }

    /// A layer that is good on its data and no better than zeros elsewhere.
    void held_out_elsewhere() {
        if (!audit_.risk || !audit_.held_out_risk || audit_.held_out_risk->relative < kFarOff ||
            audit_.risk->relative > kFarOff / 1000.0) {
            return;
        }
        see("held_out_far_off",
            Concern::alarm,
            formatted("On the held-out inputs the error is {} of the labels' mean square, on the "
                      "data {}: {}.",
                      brief(audit_.held_out_risk->relative),
                      brief(audit_.risk->relative),
                      is_determined_on_held_out(audit_)
                          ? "every layer that fits the data is as far off, so these are "
                            "most likely records of another layer"
                          : "these look like the records of another layer"),
            "Hold out records of the same layer; if they are, it fits its data and nothing else.");
    }

    void goodness() {
        if (!audit_.risk) {
            return;
        }
        if (audit_.risk->relative >= 1.0) {
            see("no_better_than_zero",
                Concern::alarm,
                "The layer's outputs are no nearer to the labels than zeros.",
                "Check the import: scale, heads, decays, and what the labels are, perhaps the "
                "outputs of another layer.");
            return;
        }
        if (!audit_.found.model) {
            return;
        }
        const ModelAudit& model = *audit_.found.model;
        const double excess = model.risk - model.least_risk;
        if (model.risk > 0.0 && excess > kStoredRisk * model.risk / audit_.risk->relative) {
            see("not_the_best_layer",
                Concern::note,
                formatted("A layer of the family has mean squared error {} where this one has {}.",
                          brief(model.least_risk),
                          brief(model.risk)),
                "attest learn finds it.");
        }
    }

    void heads() {
        const HeadNeeds& heads = audit_.heads;
        if (heads.found && *heads.found < heads.has) {
            see("fewer_heads",
                Concern::note,
                formatted("{} of {} compute the same{}.",
                          plural(*heads.found, "head"),
                          heads.has,
                          heads.same_everywhere ? " function" : " on the data"),
                "attest heads finds them.");
        }
    }

    const LayerAudit& audit_;
    Concern open_;
    std::vector<Observation> seen_;
};

std::string why_beyond(const LayerAudit& audit, const PlannedPart& part) {
    return part.fits_memory
               ? formatted("about {}, more than the budget leaves; {} --budget {} adds it",
                           format_seconds(part.seconds),
                           audit.again,
                           audit.plan.budget_for(part.part))
               : formatted("needs about {} of memory, the limit is {}; take a larger machine",
                           format_bytes(part.bytes),
                           format_bytes(audit.plan.size.memory));
}

}  // namespace

std::vector<LeftOut> beyond_budget(const LayerAudit& audit) {
    std::vector<LeftOut> list;
    for (const PlannedPart& one : audit.plan.parts) {
        if (!one.included) {
            list.push_back({std::string(words(one.part)), why_beyond(audit, one)});
        }
    }
    return list;
}

AuditPlan audit_plan(const FactoredSource& data,
                     const Model& model,
                     const LayerAuditRequest& request) {
    const Dataset& examples = data.dataset();
    require_fit(model, examples, request.model_name, "the data");
    if (request.held_out != nullptr) {
        require_fit(model, *request.held_out, request.model_name, request.held_out_name);
    }
    AuditSize size = audit_size(sequence_shape(examples));
    size.outputs = model.o;
    size.held_out = request.held_out == nullptr ? 0 : request.held_out->num_examples();
    if (examples.labels != LabelKind::none && few_heads_can_be_asked(model)) {
        size.head_entries = family_parameters(model, family_of(model));
    }
    const Matrix P = coefficients(model, request.model_name);
    if (why_not_sought(model, P).empty()) {
        size.head_seconds = head_searches(model) * request.head_budget;
    }
    size.machine_speed = request.machine_speed;
    size.layers = request.layers;
    size.rank_bytes = exact_rank_bytes(size.psi);
    size.factor_bytes = triangular_factor_bytes(data.source().shape());
    size.memory = memory_limit();
    return audit_plan(size, request.budget);
}

LayerAudit audit_layer(const FactoredSource& data,
                       const Model& model,
                       const LayerAuditRequest& request) {
    const Dataset& examples = data.dataset();
    const AuditPlan plan = audit_plan(data, model, request);
    const Matrix P = coefficients(model, request.model_name);
    LayerAudit audit;
    describe(audit, examples, model);
    audit.plan = plan;
    const bool numerical = audit.plan.has(AuditPart::singular_values);
    audit.found = audit.plan.has(AuditPart::rank)
                      ? certify(data, certify_request(model, examples, request, audit.plan))
                      : known_by_counting(data);
    if (audit.plan.has(AuditPart::held_out) && !numerical) {
        auto& exact = std::get<ExactEvidence>(audit.found.evidence);
        exact.queries = query_verdicts(data, exact.rank, *request.held_out);
    }
    if (numerical && audit.is_labelled && !audit.found.model) {
        audit.found.model = audit_model(data, model, request.model_name, nullptr);
    }
    audit.facts = data_facts(examples);
    audit.duplicates = duplicate_groups(examples);
    if (audit.is_labelled) {
        audit.risk = empirical_risk(P, data.source());
    }
    if (numerical) {
        audit.spectrum = data.spectrum();
        audit.influences = largest_influences(data);
        audit.noise = noise_effect(data, model.o, request);
    }
    if (request.held_out != nullptr) {
        add_held_out(audit, data, P, request);
    }
    if (audit.plan.has(AuditPart::fewest_heads)) {
        const double each = audit.plan.seconds_of(AuditPart::fewest_heads) / head_searches(model);
        audit.heads = model.layer.is_linear() ? head_needs(data, model, P, each, request.stream)
                                              : head_needs_by_kernel(model, each, request.stream);
    } else {
        audit.heads.has = num_heads(model);
        audit.heads.not_sought = is_planned(audit.plan, AuditPart::fewest_heads)
                                     ? "more than the budget leaves"
                                     : why_not_sought(model, P);
    }
    audit.again = request.again;
    audit.left_out = left_out(audit, request);
    return audit;
}

std::string_view to_string(Concern concern) {
    return name_of(kConcernNames, concern);
}

std::string_view to_string(Uniqueness uniqueness) {
    return name_of(kUniquenessNames, uniqueness);
}

Decision decision(Uniqueness uniqueness) {
    return uniqueness == Uniqueness::none        ? Decision::no
           : uniqueness == Uniqueness::undecided ? Decision::undecided
                                                 : Decision::yes;
}

std::vector<std::string> AuditSummary::what_to_do() const {
    std::vector<std::string> advice;
    std::set<std::string> known;
    for (const Observation& one : observations) {
        if (one.concern == Concern::alarm && !one.advice.empty() &&
            known.insert(one.advice).second) {
            advice.push_back(one.advice);
        }
    }
    if (advice.empty()) {
        advice.emplace_back(alarms() == 0 ? "Nothing: no alarm."
                                          : "See the alarms; none has a known cure.");
    }
    return advice;
}

Index AuditSummary::alarms() const {
    return std::count_if(observations.begin(), observations.end(), [](const Observation& one) {
        return one.concern == Concern::alarm;
    });
}

std::string tokens_in_words(const LayerAudit& audit) {
    return audit.shortest == audit.longest
               ? plural(audit.longest, "token")
               : formatted("{} to {} tokens", audit.shortest, audit.longest);
}

AuditSummary summarise(const LayerAudit& audit) {
    AuditSummary summary;
    summary.unique = uniqueness(audit);
    summary.unique_in_words = unique_in_words(audit, summary.unique);
    summary.good_in_words = good_in_words(audit);
    summary.observations = observations(audit, summary.unique);
    std::stable_partition(summary.observations.begin(),
                          summary.observations.end(),
                          [](const Observation& one) { return one.concern == Concern::alarm; });
    return summary;
}

std::vector<DuplicateGroup> duplicate_groups(const Dataset& data) {
    std::vector<DuplicateGroup> groups;
    for (auto& [digest, sequences] : by_digest(data)) {
        if (sequences.size() > 1) {
            groups.push_back({sequences, spread_of_labels(data, sequences)});
        }
    }
    std::sort(groups.begin(), groups.end(), [](const DuplicateGroup& a, const DuplicateGroup& b) {
        return a.sequences.front() < b.sequences.front();
    });
    return groups;
}

std::vector<SeenBefore> seen_before(const Dataset& data, const Dataset& inputs) {
    const SequencesByDigest known = by_digest(data);
    std::vector<SeenBefore> seen;
    Index number = 0;
    for (const std::string& digest : input_digests(inputs)) {
        if (const auto at = known.find(digest); at != known.end()) {
            seen.push_back({number, at->second.front()});
        }
        ++number;
    }
    return seen;
}

std::vector<Observation> observations(const LayerAudit& audit, Uniqueness unique) {
    return Observer(audit, unique).all();
}

}  // namespace attest
