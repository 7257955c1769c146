#include "proofs_check/claims/coverage.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

constexpr auto kStatement = ItemKind::statement;
constexpr auto kRestated = ItemKind::restated;
constexpr auto kDefinition = ItemKind::definition;
constexpr auto kDisplay = ItemKind::display;

constexpr std::array kItems{
    CoveredItem{"Abstract",
                kRestated,
                "polynomial-time agnostic learning, a certificate",
                "",
                "said precisely in Theorem 2.2 and Lemma A.3"},
    CoveredItem{
        "Section 1", kStatement, "the certificate as E[X X']", "introduction_second_moment", ""},
    CoveredItem{"(1)", kDisplay, "X in Algorithm 1", "equation_7", "order of the columns"},
    CoveredItem{"(2)", kDisplay, "X_a, blocks of rows", "algorithm_8 definition_2_1", ""},
    CoveredItem{"(3)", kDisplay, "the regression", "algorithm_1", ""},
    CoveredItem{"Algorithm 1",
                kStatement,
                "learning by regression and SVD",
                "algorithm_1 head_recovery",
                ""},
    CoveredItem{"Definition 2.1", kDefinition, "multi-head linear attention", "definition_2_1", ""},
    CoveredItem{"(4)", kDisplay, "the layer", "definition_2_1", ""},
    CoveredItem{"(5)", kDisplay, "its last column", "definition_2_1", ""},
    CoveredItem{"Theorem 2.2",
                kStatement,
                "agnostic learnability",
                "theorem_2_2_training theorem_2_2_distribution_free theorem_2_2_bounded_leverage "
                "theorem_2_2_realisable theorem_2_2_sufficient theorem_2_2_statistics "
                "theorem_2_2_minimum theorem_2_2_heads theorem_2_2_running_time",
                ""},
    CoveredItem{"(6)",
                kDisplay,
                "the excess risk",
                "theorem_2_2_distribution_free",
                "the learned layer lacks its hat"},
    CoveredItem{"(7)", kStatement, "X(Z)", "equation_7", "declared d x d, it is d x d^2"},
    CoveredItem{"(8)", kDisplay, "the loss in W", "definition_2_1", ""},
    CoveredItem{"(9)", kDisplay, "Lambda as a mean over data", "algorithm_2", ""},
    CoveredItem{"Lemma 2.3", kRestated, "certificate, informal", "lemma_2_3", "Lemma A.3"},
    CoveredItem{"(10)", kDisplay, "Lambda", "algorithm_2", ""},
    CoveredItem{"(11)", kDisplay, "one function", "lemma_2_3", ""},
    CoveredItem{"Corollary 2.4",
                kRestated,
                "p separates functions",
                "corollary_a4",
                "misprint: p goes to R^(d x psi), as in Corollary A.4; no polynomial map to R^psi "
                "is one to one on R^(d psi) for d >= 2"},
    CoveredItem{"Section 2.2",
                kRestated,
                "p is the only meaningful distance",
                "",
                "\"essentially the only meaningful metric\" is a judgement; other norms of p - p' "
                "vanish together with it"},
    CoveredItem{
        "Section 2.2, noise", kRestated, "noisy inputs are identifiable", "lemma_a5", "Lemma A.5"},
    CoveredItem{"Lemma 3.1",
                kRestated,
                "learning a universal machine",
                "lemma_a8 lemma_a8_literal",
                "Lemma A.8"},
    CoveredItem{"(12)", kDisplay, "the history is printed", "lemma_a8", ""},
    CoveredItem{"Section 4.1", kStatement, "d^2 is the maximum rank", "section_4_1_rank", ""},
    CoveredItem{
        "Figure 1",
        kStatement,
        "heads against training",
        "figure_1_many_heads figure_1_more_heads",
        "the number of sequences N and d = 16 are in the rows of fig1, no claim reads them"},
    CoveredItem{"(13)", kDisplay, "the memory's input", "equation_14", ""},
    CoveredItem{"(14)", kStatement, "the memory's label", "equation_14", ""},
    CoveredItem{"(15)", kDisplay, "distance of parameters", "figure_2a", ""},
    CoveredItem{"Figure 2", kStatement, "certificate against distance", "figure_2a figure_2b", ""},
    CoveredItem{
        "Section 6", kStatement, "feature maps of keys and queries", "section_6_feature_maps", ""},
    CoveredItem{"Section 2.1, RKHS",
                kRestated,
                "a kernel method",
                "erm_equivalence",
                "the kernel route returns the same minimiser"},
    CoveredItem{"Definition A.1",
                kDefinition,
                "identifiable",
                "lemma_2_3",
                "Omega_Theta in (16) is Omega_ERM"},
    CoveredItem{"(16)", kDisplay, "the set of minimisers", "lemma_2_3", ""},
    CoveredItem{"(17)", kDisplay, "agreement on all inputs", "lemma_2_3", ""},
    CoveredItem{"Definition A.2", kDefinition, "realisable", "lemma_2_3", ""},
    CoveredItem{
        "Lemma A.3", kStatement, "the certificate", "lemma_2_3 erm_equivalence teaching_set", ""},
    CoveredItem{"(18)", kDisplay, "the features", "algorithm_2", ""},
    CoveredItem{"Corollary A.4", kStatement, "p separates functions", "corollary_a4", ""},
    CoveredItem{"(19)", kStatement, "p for pairs, squares included", "equation_19", ""},
    CoveredItem{"Algorithm 2", kStatement, "features of the certificate", "algorithm_2", ""},
    CoveredItem{"Lemma A.5",
                kStatement,
                "i.i.d. entries are identifiable",
                "lemma_a5 lemma_a5_samples",
                ""},
    CoveredItem{"(20)", kDisplay, "one function", "lemma_a5", ""},
    CoveredItem{
        "Lemma A.6", kStatement, "no realisability with d^2 heads", "lemma_a6 surjectivity_d2", ""},
    CoveredItem{"(21)", kDisplay, "one function", "lemma_a6", ""},
    CoveredItem{"Lemma A.7", kStatement, "approximate minimisers", "lemma_a7", ""},
    CoveredItem{"(22)", kDisplay, "its bound", "lemma_a7", ""},
    CoveredItem{"Lemma A.8",
                kStatement,
                "learning a universal machine",
                "lemma_a8 lemma_a8_literal lemma_a8_traces",
                "both readings"},
    CoveredItem{"(23)", kDisplay, "the history is printed", "lemma_a8", ""},
    CoveredItem{"Lemma B.1",
                kStatement,
                "a universal machine in one layer",
                "lemma_b1 lemma_b1_overwriting",
                ""},
    CoveredItem{"Definition C.1",
                kDefinition,
                "autoregressive layer",
                "equation_25",
                "rounds nothing: corollary_f3"},
    CoveredItem{"(24)", kDisplay, "next token", "equation_25", ""},
    CoveredItem{"(25)", kStatement, "the token is appended", "equation_25", ""},
    CoveredItem{"Definition C.2", kDefinition, "computation history", "equation_25", ""},
    CoveredItem{"Definition C.3",
                kDefinition,
                "the language A_TM",
                "",
                "a definition of computability theory, used in words only"},
    CoveredItem{"Definition C.4",
                kDefinition,
                "polynomially bounded universal machine",
                "",
                "a definition of computability theory, used in words only"},
    CoveredItem{"Section C, positions",
                kRestated,
                "O(T)-dimensional positions",
                "lemma_b1 lemma_b1_overwriting",
                "the print needs one code a token; a program that reuses cells needs none that "
                "grows with T"},
    CoveredItem{"Lemma C.5", kStatement, "learning from histories", "corollary_f3", ""},
    CoveredItem{"(26)",
                kDisplay,
                "squared error on prefixes",
                "corollary_f3",
                "prefixes of one run are not independent: count runs"},
    CoveredItem{
        "(27)", kDisplay, "histories differ", "corollary_f3", "a hat is missing on one side"},
    CoveredItem{"(28)", kDisplay, "the loss", "definition_2_1", ""},
    CoveredItem{"(29)", kDisplay, "by outputs", "definition_2_1", ""},
    CoveredItem{"(30)", kDisplay, "by X_a", "definition_2_1", ""},
    CoveredItem{
        "(31)", kDisplay, "T_Theta", "definition_2_1", "indices run from 00 to dd: one too many"},
    CoveredItem{"(32)", kDisplay, "relaxation", "theorem_2_2_training", ""},
    CoveredItem{"(33)", kStatement, "training loss below eps", "equation_33", ""},
    CoveredItem{"Lemma E.1", kStatement, "certificate for any polynomial model", "lemma_e1", ""},
    CoveredItem{"(34)", kDisplay, "model as inner product", "lemma_e1", ""},
    CoveredItem{"(35)", kDisplay, "one function", "lemma_e1", ""},
    CoveredItem{"(36)", kDisplay, "model as inner product", "lemma_e1", ""},
    CoveredItem{"(37)", kDisplay, "linear model class", "lemma_e1", ""},
    CoveredItem{"(38)", kDisplay, "minimisers over Theta", "lemma_e1", ""},
    CoveredItem{"(39)", kDisplay, "minimisers over v", "lemma_e1", ""},
    CoveredItem{"(40)",
                kDisplay,
                "the layer as inner product",
                "definition_2_1",
                "psi is printed C(d,2) d + d there: a lost square, see algorithm_2"},
    CoveredItem{"(41)", kDisplay, "p for pairs", "definition_2_1", ""},
    CoveredItem{"(42)", kDisplay, "p for squares", "definition_2_1 equation_19", ""},
    CoveredItem{"(43)", kDisplay, "features for pairs", "algorithm_2", ""},
    CoveredItem{"(44)", kDisplay, "features for squares", "algorithm_2", ""},
    CoveredItem{"(45)", kDisplay, "the layer as inner product", "definition_2_1", ""},
    CoveredItem{"(46)", kDisplay, "centred features, pairs", "lemma_a5", ""},
    CoveredItem{"(47)", kDisplay, "centred features, squares", "lemma_a5", ""},
    CoveredItem{"(48)", kDisplay, "different pairs", "lemma_a5", "holds for l = l'"},
    CoveredItem{
        "(49)", kDisplay, "equal pairs", "lemma_a5", "holds where l is in neither row of the pair"},
    CoveredItem{"(50)", kDisplay, "different squares", "lemma_a5", "holds where l is neither row"},
    CoveredItem{"(51)", kDisplay, "equal squares", "lemma_a5", "holds for l other than j"},
    CoveredItem{"(52)", kDisplay, "squares with pairs", "lemma_a5", "holds for l = l'"},
    CoveredItem{"(53)", kDisplay, "proof of Lemma A.7", "lemma_a7", ""},
    CoveredItem{"(54)",
                kDisplay,
                "size of the features",
                "lemma_a7",
                "right; the reason given leaves out cross terms"},
    CoveredItem{"(55)",
                kDisplay,
                "eigenvalue bound",
                "lemma_a7",
                "lacks the mean over the data, and the factor 4"},
    CoveredItem{"(56)", kDisplay, "distance of coefficients", "lemma_a7", ""},
    CoveredItem{"Lemma E.2", kStatement, "noisy labels", "lemma_e2", ""},
    CoveredItem{"(57)", kDisplay, "approximate minimisers", "lemma_e2", ""},
    CoveredItem{"(58)", kDisplay, "its bound", "lemma_e2", ""},
    CoveredItem{"Algorithm 3", kStatement, "programs of lookups", "algorithm_3", ""},
    CoveredItem{"Lemma F.1", kStatement, "programs are layers", "lemma_f1", ""},
    CoveredItem{"Definition F.2",
                kDefinition,
                "embedding of machine and word",
                "",
                "an encoding; ours is in docs/programs.md"},
    CoveredItem{"(59)",
                kDisplay,
                "the machine's table",
                "",
                "misprint: the first two columns are both q_1, the entries below q_0 and q_1"},
    CoveredItem{"(60)", kDisplay, "the word", "", "an encoding"},
    CoveredItem{"(61)",
                kDisplay,
                "both side by side",
                "lemma_a8",
                "the blocks of zeros make features vanish"},
    CoveredItem{"Algorithm 4", kStatement, "if-then", "algorithm_3", ""},
    CoveredItem{"Algorithm 5", kStatement, "if-then by lookups", "algorithm_3", ""},
    CoveredItem{"Algorithm 6",
                kStatement,
                "one block of the machine",
                "lemma_b1",
                "copies from a fixed distance N: the tape cannot grow"},
    CoveredItem{"Algorithm 7", kStatement, "its three branches", "algorithm_7", ""},
    CoveredItem{
        "Corollary F.3", kStatement, "the learned history is the machine's", "corollary_f3", ""},
    CoveredItem{"(62)", kDisplay, "with high probability", "corollary_f3", ""},
    CoveredItem{"(63)", kDisplay, "excess risk", "corollary_f3", "the learned layer lacks its hat"},
    CoveredItem{
        "(64)", kDisplay, "histories differ", "corollary_f3", "a hat is missing on one side"},
    CoveredItem{"(65)", kDisplay, "with high probability", "corollary_f3", ""},
    CoveredItem{"(66)",
                kDisplay,
                "proof of Lemma A.8",
                "lemma_a7",
                "a hat is missing; the norm is to be squared"},
    CoveredItem{"(67)",
                kDisplay,
                "proof of Lemma A.8",
                "lemma_a8_literal",
                "with lambda_min > 0 there is nothing random left: no Pr is needed"},
    CoveredItem{"Definition G.1", kDefinition, "one-hot embeddings", "lemma_a8", ""},
    CoveredItem{"Definition G.2", kDefinition, "rounding", "definition_g2", ""},
    CoveredItem{"Algorithm 8", kStatement, "extraction of features", "algorithm_8", ""},
    CoveredItem{"(68)", kDisplay, "X displayed", "equation_7", ""},
    CoveredItem{"Section G.1",
                kStatement,
                "Adam or AdamW",
                "figure_1_many_heads",
                "the text names Adam, the table AdamW"},
    CoveredItem{"Figure 3", kStatement, "layers and a transformer", "figure_3", ""},
    CoveredItem{"Section G.4",
                kStatement,
                "description lengths of automata",
                "figure_4_exact_learner",
                "5 Q Sigma tokens describe delta as printed; \"embedding size linear in the length "
                "of the history\" is at odds with Lemma B.1's n Phi"},
    CoveredItem{"Figure 4",
                kStatement,
                "data for automata",
                "figure_4_exact_learner",
                "the 4-layer transformer of the print is not trained here"},
};

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
    for (const CoveredItem& item : kItems) {
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
