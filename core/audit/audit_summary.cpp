#include "core/audit/audit_summary.hpp"

#include "core/audit/observations.hpp"
#include "core/base/choice.hpp"
#include "core/base/plural.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <set>

namespace attest {

namespace {

constexpr Choices<Concern, 2> kConcernNames{{{Concern::alarm, "alarm"}, {Concern::note, "note"}}};

constexpr Choices<Uniqueness, 5> kUniquenessNames{{{Uniqueness::everywhere, "everywhere"},
                                                   {Uniqueness::lengths_seen, "lengths_seen"},
                                                   {Uniqueness::held_out, "held_out"},
                                                   {Uniqueness::none, "no"},
                                                   {Uniqueness::undecided, "undecided"}}};

Uniqueness uniqueness(const LayerAudit& audit) {
    const Certification& found = audit.found;
    if (found.verdict == DataVerdict::determined) {
        return Uniqueness::everywhere;
    }
    if (found.structure && found.structure->determined_on_seen(*found.rank)) {
        return Uniqueness::lengths_seen;
    }
    if (found.queries && found.queries->verdict == DataVerdict::determined) {
        return Uniqueness::held_out;
    }
    return found.verdict == DataVerdict::not_determined ? Uniqueness::none : Uniqueness::undecided;
}

/// Heads that a layer needs for a deficiency to say anything of it.
std::string layers_asked(const Certification& found) {
    return found.heads == 0 ? "layers" : formatted("layers of {} heads or more", found.heads);
}

std::string among_few_heads(const Certification& found) {
    if (!found.few_heads || found.few_heads->verdict != LocalVerdict::determined) {
        return "";
    }
    return formatted(" Among layers of {} no other one near it has its outputs on the data.",
                     plural(found.few_heads->heads, "head"));
}

std::string unique_in_words(const LayerAudit& audit, Uniqueness unique) {
    const ExactRank& rank = *audit.found.rank;
    const std::string open =
        formatted("of the {} coefficients of an output the data determine {} combinations",
                  rank.psi,
                  rank.rank_lower);
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
                   among_few_heads(audit.found);
        case Uniqueness::none:
            return formatted(
                       "No, proved: {} that fit the data equally well compute different functions; "
                       "{}.",
                       layers_asked(audit.found),
                       open) +
                   among_few_heads(audit.found);
        case Uniqueness::undecided:
            return formatted("Undecided: {}.", rank.reason);
    }
    return "";
}

std::string good_in_words(const LayerAudit& audit) {
    if (!audit.risk) {
        return "Not known: the data have no labels.";
    }
    const ModelAudit& model = *audit.found.model;
    std::string text =
        formatted("Mean squared error {} on the data ({} of the labels' mean square); ",
                  model.risk,
                  audit.risk->relative);
    text += model.least_risk < model.risk
                ? formatted("the best layer of the family has {}.", model.least_risk)
                : "no layer of the family has less.";
    if (audit.held_out_risk) {
        text += formatted(" On the held-out inputs {} of the labels' mean square.",
                          audit.held_out_risk->relative);
    }
    return text;
}

}  // namespace

std::string_view to_string(Concern concern) {
    return name_of(kConcernNames, concern);
}

std::string_view to_string(Uniqueness uniqueness) {
    return name_of(kUniquenessNames, uniqueness);
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

}  // namespace attest
