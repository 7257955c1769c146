#include "report/audit_json.hpp"

#include "core/base/json_text.hpp"
#include "core/questions/explanation_words.hpp"
#include "core/questions/output.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace attest {

namespace {

using nlohmann::ordered_json;

ordered_json if_known(const std::optional<double>& value) {
    return value ? number_or_null(*value) : ordered_json(nullptr);
}

ordered_json counted_from_one(const std::vector<Index>& coordinates) {
    ordered_json list = ordered_json::array();
    for (const Index j : coordinates) {
        list.push_back(j + 1);
    }
    return list;
}

ordered_json summary_json(const AuditSummary& summary) {
    return {{"unique", to_string(summary.unique)},
            {"unique_in_words", summary.unique_in_words},
            {"good_in_words", summary.good_in_words},
            {"alarms", summary.alarms()},
            {"what_to_do", summary.what_to_do()},
            {"observations", observations_json(summary.observations)}};
}

ordered_json data_json(const LayerAudit& audit) {
    return {{"layer", to_string(audit.layer)},
            {"num_sequences", audit.num_sequences},
            {"num_examples", audit.num_examples},
            {"tokens", {audit.shortest, audit.longest}},
            {"d", audit.d},
            {"o", audit.o},
            {"psi", audit.psi}};
}

ordered_json rank_json(const LayerAudit& audit) {
    const ExactEvidence& found = audit.exact();
    const ExactRank& rank = found.rank;
    ordered_json json{
        {"verdict", to_string(audit.found.verdict)},
        {"rank", rank.rank_is_exact() ? ordered_json(rank.rank_lower) : nullptr},
        {"rank_lower", rank.rank_lower},
        {"rank_upper", rank.rank_upper},
        {"reason", rank.reason},
        {"roundings_to_lower_rank", found.roundings ? ordered_json(*found.roundings) : nullptr},
        {"structural_rank", nullptr}};
    if (found.structure && found.structure->seen) {
        json["structural_rank"] = found.structure->seen->rank;
    }
    json["few_heads"] = nullptr;
    if (found.few_heads) {
        const std::optional<HeadSizes>& sizes = found.few_heads->sizes;
        json["few_heads"] = {
            {"verdict", to_string(found.few_heads->verdict)},
            {"heads", found.few_heads->heads},
            {"head_size", sizes ? ordered_json{sizes->key, sizes->value} : ordered_json()},
            {"dimension", found.few_heads->dimension},
            {"rank", found.few_heads->rank}};
    }
    json["explanation"] =
        found.explanation ? explanation_json(*found.explanation) : ordered_json(nullptr);
    return json;
}

ordered_json coverage_json(const std::optional<Coverage>& coverage) {
    if (!coverage) {
        return nullptr;
    }
    return {{"not_determined_expected", number_or_null(coverage->expected)},
            {"not_determined_at_most", number_or_null(coverage->at_most)},
            {"confidence", coverage->confidence},
            {"leave_one_out",
             coverage->outside ? ordered_json(*coverage->outside) : ordered_json(nullptr)}};
}

ordered_json held_out_json(const LayerAudit& audit) {
    if (audit.held_out.empty()) {
        return nullptr;
    }
    const auto& queries = audit.exact().queries;
    ordered_json inputs = ordered_json::array();
    for (const HeldOutInput& one : audit.held_out) {
        inputs.push_back({{"index", inputs.size()},
                          {"verdict", to_string(one.verdict)},
                          {"leverage", if_known(one.leverage)},
                          {"may_differ_by", if_known(one.may_differ_by)},
                          {"truth_within", if_known(one.truth_within)},
                          {"error", if_known(one.error)},
                          {"broken", one.broken}});
    }
    ordered_json seen = ordered_json::array();
    for (const SeenBefore& one : audit.seen) {
        seen.push_back({{"index", one.number}, {"as", one.as}});
    }
    return {
        {"determined", queries ? ordered_json(queries->determined) : ordered_json(nullptr)},
        {"not_determined", queries ? ordered_json(queries->not_determined) : ordered_json(nullptr)},
        {"relative_risk",
         audit.held_out_risk ? number_or_null(audit.held_out_risk->relative) : nullptr},
        {"seen", seen},
        {"inputs", inputs}};
}

ordered_json model_json(const LayerAudit& audit) {
    if (!audit.risk) {
        return nullptr;
    }
    const auto& model = audit.found.model;
    return {{"risk", number_or_null(std::ldexp(audit.risk->risk, audit.risk->exponent))},
            {"relative_risk", number_or_null(audit.risk->relative)},
            {"least_risk", model ? number_or_null(model->least_risk) : ordered_json(nullptr)}};
}

ordered_json examples_json(const LayerAudit& audit) {
    ordered_json groups = ordered_json::array();
    for (const DuplicateGroup& group : audit.duplicates) {
        groups.push_back({{"sequences", group.sequences},
                          {"labels_differ_by", number_or_null(group.labels_differ_by)}});
    }
    ordered_json influences = ordered_json::array();
    for (const Influence& one : audit.influences) {
        influences.push_back({{"example", one.example}, {"share", number_or_null(one.share)}});
    }
    return {{"zero_coordinates", counted_from_one(audit.facts.zero)},
            {"constant_coordinates", counted_from_one(audit.facts.constant)},
            {"facts", in_words(audit.facts)},
            {"duplicates", groups},
            {"influences", influences}};
}

ordered_json noise_json(const LayerAudit& audit) {
    if (!audit.noise) {
        return nullptr;
    }
    return {{"sigma", number_or_null(audit.noise->sigma)},
            {"is_estimated", audit.noise->is_estimated},
            {"excess_risk", number_or_null(audit.noise->excess_risk)},
            {"held_out_excess", if_known(audit.noise->held_out_excess)}};
}

/// Estimates, so the same in every run.
ordered_json plan_json(const AuditPlan& plan) {
    ordered_json parts = ordered_json::array();
    for (const PlannedPart& one : plan.parts) {
        parts.push_back({{"part", to_string(one.part)},
                         {"seconds", number_or_null(one.seconds)},
                         {"included", one.included}});
    }
    return {{"budget", number_or_null(plan.budget)}, {"parts", parts}};
}

ordered_json heads_json(const HeadNeeds& heads) {
    ordered_json fewer = ordered_json::array();
    for (const HeadLossAt& at : heads.fewer) {
        fewer.push_back({{"heads", at.heads}, {"loss", number_or_null(at.loss)}});
    }
    return {{"has", heads.has},
            {"at_least", heads.at_least},
            {"found", heads.found ? ordered_json(*heads.found) : ordered_json(nullptr)},
            {"same_everywhere", heads.same_everywhere},
            {"proved_fewest", heads.proved_fewest},
            {"fewer", fewer}};
}

}  // namespace

ordered_json audit_json(const LayerAudit& audit, const AuditSummary& summary) {
    ordered_json json = summary_json(summary);
    json.update(data_json(audit));
    json["determined"] = rank_json(audit);
    json["coverage"] = coverage_json(audit.exact().coverage);
    json["held_out"] = held_out_json(audit);
    json["model"] = model_json(audit);
    json["condition"] =
        audit.spectrum ? number_or_null(audit.spectrum->condition()) : ordered_json(nullptr);
    json["noise"] = noise_json(audit);
    json["examples"] = examples_json(audit);
    json["heads"] = heads_json(audit.heads);
    json["plan"] = plan_json(audit.plan);
    json["left_out"] = left_out_json(audit.left_out);
    return json;
}

ordered_json observations_json(const std::vector<Observation>& observations) {
    ordered_json list = ordered_json::array();
    for (const Observation& one : observations) {
        list.push_back({{"kind", one.kind},
                        {"concern", to_string(one.concern)},
                        {"sentence", one.sentence},
                        {"advice", one.advice}});
    }
    return list;
}

ordered_json left_out_json(const std::vector<LeftOut>& left_out) {
    ordered_json list = ordered_json::array();
    for (const LeftOut& one : left_out) {
        list.push_back({{"what", one.what}, {"why", one.why}});
    }
    return list;
}

}  // namespace attest
