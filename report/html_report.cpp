#include "report/html_report.hpp"

#include "core/base/files.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"
#include "record/checked_case.hpp"
#include "report/pages.hpp"

#include <nlohmann/json.hpp>

#include <cctype>
#include <span>

namespace attest::html {

std::string table(const std::vector<std::string>& headings, const std::vector<Cells>& rows) {
    std::string made =
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>";
    if (!headings.empty()) {
        made += "<thead><tr>";
        for (const std::string& heading : headings) {
            made += formatted("<th scope=\"col\">{}</th>", text(heading));
        }
        made += "</tr></thead>";
    }
    made += "<tbody>\n";
    for (const Cells& row : rows) {
        made += "<tr>";
        for (const std::string& cell : row) {
            made += formatted("<td>{}</td>", cell);
        }
        made += "</tr>\n";
    }
    return made + "</tbody></table></div>\n";
}

std::string section(std::string_view id, std::string_view title, std::string_view content) {
    return formatted(
        "<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", html::id(id), text(title), content);
}

std::string paragraph(std::string_view plain) {
    return formatted("<p>{}</p>\n", text(plain));
}

namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace

std::string text(std::string_view plain) {
    return xml_text(plain);
}

std::string lines(std::string_view plain) {
    std::string made;
    while (!plain.empty()) {
        const std::size_t end = plain.find('\n');
        made += text(plain.substr(0, end)) + "\n";
        plain.remove_prefix(end == std::string_view::npos ? plain.size() : end + 1);
    }
    return made;
}

std::string breakable(std::string_view name) {
    return replaced(replaced(text(name), "/", "/<wbr>"), "_", "_<wbr>");
}

std::string id(std::string_view name) {
    std::string made;
    for (const char letter : name) {
        made += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
    }
    return made;
}

std::string code(std::string_view plain) {
    return "<code>" + text(plain) + "</code>";
}

std::string command(std::string_view words) {
    return formatted("{}{}</code><button type=\"button\" class=\"copy\">Copy</button></div>\n",
                     R"(<div class="command"><code>)",
                     text(words));
}

std::string data_block(std::string_view element_id, const nlohmann::ordered_json& value) {
    return formatted("{}{}{}{}</script>\n",
                     R"(<script type="application/json" id=")",
                     id(element_id),
                     R"(">)",
                     replaced(json_text(value), "<", "\\u003c"));
}

std::string inline_svg(std::string_view svg, std::string_view prefix) {
    const std::size_t begin = svg.find("<svg");
    std::string element(begin == std::string_view::npos ? "" : svg.substr(begin));
    const std::string mark = id(prefix) + "-";
    for (const char* quote : {"'", R"(")"}) {
        element = replaced(element, formatted(" id={}", quote), formatted(" id={}{}", quote, mark));
        element =
            replaced(element, formatted("href={}#", quote), formatted("href={}#{}", quote, mark));
    }
    element = replaced(element, "url(#", "url(#" + mark);
    constexpr std::string_view kOwnName = "<title>gnuplot_plot";
    for (std::size_t at = element.find(kOwnName); at != std::string::npos;
         at = element.find(kOwnName)) {
        const std::size_t end = element.find("</title>", at);
        element.erase(at, end == std::string::npos ? end : end + 8 - at);
    }
    return replaced(element, "<svg", R"(<svg role="img")");
}

}  // namespace attest::html

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
