#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "report/catalogue.hpp"
#include "report/html_report.hpp"
#include "report/pages.hpp"
#include "report/rows_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

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

/// "distance, median of 5 rows"
std::string in_words(const Source& source) {
    const std::size_t count = source.rows.size();
    const bool summary = source.statistic != Statistic::setting &&
                         source.statistic != Statistic::count &&
                         source.statistic != Statistic::computed;
    return formatted("{}, {} {} {} {}",
                     source.name,
                     to_string(count == 1 && summary ? Statistic::value : source.statistic),
                     source.statistic == Statistic::computed ? "from" : "of",
                     count,
                     count == 1 ? "row" : "rows");
}

std::string shown_cell(const ResultEntry& entry, const Cell& cell, const std::string& shown) {
    if (!cell.source) {
        return formatted("<td>{}</td>", html::text(shown));
    }
    return formatted("{}{}{}{}: {}{}{}</a></td>",
                     R"(<td><a href="#)",
                     rows_address(entry, cell.source->rows),
                     R"(" title=")",
                     html::text(full_text(cell)),
                     html::text(in_words(*cell.source)),
                     R"(">)",
                     html::text(shown));
}

std::string shown_table(const ResultEntry& entry, const NamedTable& named) {
    const std::vector<std::vector<std::string>> lines = shown_lines(named.table);
    std::string text = formatted("{}{}{}{}</caption><thead><tr>",
                                 R"(<div class="scroll" tabindex="0" role="region" aria-label=")",
                                 html::text(named.name),
                                 R"("><table class="numbers"><caption>)",
                                 html::text(named.name));
    for (const std::string& name : lines.front()) {
        text += formatted("{}{}</th>", R"(<th scope="col">)", html::text(name));
    }
    text += "</tr></thead><tbody>\n";
    for (std::size_t i = 0; i < named.table.rows.size(); ++i) {
        text += "<tr>";
        for (std::size_t j = 0; j < lines.front().size(); ++j) {
            text += shown_cell(entry, named.table.rows[i][j], lines[i + 1][j]);
        }
        text += "</tr>\n";
    }
    return text + "</tbody></table></div>\n";
}

std::string shown_figure(const ResultEntry& entry, const NamedFigure& named) {
    const std::string id = anchor_of(entry) + "-" + html::id(named.name);
    return formatted(
        "{}{}\">\n<div class=\"drawing\">{}</div>\n<figcaption><button type=\"button\" "
        "class=\"zoom\">Zoom</button> {}{}{}\">its rows</a>; a curve's name shows where you "
        "point.</figcaption>\n</figure>\n",
        R"(<figure id="figure-)",
        id,
        html::inline_svg(draw_svg(named.figure), id),
        html::text(named.name),
        R"(: drawn from <a href="#rows-)",
        anchor_of(entry));
}

/// Figures, then tables. What cannot be made of rows of an unfinished run, or without gnuplot, is
/// said in its place.
std::string shown_derived(const ResultEntry& entry) {
    std::string problem;
    const auto attempt = [&](const auto& part) {
        try {
            part();
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& error) {
            problem = error.what();
        }
    };
    Derived derived;
    attempt([&] { derived = derived_from(entry); });
    std::string figures;
    for (const NamedFigure& named : derived.figures) {
        attempt([&] { figures += shown_figure(entry, named); });
    }
    std::string text;
    if (!problem.empty()) {
        text += formatted("{}{}</p>\n",
                          R"(<p class="warning">Not everything could be drawn: )",
                          html::text(problem));
    }
    text += figures;
    if (derived.tables.empty()) {
        return text;
    }
    std::string tables;
    for (const NamedTable& named : derived.tables) {
        tables += shown_table(entry, named);
    }
    return text + formatted(
                      "{}{}><summary>Tables ({}); a number leads to the rows that hold "
                      "it</summary>\n{}</details>\n",
                      R"(<details class="tables")",
                      derived.figures.empty() ? " open" : "",
                      derived.tables.size(),
                      tables);
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

/// ": d 2 to 8, num_sequences 256": what tells one profile from another; "" where no size varies.
std::string sizes(const std::vector<Row>& rows) {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> ranges;
    for (const Row& row : rows) {
        for (const auto& [name, value] : row.key.parameters) {
            if (const auto* size = std::get_if<std::int64_t>(&value)) {
                auto& [least, most] = ranges.try_emplace(name, *size, *size).first->second;
                least = std::min(least, *size);
                most = std::max(most, *size);
            }
        }
    }
    std::string text;
    for (const auto& [name, range] : ranges) {
        const auto& [least, most] = range;
        text += formatted("{}{} {}", text.empty() ? ": " : ", ", name, least);
        text += least == most ? "" : formatted(" to {}", most);
    }
    return text;
}

std::string experiment_article(const ResultEntry& entry, std::string_view summary) {
    const std::string text = formatted(
        "{}{}\">\n<h3>{}</h3>\n<p>{}.</p>\n<p class=\"quiet\">{} profile{}; {}, commit {}</p>\n",
        R"(<article id="experiment-)",
        anchor_of(entry),
        html::text(entry.id),
        html::text(summary),
        html::text(entry.profile),
        html::text(sizes(entry.rows)),
        endings(entry.rows),
        html::code(entry.header.provenance.commit.substr(0, 12)));
    return formatted(
        "{}{}{}{}</article>\n",
        text,
        shown_derived(entry),
        rows_table(entry),
        html::command(formatted("attest reproduce {} --profile {}", entry.id, entry.profile)));
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
    std::set<std::string> known;
    for (const ExperimentEntry& experiment : catalogue("results")) {
        known.insert(experiment.id);
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
    for (const ResultEntry& entry : results.entries) {
        if (topic == Topic::papers && !known.contains(entry.id)) {
            const std::optional<ExperimentEntry> behind = experiment_behind(entry);
            articles += experiment_article(
                entry, behind ? behind->summary : "an experiment this program does not know");
        }
    }
    const bool papers = topic == Topic::papers;
    articles += papers ? joint_articles(results) : "";
    return formatted("{}{}\">\n<h2>{}</h2>\n{}{}</section>\n",
                     R"(<section id=")",
                     papers ? "experiments" : "solvers",
                     papers ? "Figures and tables" : "Solvers compared",
                     articles,
                     absent.empty() ? "" : formatted("<p>No rows here of:{}.</p>\n", absent));
}

}  // namespace attest
