#include "report/pages.hpp"

#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/certify/witness.hpp"
#include "core/features/cubic.hpp"
#include "proofs_check/claims/report.hpp"
#include "report/certificate_example.hpp"
#include "report/claim_rows.hpp"
#include "report/html_report.hpp"
#include "report/joint_figures.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace attest {

namespace {

std::string tile(const std::string& number, const std::string& words, const std::string& address) {
    return formatted("{}{}{}{}</strong> {}</a></li>\n",
                     R"(<li><a href="#)",
                     address,
                     R"("><strong>)",
                     html::text(number),
                     html::text(words));
}

}  // namespace

std::string summary_section(const ResultSet& results) {
    std::map<std::string, std::size_t> outcomes;
    std::set<std::string> commits;
    std::size_t cases = 0;
    std::size_t differing = 0;
    std::size_t unread = results.problems.size();
    for (const ResultEntry& entry : results.entries) {
        unread += entry.problems.size();
        commits.insert(entry.header.provenance.commit.substr(0, 12));
        if (entry.id != kClaimsId) {
            cases += entry.rows.size();
            continue;
        }
        for (const ClaimRow& claim : claim_rows(entry.rows)) {
            ++outcomes[words(claim.outcome)];
            differing += claim.agreement() == Agreement::differs ? 1U : 0U;
        }
    }
    std::string tiles;
    for (const auto& [outcome, count] : outcomes) {
        tiles +=
            tile(std::to_string(count), (count == 1 ? "claim: " : "claims: ") + outcome, "claims");
    }
    if (differing > 0) {
        tiles += tile(std::to_string(differing), "differ from what is documented", "claims");
    }
    tiles += tile(std::to_string(cases), "measured cases", "experiments");
    if (unread > 0) {
        tiles += tile(std::to_string(unread), "lines that cannot be read", "environment");
    }
    std::string from;
    for (const std::string& commit : commits) {
        from += formatted("{}{}", from.empty() ? "" : ", ", html::code(commit));
    }
    return formatted(
        "<section id=\"summary\">\n<p>What is true of linear attention, and how it is known: the "
        "statements of the papers checked one by one, their figures measured again, and the rows "
        "behind every number. Commit {}.</p>\n<ul class=\"tiles\">\n{}</ul>\n</section>\n",
        from,
        tiles);
}

namespace {

std::string library_list(const std::map<std::string, std::string>& libraries) {
    std::string text;
    for (const auto& [name, version] : libraries) {
        text += formatted("{}{} {}", text.empty() ? "" : ", ", name, version);
    }
    return text;
}

std::vector<std::pair<std::string, std::string>> facts(const ResultEntry& entry) {
    const Provenance& from = entry.header.provenance;
    const Configuration& configuration = entry.header.configuration;
    return {{"commit", from.commit + (from.dirty ? " with uncommitted changes" : "")},
            {"program", from.program + " " + from.version},
            {"started", from.utc},
            {"command", from.command_line},
            {"seed", std::to_string(configuration.seed)},
            {"settings", to_string(configuration.parameters)},
            {"configuration", configuration_hash(configuration)},
            {"processor", formatted("{}, {} in use", from.cpu, from.logical_cpus)},
            {"system", from.os},
            {"compiler", from.compiler + " " + from.compiler_flags + ", " + from.build_type},
            {"linear algebra", blas_summary(from)},
            {"libraries", library_list(from.libraries)},
            {"the same bits", from.bitwise}};
}

std::string file_block(const ResultEntry& entry) {
    std::string list;
    for (const auto& [name, value] : facts(entry)) {
        if (!value.empty()) {
            list += formatted("<dt>{}</dt><dd>{}</dd>\n", name, html::text(value));
        }
    }
    return formatted("{}{}{}{}{}{}</span></summary>\n<dl>\n{}</dl>\n</details>\n",
                     R"(<details id="environment-)",
                     anchor_of(entry),
                     R"("><summary>)",
                     html::text(entry.profile + "/" + entry.path.filename().string()),
                     R"( <span class="quiet">)",
                     html::text(entry.header.provenance.utc),
                     list);
}

}  // namespace

std::string environment_section(const ResultSet& results) {
    std::string problems;
    const auto add = [&](const std::string& problem) {
        problems += formatted("<li>{}</li>\n", html::text(problem));
    };
    std::string files;
    for (const ResultEntry& entry : results.entries) {
        files += file_block(entry);
        for (const std::string& problem : entry.problems) {
            add(problem);
        }
    }
    for (const std::string& problem : results.problems) {
        add(problem);
    }
    if (!problems.empty()) {
        problems =
            "<p class=\"warning\">Lines that could not be read; the others are shown:</p>\n"
            "<ul class=\"problems\">\n" +
            problems + "</ul>\n";
    }
    return formatted(
        "<section id=\"environment\">\n<h2>Environment and configuration</h2>\n{}<p>Where the rows "
        "of each file come from.</p>\n{}</section>\n",
        problems,
        files);
}

std::string explorer_section() {
    return formatted(
        "<section id=\"explorer\">\n<h2>The explorer</h2>\n<p>Move the tokens of a few small "
        "examples and see what they determine: rank, λ_min, what is left open, and two models that "
        "the examples cannot tell apart, in exact arithmetic. It computes in this page and "
        "asks the network for nothing.</p>\n<details id=\"explorer-frame\">\n<summary>Open the "
        "explorer</summary>\n</details>\n{}</section>\n",
        html::data_block("data-explorer", nlohmann::ordered_json(assets::kExplorer)));
}

}  // namespace attest

namespace attest::html {

namespace {

constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; )"
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";

}  // namespace

std::string page(std::string_view title, std::string_view body) {
    return formatted(
        "{}<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        kHead,
        text(title),
        assets::kStyle,
        body);
}

}  // namespace attest::html

namespace attest {

namespace {

/// Links to the rows of each experiment.
std::string row_links(const DrawnJointFigure& joint) {
    std::string links;
    for (const ResultEntry* entry : joint.entries) {
        links += formatted("{}<a href=\"#rows-{}\">{}</a>",
                           links.empty() ? "" : ", ",
                           anchor_of(*entry),
                           html::text(entry->id));
    }
    return links;
}

std::string joint_article(const DrawnJointFigure& joint) {
    const std::string id =
        html::id(joint.entries.front()->profile + "/" + joint.named.name) + "-joint";
    return formatted(
        "<article id=\"{}\">\n<h3>{}</h3>\n<p>{}.</p>\n<figure id=\"figure-{}\">\n<div "
        "class=\"drawing\">{}</div>\n"
        "<figcaption><button type=\"button\" class=\"zoom\">Zoom</button> {}: drawn from the rows "
        "of {}; a curve's name shows where you point.</figcaption>\n</figure>\n</article>\n",
        id,
        html::text(joint.named.name),
        html::text(joint.summary),
        id,
        html::inline_svg(draw_svg(joint.named.figure), id),
        html::text(joint.named.name),
        row_links(joint));
}

}  // namespace

std::string joint_articles(const ResultSet& results) {
    std::string articles;
    try {
        for (const DrawnJointFigure& joint : joint_figures_of(results)) {
            articles += joint_article(joint);
        }
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception& error) {
        // Rows of another version, as in shown_derived.
        articles += formatted("<p class=\"warning\">Not everything could be drawn: {}</p>\n",
                              html::text(error.what()));
    }
    return articles;
}

namespace {

/// "(0 0 1; 0 1 0)": rows of a matrix.
std::string matrix_text(const Matrix& Z) {
    std::string text = "(";
    for (Index i = 0; i < Z.rows(); ++i) {
        text += i == 0 ? "" : "; ";
        for (Index j = 0; j < Z.cols(); ++j) {
            text += (j == 0 ? "" : " ") + round_trip(Z(i, j));
        }
    }
    return text + ")";
}

double output(const Matrix& P, const Matrix& Z) {
    return (P.transpose() * cubic_features(Z))(0);
}

std::string data_table(const CertificateExample& example) {
    const bool two = example.witness.has_value();
    std::string text = formatted(
        "{}{}</tr></thead><tbody>\n",
        R"(<div class="scroll" tabindex="0" role="region" aria-label="Data"><table><thead>)"
        R"(<tr><th scope="col">input Z, row by row</th><th scope="col">label</th>)",
        two ? R"(<th scope="col">model A</th><th scope="col">model B</th>)" : "");
    const auto add = [&](const Matrix& Z, const std::string& label, bool marked) {
        text += formatted("<tr{}><td>{}</td><td>{}</td>",
                          marked ? R"( class="marked")" : "",
                          html::code(matrix_text(Z)),
                          label);
        if (two) {
            text += formatted("<td>{}</td><td>{}</td>",
                              round_trip(output(example.witness->P[0], Z)),
                              round_trip(output(example.witness->P[1], Z)));
        }
        text += "</tr>\n";
    };
    for (Index i = 0; i < example.data.num_sequences(); ++i) {
        add(example.data.sequence(i), round_trip(example.data.y(0, i)), false);
    }
    if (two) {
        add(example.witness->input.sequence(0), "a new input", true);
    }
    return text + "</tbody></table></div>\n";
}

std::string proof_block(const CertificateExample& example) {
    if (example.proof.empty()) {
        return "<p class=\"warning\">No proof was made.</p>\n";
    }
    return formatted(
        "<p>The independent checker, given this proof and the data, says: "
        "<strong>{}{}{}</pre></details>\n",
        html::text(example.answer),
        "</strong></p>\n<details open><summary>The proof file</summary><pre "
        R"(tabindex="0">)",
        html::lines(example.proof));
}

std::string rank_text(const CertificateExample& example) {
    const ExactRank& rank = example.rank;
    return formatted("<p>Rank {} of {}, over the rationals: {}.</p>\n",
                     rank.rank_is_exact()
                         ? formatted("{}", rank.rank_lower)
                         : formatted("between {} and {}", rank.rank_lower, rank.rank_upper),
                     rank.psi,
                     html::text(rank.reason));
}

std::string witness_text(const CertificateExample& example) {
    if (!example.witness) {
        return "";
    }
    const Witness& witness = *example.witness;
    return formatted(
        "<p>In every example {}, so a model may add a multiple of it unseen. Models A and B, with "
        "coefficients {} and {}, give the label on every example; on the new input, marked, they "
        "differ by {}.</p>\n",
        html::code(describe_combination(witness.null_vector, example.data.d()) + " = 0"),
        html::code(matrix_text(witness.P[0].transpose())),
        html::code(matrix_text(witness.P[1].transpose())),
        round_trip(std::fabs(witness.difference)));
}

std::string column(const std::string& title, const CertificateExample& example) {
    return formatted("<article>\n<h3>{}</h3>\n{}{}{}{}</article>\n",
                     title,
                     rank_text(example),
                     data_table(example),
                     witness_text(example),
                     proof_block(example));
}

}  // namespace

std::string certificate_section() {
    return formatted(
        "<section id=\"certificate\">\n<h2>Certificate and witness</h2>\n<p>Do the data determine "
        "the function? Two data sets small enough to read, d = 2, with ψ = 6 features: S_12 z_1, "
        "S_12 z_2, S_11 z_1, S_11 z_2, S_22 z_1 and S_22 z_2, S = Z Z', z the last column. Every "
        "number below is exact.</p>\n<div class=\"pair\">\n{}{}</div>\n{}{}</section>\n",
        column("Determined: every minimiser is the same function", determined_example()),
        column("Not determined: two minimisers that disagree", undetermined_example()),
        html::command("attest certify data.npz --proof data.cert --witness witness.npz"),
        html::command("attest check data.cert data.npz"));
}

}  // namespace attest
