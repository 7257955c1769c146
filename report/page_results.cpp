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
    std::string address = formatted("rows-{}-", anchor_of(entry));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        address += formatted("{}{}", i == 0 ? "" : ".", rows[i]);
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
        return formatted("<td>{}</td>", html::text(shown));
    }
    return formatted("{}{}{}{}: {}, {} of {}{}{}{}</a></td>",
                     R"(<td><a href="#)",
                     rows_address(entry, source->rows),
                     R"(" title=")",
                     html::text(line[at].text),
                     html::text(source->metric),
                     source->statistic,
                     source->rows.size(),
                     source->rows.size() == 1 ? " row" : " rows",
                     R"(">)",
                     html::text(shown));
}

std::string table(const ResultEntry& entry,
                  const NumberSources& sources,
                  const DerivedTable& derived) {
    if (derived.full.empty()) {
        return "";
    }
    const std::vector<std::string>& header = derived.full.front();
    std::string text = formatted("{}{}{}{}</caption><thead><tr>",
                                 R"(<div class="scroll" tabindex="0" role="region" aria-label=")",
                                 html::text(derived.name),
                                 R"("><table class="numbers"><caption>)",
                                 html::text(derived.name));
    for (const std::string& name : header) {
        text += formatted("{}{}</th>", R"(<th scope="col">)", html::text(name));
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
    return formatted(
        "{}{}\">\n<div class=\"drawing\">{}</div>\n<figcaption><button type=\"button\" "
        "class=\"zoom\">Zoom</button> {}{}{}\">its rows</a>; a curve's name shows where you "
        "point.</figcaption>\n</figure>\n",
        R"(<figure id="figure-)",
        id,
        html::inline_svg(derived.svg, id),
        html::text(derived.name),
        R"(: drawn from <a href="#rows-)",
        anchor_of(entry));
}

/// "450 cases, 2 refused": how they ended.
std::string endings(const std::vector<Row>& rows) {
    std::map<std::string, std::size_t> counts;
    double seconds = 0.0;
    for (const Row& row : rows) {
        ++counts[std::string(to_string(row.status))];
        seconds += row.seconds;
    }
    std::string text = formatted("{}{}", rows.size(), rows.size() == 1 ? " case" : " cases");
    for (const auto& [status, count] : counts) {
        if (status != "ok") {
            text += formatted(", {} {}", count, status);
        }
    }
    return formatted("{}, {} of measuring", text, format_seconds(seconds));
}

std::string experiment_article(const ResultEntry& entry, std::string_view summary) {
    const DerivedFiles derived = derive_files(entry);
    const NumberSources sources(entry.rows);
    std::string text = formatted(
        "{}{}\">\n<h3>{}</h3>\n<p>{}.</p>\n<p class=\"quiet\">{} profile, {}, commit {}</p>\n",
        R"(<article id="experiment-)",
        anchor_of(entry),
        html::text(entry.id),
        html::text(summary),
        html::text(entry.profile),
        endings(entry.rows),
        html::code(entry.header.provenance.commit.substr(0, 12)));
    if (!derived.problem.empty()) {
        text += formatted("{}{}</p>\n",
                          R"(<p class="warning">Not everything could be drawn: )",
                          html::text(derived.problem));
    }
    for (const DerivedFigure& one : derived.figures) {
        text += figure(entry, one);
    }
    std::string tables;
    for (const DerivedTable& one : derived.tables) {
        tables += table(entry, sources, one);
    }
    if (!tables.empty()) {
        text += formatted(
            "{}{}><summary>Tables ({}); a number leads to the rows that hold "
            "it</summary>\n{}</details>\n",
            R"(<details class="tables")",
            derived.figures.empty() ? " open" : "",
            derived.tables.size(),
            tables);
    }
    return formatted(
        "{}{}{}</article>\n",
        text,
        rows_table(entry),
        html::command(formatted("attest reproduce {} --profile {}", entry.id, entry.profile)));
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
    return formatted("{}{}{}{}) of {}</summary>\n<div class=\"rows-body\"></div>\n</details>\n{}",
                     R"(<details class="rows" id="rows-)",
                     anchor,
                     R"("><summary>Rows ()",
                     entry.rows.size(),
                     html::text(entry.path.filename().string()),
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
        absent += found ? "" : formatted(" <code>{}</code>", html::text(experiment.id));
    }
    if (topic == Topic::papers) {
        for (const ResultEntry& entry : results.entries) {
            if (!in_catalogue(entry)) {
                articles += experiment_article(entry, "an experiment this program does not know");
            }
        }
    }
    const bool papers = topic == Topic::papers;
    return formatted("{}{}\">\n<h2>{}</h2>\n{}{}</section>\n",
                     R"(<section id=")",
                     papers ? "experiments" : "solvers",
                     papers ? "Figures and tables" : "Solvers compared",
                     articles,
                     absent.empty() ? "" : formatted("<p>No rows here of:{}.</p>\n", absent));
}

}  // namespace attest
