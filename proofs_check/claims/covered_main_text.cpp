#include "proofs_check/claims/covered_items.hpp"

#include <array>

namespace attest {

namespace {

using enum ItemKind;

constexpr std::array kMainText{
    CoveredItem{"Abstract",
                restated,
                "polynomial-time agnostic learning, a certificate",
                "",
                "said precisely in Theorem 2.2 and Lemma A.3"},
    CoveredItem{
        "Section 1", statement, "the certificate as E[X X']", "introduction_second_moment", ""},
    CoveredItem{"(1)", display, "X in Algorithm 1", "equation_7", "order of the columns"},
    CoveredItem{"(2)", display, "X_a, blocks of rows", "algorithm_8 definition_2_1", ""},
    CoveredItem{"(3)", display, "the regression", "algorithm_1", ""},
    CoveredItem{"Algorithm 1",
                statement,
                "learning by regression and SVD",
                "algorithm_1 head_recovery",
                ""},
    CoveredItem{"Definition 2.1", definition, "multi-head linear attention", "definition_2_1", ""},
    CoveredItem{"(4)", display, "the layer", "definition_2_1", ""},
    CoveredItem{"(5)", display, "its last column", "definition_2_1", ""},
    CoveredItem{"Theorem 2.2",
                statement,
                "agnostic learnability",
                "theorem_2_2_training theorem_2_2_distribution_free theorem_2_2_bounded_leverage "
                "theorem_2_2_realisable theorem_2_2_sufficient theorem_2_2_statistics "
                "theorem_2_2_minimum theorem_2_2_heads theorem_2_2_running_time",
                ""},
    CoveredItem{"(6)",
                display,
                "the excess risk",
                "theorem_2_2_distribution_free",
                "the learned layer lacks its hat"},
    CoveredItem{"(7)", statement, "X(Z)", "equation_7", "declared d x d, it is d x d^2"},
    CoveredItem{"(8)", display, "the loss in W", "definition_2_1", ""},
    CoveredItem{"(9)", display, "Lambda as a mean over data", "algorithm_2", ""},
    CoveredItem{"Lemma 2.3", restated, "certificate, informal", "lemma_2_3", "Lemma A.3"},
    CoveredItem{"(10)", display, "Lambda", "algorithm_2", ""},
    CoveredItem{"(11)", display, "one function", "lemma_2_3", ""},
    CoveredItem{"Corollary 2.4",
                restated,
                "p separates functions",
                "corollary_a4",
                "misprint: p goes to R^(d x psi), as in Corollary A.4; no polynomial map to R^psi "
                "is one to one on R^(d psi) for d >= 2"},
    CoveredItem{"Section 2.2",
                restated,
                "p is the only meaningful distance",
                "",
                "\"essentially the only meaningful metric\" is a judgement; other norms of p - p' "
                "vanish together with it"},
    CoveredItem{
        "Section 2.2, noise", restated, "noisy inputs are identifiable", "lemma_a5", "Lemma A.5"},
    CoveredItem{"Lemma 3.1",
                restated,
                "learning a universal machine",
                "lemma_a8 lemma_a8_literal",
                "Lemma A.8"},
    CoveredItem{"(12)", display, "the history is printed", "lemma_a8", ""},
    CoveredItem{"Section 4.1", statement, "d^2 is the maximum rank", "section_4_1_rank", ""},
    CoveredItem{
        "Figure 1",
        statement,
        "heads against training",
        "figure_1_many_heads figure_1_more_heads",
        "the number of sequences N and d = 16 are in the rows of fig1, no claim reads them"},
    CoveredItem{"(13)", display, "the memory's input", "equation_14", ""},
    CoveredItem{"(14)", statement, "the memory's label", "equation_14", ""},
    CoveredItem{"(15)", display, "distance of parameters", "figure_2a", ""},
    CoveredItem{"Figure 2", statement, "certificate against distance", "figure_2a figure_2b", ""},
    CoveredItem{
        "Section 6", statement, "feature maps of keys and queries", "section_6_feature_maps", ""},
    CoveredItem{"Section 2.1, RKHS",
                restated,
                "a kernel method",
                "erm_equivalence",
                "the kernel route returns the same minimiser"},
};

}  // namespace

std::span<const CoveredItem> main_text_items() {
    return kMainText;
}

}  // namespace attest
