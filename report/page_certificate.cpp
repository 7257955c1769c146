#include "core/base/text.hpp"
#include "core/certify/null_vector_text.hpp"
#include "core/features/cubic.hpp"
#include "report/certificate_example.hpp"
#include "report/html_text.hpp"
#include "report/page_sections.hpp"

#include <cmath>

namespace attest {

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
