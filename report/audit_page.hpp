#pragma once

#include "core/questions/audit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What the files of an audit are called; `held_out` is empty without.
struct AuditNames {
    std::string model;
    std::string data;
    std::string held_out;
};

/// One page about one layer: is it unique, how good is it, what to do; then the details, and
/// audit_json as data. Self-contained: it asks no network and no other file, and runs no script.
[[nodiscard]] std::string audit_page(const LayerAudit& audit,
                                     const AuditSummary& summary,
                                     const AuditNames& names);

/// Is it unique, how good is it, what to do, what was seen; without an id, so that one page holds
/// many.
[[nodiscard]] std::string verdict_article(const AuditSummary& summary,
                                          const std::vector<LeftOut>& left_out);

// The parts of the audit page, each an HTML element with its own id and heading.

/// One screen for a person in a hurry, with what the page does not say.
[[nodiscard]] std::string verdict_section(const AuditSummary& summary,
                                          const std::vector<LeftOut>& left_out);
/// Rank, structure, coverage, and the relations that leave something open.
[[nodiscard]] std::string determined_section(const LayerAudit& audit);
/// The held-out inputs, the open ones first and those alike on one line, and what each breaks.
[[nodiscard]] std::string held_out_section(const LayerAudit& audit);
/// Risk, condition, the effect of label noise, examples with much influence.
[[nodiscard]] std::string goodness_section(const LayerAudit& audit);
/// Heads needed and the error of fewer.
[[nodiscard]] std::string heads_section(const LayerAudit& audit);
/// Coordinates that say little, and duplicates.
[[nodiscard]] std::string examples_section(const LayerAudit& audit);
/// What is not said here, and why.
[[nodiscard]] std::string left_out_section(const LayerAudit& audit);

/// Loss against heads; nothing to draw: empty. Without gnuplot that is said in its place.
[[nodiscard]] std::string head_figure(const HeadNeeds& heads);
/// Leverages of the held-out inputs, ascending, beside the mean over the data.
[[nodiscard]] std::string leverage_figure(const LayerAudit& audit);

}  // namespace attest
