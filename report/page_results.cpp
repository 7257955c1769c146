#include "core/base/text.hpp"
#include "report/claim_rows.hpp"
#include "report/derived_files.hpp"
#include "report/html_text.hpp"
#include "report/number_sources.hpp"
#include "report/page_sections.hpp"
#include "report/rows_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace attest {

namespace {

/// "rows-quick-fig2-3.4.5": the address under which the page shows these rows.
std::string rows_address(const ResultEntry& entry, const std::vector<std::size_t>& rows) {
    std::string address = concat("rows-", anchor_of(entry), "-");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        address += concat(i == 0 ? "" : ".", rows[i]);
    }
    return address;
}

std::string cell(const ResultEntry& entry,
                 const NumberSources& sources,
                 const std::vector<HeadedCell>& line,
                 std::size_t at,
                 const std::string& shown) {
    const std::optional<NumberSource> source = sources.find(line, at);
    if (!source) {
        return concat("<td>", html::text(shown), "</td>");
    }
    return concat(R"(<td><a href="#)",
                  rows_address(entry, source->rows),
                  R"(" title=")",
                  html::text(line[at].text),
                  ": ",
                  html::text(source->metric),
                  ", ",
                  source->statistic,
                  " of ",
                  source->rows.size(),
                  source->rows.size() == 1 ? " row" : " rows",
                  R"(">)",
                  html::text(shown),
                  "</a></td>");
}

std::string table(const ResultEntry& entry,
                  const NumberSources& sources,
                  const DerivedTable& derived) {
    if (derived.full.empty()) {
        return "";
    }
    const std::vector<std::string>& header = derived.full.front();
    std::string text = concat(R"(<div class="scroll" tabindex="0" role="region" aria-label=")",
                              html::text(derived.name),
                              R"("><table class="numbers"><caption>)",
                              html::text(derived.name),
                              "</caption><thead><tr>");
    for (const std::string& name : header) {
        text += concat(R"(<th scope="col">)", html::text(name), "</th>");
    }
    text += "</tr></thead><tbody>\n";
    for (std::size_t i = 1; i < derived.full.size(); ++i) {
        const std::vector<std::string>& full = derived.full[i];
        std::vector<HeadedCell> line;
        for (std::size_t j = 0; j < full.size() && j < header.size(); ++j) {
            line.push_back({header[j], full[j]});
        }
        text += "<tr>";
        for (std::size_t j = 0; j < line.size(); ++j) {
            const bool rounded = i < derived.shown.size() && j < derived.shown[i].size();
            text += cell(entry, sources, line, j, rounded ? derived.shown[i][j] : full[j]);
        }
        text += "</tr>\n";
    }
    return text + "</tbody></table></div>\n";
}

std::string figure(const ResultEntry& entry, const DerivedFigure& derived) {
    const std::string id = anchor_of(entry) + "-" + html::id(derived.name);
    return concat(
        R"(<figure id="figure-)",
        id,
        "\">\n<div class=\"drawing\">",
        html::inline_svg(derived.svg, id),
        "</div>\n<figcaption><button type=\"button\" class=\"zoom\">Zoom</button> ",
        html::text(derived.name),
        R"(: drawn from <a href="#rows-)",
        anchor_of(entry),
        "\">its rows</a>; a curve's name shows where you point.</figcaption>\n</figure>\n");
}

/// "450 cases, 2 refused": how they ended.
std::string endings(const std::vector<Row>& rows) {
    std::map<std::string, std::size_t> counts;
    double seconds = 0.0;
    for (const Row& row : rows) {
        ++counts[std::string(to_string(row.status))];
        seconds += row.seconds;
    }
    std::string text = concat(rows.size(), rows.size() == 1 ? " case" : " cases");
    for (const auto& [status, count] : counts) {
        if (status != "ok") {
            text += concat(", ", count, " ", status);
        }
    }
    return concat(text, ", ", format_seconds(seconds), " of measuring");
}

std::string experiment_article(const ResultEntry& entry, std::string_view summary) {
    const DerivedFiles derived = derive_files(entry);
    const NumberSources sources(entry.rows);
    std::string text = concat(R"(<article id="experiment-)",
                              anchor_of(entry),
                              "\">\n<h3>",
                              html::text(entry.id),
                              "</h3>\n<p>",
                              html::text(summary),
                              ".</p>\n<p class=\"quiet\">",
                              html::text(entry.profile),
                              " profile, ",
                              endings(entry.rows),
                              ", commit ",
                              html::code(entry.header.provenance.commit.substr(0, 12)),
                              "</p>\n");
    if (!derived.problem.empty()) {
        text += concat(R"(<p class="warning">Not everything could be drawn: )",
                       html::text(derived.problem),
                       "</p>\n");
    }
    for (const DerivedFigure& one : derived.figures) {
        text += figure(entry, one);
    }
    std::string tables;
    for (const DerivedTable& one : derived.tables) {
        tables += table(entry, sources, one);
    }
    if (!tables.empty()) {
        text += concat(R"(<details class="tables")",
                       derived.figures.empty() ? " open" : "",
                       "><summary>Tables (",
                       derived.tables.size(),
                       "); a number leads to the rows that hold it</summary>\n",
                       tables,
                       "</details>\n");
    }
    return concat(
        text,
        rows_table(entry),
        html::command(concat("attest reproduce ", entry.id, " --profile ", entry.profile)),
        "</article>\n");
}

bool in_catalogue(const ResultEntry& entry) {
    return entry.id == kClaimsId ||
           std::any_of(experiments().begin(), experiments().end(), [&](const auto& experiment) {
               return experiment.id == entry.id;
           });
}

}  // namespace

std::string anchor_of(const ResultEntry& entry) {
    return html::id(entry.name());
}

std::string rows_table(const ResultEntry& entry) {
    const std::string anchor = anchor_of(entry);
    return concat(R"(<details class="rows" id="rows-)",
                  anchor,
                  R"("><summary>Rows ()",
                  entry.rows.size(),
                  ") of ",
                  html::text(entry.path.filename().string()),
                  "</summary>\n<div class=\"rows-body\"></div>\n</details>\n",
                  html::data_block("data-" + anchor, rows_json(entry.rows)));
}

std::string results_section(const ResultSet& results, Topic topic) {
    std::string articles;
    std::string absent;
    for (const ExperimentEntry& experiment : experiments()) {
        if (experiment.topic != topic) {
            continue;
        }
        bool found = false;
        for (const ResultEntry& entry : results.entries) {
            if (entry.id == experiment.id) {
                articles += experiment_article(entry, experiment.summary);
                found = true;
            }
        }
        absent += found ? "" : concat(" <code>", html::text(experiment.id), "</code>");
    }
    if (topic == Topic::papers) {
        for (const ResultEntry& entry : results.entries) {
            if (!in_catalogue(entry)) {
                articles += experiment_article(entry, "an experiment this program does not know");
            }
        }
    }
    const bool papers = topic == Topic::papers;
    return concat(R"(<section id=")",
                  papers ? "experiments" : "solvers",
                  "\">\n<h2>",
                  papers ? "Figures and tables" : "Solvers compared",
                  "</h2>\n",
                  articles,
                  absent.empty() ? "" : concat("<p>No rows here of:", absent, ".</p>\n"),
                  "</section>\n");
}

}  // namespace attest
