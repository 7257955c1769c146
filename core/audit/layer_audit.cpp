#include "core/audit/layer_audit.hpp"

#include "core/audit/model_of.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/explain/broken_relations.hpp"
#include "core/features/model_coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

bool few_heads_can_be_asked(const Model& model, const Dataset& data) {
    const Index heads = num_heads(model);
    if (heads == 0 || !has_heads(model.layer)) {
        return false;
    }
    const SumShape shape = sum_shape(model.layer, data.layer_input());
    const Index each = model.o * shape.rows + shape.columns * data.layout().m();
    return heads * each <= kMostHeadEntries;
}

CertifyRequest certify_request(const Model& model,
                               const Dataset& data,
                               const LayerAuditRequest& request) {
    CertifyRequest asked;
    asked.queries = request.held_out;
    asked.reasons = WantReasons::yes;
    asked.coverage = request.confidence;
    if (data.labels != LabelKind::none) {
        asked.model = &model;
        asked.model_name = request.model_name;
        asked.heads = few_heads_can_be_asked(model, data) ? num_heads(model) : 0;
    }
    return asked;
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
    const QueryAudit& queries = *audit.found.queries;
    const std::vector<std::vector<Index>> broken =
        broken_relations(*audit.found.explanation, inputs);
    std::optional<TruthDistance> truth;
    if (audit.noise) {
        truth = distance_to_truth(data, inputs, audit.noise->sigma);
    }
    for (std::size_t k = 0; k < queries.spans.size(); ++k) {
        const auto i = static_cast<Index>(k);
        HeldOutInput one{queries.spans[k].verdict, queries.leverages(i), {}, {}, {}, broken[k]};
        if (audit.found.model) {
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
    audit.seen = seen_before(data.dataset(), inputs);
}

/// What other audits have and this one lacks, by name.
std::vector<LeftOut> left_out(const LayerAudit& audit, const LayerAuditRequest& request) {
    std::vector<LeftOut> list;
    if (!audit.is_labelled) {
        list.push_back({"how good the layer is, and how far an equally good one may differ",
                        "the data have no labels"});
    }
    if (!audit.noise) {
        list.push_back({"the effect of label noise",
                        "it cannot be estimated without labels or with N <= psi; give --noise S"});
    }
    if (request.held_out == nullptr) {
        list.push_back({"single future inputs", "give them by --held-out FILE"});
    }
    if (!audit.heads.not_sought.empty()) {
        list.push_back({"the heads needed and the error of fewer", audit.heads.not_sought});
    }
    if (!audit.found.few_heads) {
        list.push_back({"whether it is unique among layers of as many heads",
                        !audit.is_labelled     ? "the data have no labels"
                        : audit.heads.has == 0 ? "the model has coefficients only"
                                               : "too many entries; certify --model --heads"});
    }
    if (audit.d == 0) {
        list.push_back({"dead and collinear coordinates",
                        "the layer " + to_string(audit.layer) + " reads no tokens"});
    } else if (audit.layer.cross || audit.layer.form == TokenForm::mapped ||
               audit.layer.gates != GateForm::none) {
        list.push_back({"dead coordinates of x, phi and gates", "tokens alone are looked at"});
    }
    if (audit.found.rank->verdict == RankVerdict::deficient &&
        !(audit.found.structure && audit.found.structure->seen)) {
        list.push_back({"the structural rank", "too many features, lengths or terms"});
    }
    return list;
}

}  // namespace

LayerAudit audit_layer(const FactoredSource& data,
                       const Model& model,
                       const LayerAuditRequest& request) {
    const Dataset& examples = data.dataset();
    require_fit(model, examples, request.model_name, "the data");
    if (request.held_out != nullptr) {
        require_fit(model, *request.held_out, request.model_name, request.held_out_name);
    }
    const Matrix P = coefficients(model, request.model_name);
    LayerAudit audit;
    describe(audit, examples, model);
    audit.found = certify(data, certify_request(model, examples, request));
    audit.spectrum = data.spectrum();
    audit.facts = data_facts(examples);
    audit.duplicates = duplicate_groups(examples);
    audit.influences = largest_influences(data);
    if (audit.is_labelled) {
        audit.risk = empirical_risk(P, data.source());
    }
    audit.noise = noise_effect(data, model.o, request);
    if (request.held_out != nullptr) {
        add_held_out(audit, data, P, request);
    }
    audit.heads = head_needs(data, model, P, request.head_budget, request.stream);
    audit.left_out = left_out(audit, request);
    return audit;
}

}  // namespace attest
