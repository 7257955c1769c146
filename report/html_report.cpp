#include "report/html_report.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/text.hpp"
#include "report/page_assets.hpp"
#include "report/page_frame.hpp"
#include "report/page_sections.hpp"

#include <span>

namespace attest {

namespace {

constexpr std::string_view kNavigation =
    "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n<h1>Attest report</h1>\n"
    "<nav aria-label=\"Sections\"><ul>\n"
    "<li><a href=\"#claims\">Claims</a></li>\n"
    "<li><a href=\"#experiments\">Figures and tables</a></li>\n"
    "<li><a href=\"#solvers\">Solvers</a></li>\n"
    "<li><a href=\"#machine\">Turing machine</a></li>\n"
    "<li><a href=\"#explorer\">Explorer</a></li>\n"
    "<li><a href=\"#certificate\">Certificate</a></li>\n"
    "<li><a href=\"#environment\">Environment</a></li>\n</ul></nav>\n</header>\n"
    R"(<noscript><p class="warning">Without JavaScript everything but filters, zoom, steps, )"
    "the explorer and the tables of rows is here; the rows are in the files beside this "
    "page.</p></noscript>\n";

}  // namespace

std::string html_report(const ResultSet& results) {
    return html::page(
        "Attest report",
        formatted("{}<main id=\"main\">\n{}{}{}{}{}{}{}{}</main>\n<dialog id=\"zoom\" "
                  "aria-label=\"Figure, enlarged\"></dialog>\n<script>\n{}</script>\n",
                  kNavigation,
                  summary_section(results),
                  claims_section(results),
                  results_section(results, Topic::papers),
                  results_section(results, Topic::solvers),
                  machine_section(),
                  explorer_section(),
                  certificate_section(),
                  environment_section(results),
                  assets::kScript));
}

void write_html_report(const ResultSet& results, const std::string& path) {
    // Opened first: a place that cannot be written is found before the page is made.
    AtomicFile file(path);
    const std::string page = html_report(results);
    file.append(std::as_bytes(std::span(page.data(), page.size())));
    file.commit();
}

}  // namespace attest
