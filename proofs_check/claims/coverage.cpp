#include "proofs_check/claims/coverage.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

using enum ItemKind;

constexpr auto kItems = std::to_array<CoveredItem>({
    {"Abstract",
     restated,
     "polynomial-time agnostic learning, a certificate",
     "",
     "said precisely in Theorem 2.2 and Lemma A.3"},
    {"Section 1", statement, "the certificate as E[X X']", "introduction_second_moment"},
    {"(1)", display, "X in Algorithm 1", "equation_7", "order of the columns"},
    {"(2)", display, "X_a, blocks of rows", "algorithm_8 definition_2_1"},
    {"(3)", display, "the regression", "algorithm_1"},
    {"Algorithm 1", statement, "learning by regression and SVD", "algorithm_1 head_recovery"},
    {"Definition 2.1", definition, "multi-head linear attention", "definition_2_1"},
    {"(4)", display, "the layer", "definition_2_1"},
    {"(5)", display, "its last column", "definition_2_1"},
    {"Theorem 2.2",
     statement,
     "agnostic learnability",
     "theorem_2_2_training theorem_2_2_distribution_free theorem_2_2_bounded_leverage "
     "theorem_2_2_realisable theorem_2_2_sufficient theorem_2_2_statistics "
     "theorem_2_2_minimum theorem_2_2_heads theorem_2_2_running_time"},
    {"(6)", display, "the excess risk", "theorem_2_2_distribution_free"},
    {"(7)", statement, "X(Z)", "equation_7", "order of the columns"},
    {"(8)", display, "the loss in W", "definition_2_1"},
    {"(9)", display, "Lambda as a mean over data", "algorithm_2"},
    {"Lemma 2.3", restated, "certificate, informal", "lemma_2_3", "Lemma A.3"},
    {"(10)", display, "Lambda", "algorithm_2"},
    {"(11)", display, "one function", "lemma_2_3"},
    {"Corollary 2.4",
     restated,
     "p separates functions",
     "corollary_a4",
     "misprint: p goes to R^(d x psi), as in Corollary A.4; with enough heads the functions "
     "fill R^(d psi), of which no polynomial map to R^psi is one to one for d >= 2"},
    {"Section 2.2",
     restated,
     "p is the only meaningful distance",
     "",
     "\"essentially the only meaningful metric\" is a judgement; other norms of p - p' "
     "vanish together with it"},
    {"Section 2.2, noise", restated, "noisy inputs are identifiable", "lemma_a5", "Lemma A.5"},
    {"Lemma 3.1",
     restated,
     "learning a universal machine",
     "lemma_a8 lemma_a8_literal",
     "Lemma A.8"},
    {"(12)", display, "the history is printed", "lemma_a8"},
    {"Section 4.1", statement, "d^2 is the maximum rank", "section_4_1_rank"},
    {"Figure 1",
     statement,
     "heads against training",
     "figure_1_many_heads figure_1_more_heads",
     "the number of sequences N and d = 16 are in the rows of fig1, no claim reads them"},
    {"(13)", display, "the memory's input", "equation_14"},
    {"(14)", statement, "the memory's label", "equation_14"},
    {"(15)", display, "distance of parameters", "figure_2a"},
    {"Figure 2", statement, "certificate against distance", "figure_2a figure_2b"},
    {"Section 6", statement, "feature maps of keys and queries", "section_6_feature_maps"},
    {"Section 2.1, RKHS",
     restated,
     "a kernel method",
     "erm_equivalence",
     "the kernel route returns the same minimiser"},

    // Appendices.
    {"Definition A.1", definition, "identifiable", "lemma_2_3", "Omega_Theta in (16) is Omega_ERM"},
    {"(16)", display, "the set of minimisers", "lemma_2_3"},
    {"(17)", display, "agreement on all inputs", "lemma_2_3"},
    {"Definition A.2", definition, "realisable", "lemma_2_3"},
    {"Lemma A.3", statement, "the certificate", "lemma_2_3 erm_equivalence teaching_set"},
    {"(18)", display, "the features", "algorithm_2"},
    {"Corollary A.4", statement, "p separates functions", "corollary_a4"},
    {"(19)", statement, "p for pairs, squares included", "equation_19"},
    {"Algorithm 2", statement, "features of the certificate", "algorithm_2"},
    {"Lemma A.5", statement, "i.i.d. entries are identifiable", "lemma_a5 lemma_a5_samples"},
    {"(20)", display, "one function", "lemma_a5"},
    {"Lemma A.6", statement, "no realisability with d^2 heads", "lemma_a6 surjectivity_d2"},
    {"(21)", display, "one function", "lemma_a6"},
    {"Lemma A.7", statement, "approximate minimisers", "lemma_a7"},
    {"(22)", display, "its bound", "lemma_a7"},
    {"Lemma A.8",
     statement,
     "learning a universal machine",
     "lemma_a8 lemma_a8_literal lemma_a8_traces",
     "both readings"},
    {"(23)", display, "the history is printed", "lemma_a8"},
    {"Lemma B.1", statement, "a universal machine in one layer", "lemma_b1 lemma_b1_overwriting"},
    {"Definition C.1",
     definition,
     "autoregressive layer",
     "equation_25",
     "rounds nothing: corollary_f3"},
    {"(24)", display, "next token", "equation_25"},
    {"(25)", statement, "the token is appended", "equation_25"},
    {"Definition C.2", definition, "computation history", "equation_25"},
    {"Definition C.3",
     definition,
     "the language A_TM",
     "",
     "a definition of computability theory, used in words only"},
    {"Definition C.4",
     definition,
     "polynomially bounded universal machine",
     "",
     "a definition of computability theory, used in words only"},
    {"Section C, positions",
     restated,
     "O(T)-dimensional positions",
     "lemma_b1 lemma_b1_overwriting",
     "the print needs one code a token; a program that reuses cells needs none that "
     "grows with T"},
    {"Lemma C.5", statement, "learning from histories", "corollary_f3"},
    {"(26)",
     display,
     "squared error on prefixes",
     "corollary_f3",
     "prefixes of one run are not independent: count runs"},
    {"(27)", display, "histories differ", "corollary_f3"},
    {"(28)", display, "the loss", "definition_2_1"},
    {"(29)", display, "by outputs", "definition_2_1"},
    {"(30)", display, "by X_a", "definition_2_1"},
    {"(31)", display, "T_Theta", "definition_2_1", "indices run from 00 to dd: one too many"},
    {"(32)", display, "relaxation", "theorem_2_2_training"},
    {"(33)", statement, "training loss below eps", "equation_33"},
    {"Lemma E.1", statement, "certificate for any polynomial model", "lemma_e1"},
    {"(34)", display, "model as inner product", "lemma_e1"},
    {"(35)", display, "one function", "lemma_e1"},
    {"(36)", display, "model as inner product", "lemma_e1"},
    {"(37)", display, "linear model class", "lemma_e1"},
    {"(38)", display, "minimisers over Theta", "lemma_e1"},
    {"(39)", display, "minimisers over v", "lemma_e1"},
    {"(40)", display, "the layer as inner product", "definition_2_1"},
    {"(41)", display, "p for pairs", "definition_2_1"},
    {"(42)", display, "p for squares", "definition_2_1 equation_19"},
    {"(43)", display, "features for pairs", "algorithm_2"},
    {"(44)", display, "features for squares", "algorithm_2"},
    {"(45)", display, "the layer as inner product", "definition_2_1"},
    {"(46)", display, "centred features, pairs", "lemma_a5"},
    {"(47)", display, "centred features, squares", "lemma_a5"},
    {"(48)", display, "different pairs", "lemma_a5", "holds for l = l'"},
    {"(49)", display, "equal pairs", "lemma_a5", "holds where l is in neither row of the pair"},
    {"(50)", display, "different squares", "lemma_a5", "holds where l is neither row"},
    {"(51)", display, "equal squares", "lemma_a5", "holds for l other than j"},
    {"(52)", display, "squares with pairs", "lemma_a5", "holds for l = l'"},
    {"(53)", display, "proof of Lemma A.7", "lemma_a7"},
    {"(54)",
     display,
     "size of the features",
     "lemma_a7",
     "right; the reason given leaves out cross terms"},
    {"(55)",
     display,
     "eigenvalue bound",
     "lemma_a7",
     "lacks the mean over the data, and the factor 4"},
    {"(56)", display, "distance of coefficients", "lemma_a7"},
    {"Lemma E.2", statement, "noisy labels", "lemma_e2"},
    {"(57)", display, "approximate minimisers", "lemma_e2"},
    {"(58)", display, "its bound", "lemma_e2"},
    {"Algorithm 3", statement, "programs of lookups", "algorithm_3"},
    {"Lemma F.1", statement, "programs are layers", "lemma_f1 lemma_f1_printed"},
    {"Definition F.2",
     definition,
     "embedding of machine and word",
     "",
     "an encoding; ours is in docs/programs.md"},
    {"(59)",
     display,
     "the machine's table",
     "",
     "an encoding; the first two columns are both q_1 in the one text copy that has it"},
    {"(60)", display, "the word", "", "an encoding"},
    {"(61)", display, "both side by side", "lemma_a8", "the blocks of zeros make features vanish"},
    {"Algorithm 4", statement, "if-then", "algorithm_3"},
    {"Algorithm 5", statement, "if-then by lookups", "algorithm_3"},
    {"Algorithm 6",
     statement,
     "one block of the machine",
     "lemma_b1",
     "copies from a fixed distance N: the tape cannot grow"},
    {"Algorithm 7", statement, "its three branches", "algorithm_7"},
    {"Corollary F.3", statement, "the learned history is the machine's", "corollary_f3"},
    {"(62)", display, "with high probability", "corollary_f3"},
    {"(63)", display, "excess risk", "corollary_f3"},
    {"(64)", display, "histories differ", "corollary_f3"},
    {"(65)", display, "with high probability", "corollary_f3"},
    {"(66)", display, "proof of Lemma A.8", "lemma_a7", "the norm is to be squared"},
    {"(67)",
     display,
     "proof of Lemma A.8",
     "lemma_a8_literal",
     "with lambda_min > 0 there is nothing random left: no Pr is needed"},
    {"Definition G.1", definition, "one-hot embeddings", "lemma_a8"},
    {"Definition G.2", definition, "rounding", "definition_g2"},
    {"Algorithm 8", statement, "extraction of features", "algorithm_8"},
    {"(68)", display, "X displayed", "equation_7"},
    {"Section G.1",
     statement,
     "Adam or AdamW",
     "figure_1_many_heads",
     "the text names Adam, the table AdamW"},
    {"Figure 3", statement, "layers and a transformer", "figure_3"},
    {"Section G.4",
     statement,
     "description lengths of automata",
     "figure_4_exact_learner",
     "5 Q Sigma tokens describe delta as printed; \"embedding size linear in the length "
     "of the history\" is at odds with Lemma B.1's n Phi"},
    {"Figure 4",
     statement,
     "data for automata",
     "figure_4_exact_learner",
     "the 4-layer transformer of the print is not trained here"},
});

int rank_of(Severity severity) {
    switch (severity) {
        case Severity::none:
            return 1;
        case Severity::misprint:
            return 2;
        case Severity::convention:
            return 3;
        case Severity::not_reproduced:
            return 4;
        case Severity::missing_hypothesis:
            return 5;
        case Severity::wrong_bound:
            return 6;
        case Severity::refuted:
            return 7;
        case Severity::our_statement:
            break;
    }
    return 0;
}

Severity severity_of(const std::string& id) {
    for (const Claim& claim : claims()) {
        if (claim.id == id) {
            return claim.severity;
        }
    }
    return Severity::our_statement;
}

}  // namespace

std::span<const CoveredItem> yau2024_items() {
    return kItems;
}

std::vector<std::string> claims_of(const CoveredItem& item) {
    std::vector<std::string> ids;
    std::string_view rest = item.claims;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        ids.push_back("yau2024/" + std::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return ids;
}

Severity graver(Severity a, Severity b) {
    return rank_of(a) >= rank_of(b) ? a : b;
}

std::map<Severity, Index> printed_statement_counts() {
    std::map<Severity, Index> counts;
    for (const CoveredItem& item : yau2024_items()) {
        if (item.kind != ItemKind::statement) {
            continue;
        }
        Severity gravest = Severity::our_statement;
        for (const std::string& id : claims_of(item)) {
            gravest = graver(gravest, severity_of(id));
        }
        ++counts[gravest];
    }
    return counts;
}

}  // namespace attest
