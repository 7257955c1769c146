#include "proofs_check/claims/papers.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

constexpr std::array kPapers{
    Paper{"arXiv 2410.10101",
          "Learning Linear Attention in Polynomial Time (Yau, Akyurek, Mao, Tenenbaum, Jegelka, "
          "Andreas)",
          "the text of the proceedings of NeurIPS 2025 (OpenReview QN0E0KX2LM, 18 September 2025, "
          "last changed 29 October 2025), with its checklist, in two independent conversions of "
          "the PDF to text: one whole, one up to (51). arXiv v4 (2025): its abstract and "
          "opening, which agree",
          "v1 (14 October 2024), v2 (October 2024): abstract and first sentence only; v3: "
          "nothing"},
    Paper{"arXiv 2402.04084",
          "Provably learning a multi-head attention layer (Chen, Li)",
          "the abstract, of v1 (6 February 2024, the only arXiv version listed) and of STOC 2025 "
          "(pages 1744 to 1754), and public summaries of the phases",
          "the full text of either; so no claim here speaks of a printed form"},
    Paper{"arXiv 2306.09927",
          "Trained Transformers Learn Linear Models In-Context (Zhang, Frei, Bartlett)",
          "v3 (19 October 2023), sections 3 and 4",
          "JMLR 25(49), 2024; v1 and v2"},
    Paper{"arXiv 2306.00297",
          "Transformers learn to implement preconditioned gradient descent for in-context "
          "learning (Ahn, Cheng, Daneshmand, Sra)",
          "the text of NeurIPS 2023, sections 2 and 3, in a conversion that has lost the "
          "displays: Theorem 1's setting and words were compared, its formula (6) only with a "
          "public restatement of its denominators",
          "the arXiv versions"},
    Paper{"arXiv 2307.03576",
          "One Step of Gradient Descent is Provably the Optimal In-Context Learner with One Layer "
          "of Linear Self-Attention (Mahankali, Hashimoto, Ma)",
          "the abstract of v1 (7 July 2023) and the public reviews of ICLR 2024",
          "the full text; the claim words its theorems after a copy whose version was not noted"},
    Paper{"arXiv 2405.11751",
          "Asymptotic theory of in-context learning by linear attention (Lu, Letey, "
          "Zavatone-Veth, Maiti, Pehlevan)",
          "the published code (Pehlevan-Group/icl-asymptotic): every copy of e_ICL_g_tr that was "
          "found, that of the tidied release included, has 1 + rho^2",
          "the article (v1 of 20 May 2024, v2, PNAS 122(28), 2025) beyond its abstract"},
    Paper{"arXiv 2408.17221",
          "Geometry of Lightning Self-Attention: Identifiability and Dimension (Henry, Marchetti, "
          "Kohn)",
          "abstract and opening of v2 (19 February 2025, ICLR 2025), its public reviews, and the "
          "public script NeuroDim",
          "the full theorems; v1 (30 August 2024) and v3 (June 2026)"},
    Paper{"Henry, ICML 2026 workshop on weight-space symmetries",
          "Generic Fibers and Functional Dimension of Multi-Head Attention (Henry)",
          "the abstract (OpenReview 7vPmnHdAPl, 24 May 2026)",
          "the text"},
};

constexpr std::array kDifferences{
    VersionDifference{
        "linear attention may be viewed as a linear predictor in a suitable RKHS, and any such "
        "predictor turned back into a linear transformer",
        "learning the best layer is finding the best kernel predictor in a suitable RKHS: the "
        "same, said of learning",
        "yau2024/erm_equivalence yau2024/algorithm_1"},
    VersionDifference{
        "data for which every minimiser is, up to trivial symmetries, the transformer that made "
        "the labels, which guarantees correct generalisation on all inputs: labels that some layer "
        "fits",
        "an algorithm that checks whether all best fits compute the same function: any labels. "
        "With fewer than d^2 heads that is true of labels that a layer fits, as Lemma 2.3 says",
        "yau2024/lemma_2_3 yau2024/lemma_a6 yau2024/corollary_a4"},
    VersionDifference{
        "computations that linear attention expresses are therefore learned in polynomial time: "
        "associative memories, finite automata, universal Turing machines with polynomially "
        "bounded histories",
        "not in the abstract; section 3 and the appendices A to C and F have it",
        "yau2024/equation_14 yau2024/lemma_b1 yau2024/lemma_f1 yau2024/lemma_a8 "
        "yau2024/lemma_a8_traces yau2024/corollary_f3"},
    VersionDifference{"three tasks are tried",
                      "several canonical tasks are tried: the same three",
                      "yau2024/figure_1_more_heads yau2024/figure_2a "
                      "yau2024/figure_4_exact_learner"},
    VersionDifference{"flexible and general models of computation are efficiently learnable",
                      "not in the abstract",
                      "yau2024/lemma_a8 yau2024/lemma_a8_traces"},
};

constexpr std::string_view kOtherCopy = "another text copy of the same PDF has it";
constexpr std::string_view kOneCopy =
    "this place was read in one text copy, which drops hats from formulas elsewhere";

constexpr std::array kWithdrawn{
    WithdrawnFinding{"(6), (63)",
                     "the learned layer lacks its hat",
                     "(6): another text copy of the same PDF has the hat, in both places where (6) "
                     "is printed; (63) was read in the copy without it only"},
    WithdrawnFinding{"(7)", "X is declared d x d, it is d x d^2", kOtherCopy},
    WithdrawnFinding{"(27)", "a hat is missing on one side", kOtherCopy},
    WithdrawnFinding{"(40)", "psi is printed C(d,2) d + d, a lost square", kOtherCopy},
    WithdrawnFinding{"(64), (66)", "a hat is missing", kOneCopy},
    WithdrawnFinding{"Algorithm 8",
                     "X is declared d x d",
                     "read in one text copy, which loses that square in (7)"},
    WithdrawnFinding{"(59)",
                     "the first two columns are both q_1",
                     "read in one text copy, whose formulas were recognised from a picture"},
};

/// Claims whose print stands beyond (51), where one text copy ends.
constexpr std::array<std::string_view, 6> kOneCopyClaims{"yau2024/algorithm_7",
                                                         "yau2024/algorithm_8",
                                                         "yau2024/definition_g2",
                                                         "yau2024/lemma_e2",
                                                         "yau2024/lemma_f1",
                                                         "yau2024/lemma_f1_printed"};

}  // namespace

std::span<const Paper> papers() {
    return kPapers;
}

std::span<const VersionDifference> version_differences() {
    return kDifferences;
}

std::span<const WithdrawnFinding> withdrawn_findings() {
    return kWithdrawn;
}

std::string read_in(std::string_view claim) {
    if (!claim.starts_with("yau2024/")) {
        return {};
    }
    if (claim == "yau2024/lemma_b1") {
        return "the proceedings: Lemma B.1 in both text copies, Algorithms 6 and 7 in one";
    }
    if (claim == "yau2024/corollary_f3") {
        return "the proceedings: Lemma C.5 in both text copies, Corollary F.3 in one";
    }
    const bool one =
        std::find(kOneCopyClaims.begin(), kOneCopyClaims.end(), claim) != kOneCopyClaims.end();
    return one ? "the proceedings, one text copy" : "the proceedings, both text copies";
}

}  // namespace attest
