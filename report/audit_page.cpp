#include "report/audit_page.hpp"

#include "core/base/plural.hpp"
#include "core/base/text.hpp"
#include "report/audit_json.hpp"
#include "report/audit_sections.hpp"
#include "report/html_text.hpp"
#include "report/page_frame.hpp"

#include <nlohmann/json.hpp>

namespace attest {

namespace {

constexpr std::string_view kNavigation =
    "<nav aria-label=\"Sections\"><ul>\n"
    "<li><a href=\"#determined\">What the data determine</a></li>\n"
    "<li><a href=\"#held-out\">Held-out inputs</a></li>\n"
    "<li><a href=\"#goodness\">Error and noise</a></li>\n"
    "<li><a href=\"#heads\">Heads</a></li>\n"
    "<li><a href=\"#examples\">The data</a></li>\n"
    "<li><a href=\"#left-out\">Not said</a></li>\n</ul></nav>\n";

std::string subject(const LayerAudit& audit, const AuditNames& names) {
    return formatted(
        "<p class=\"quiet\">{} on {}{}: layer {}, {} of {}, {} for {}, d = {}, ψ = "
        "{}.</p>\n",
        html::code(names.model),
        html::code(names.data),
        names.held_out.empty() ? "" : ", held out " + html::code(names.held_out),
        html::code(to_string(audit.layer)),
        plural(audit.num_sequences, "sequence"),
        tokens_in_words(audit),
        plural(audit.num_examples, "example"),
        plural(audit.o, "output"),
        audit.d,
        audit.psi);
}

}  // namespace

std::string audit_page(const LayerAudit& audit,
                       const AuditSummary& summary,
                       const AuditNames& names) {
    return html::page(
        "Attest audit",
        formatted("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n"
                  "<h1>Attest audit</h1>\n{}</header>\n<main id=\"main\">\n{}{}{}{}{}{}{}{}</main>"
                  "\n{}",
                  subject(audit, names),
                  verdict_section(summary),
                  kNavigation,
                  determined_section(audit),
                  held_out_section(audit),
                  goodness_section(audit),
                  heads_section(audit),
                  examples_section(audit),
                  left_out_section(audit),
                  html::data_block("audit", audit_json(audit, summary))));
}

}  // namespace attest
