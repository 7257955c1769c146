#include "core/algebra/symmetric_pack.hpp"
#include "core/base/text.hpp"
#include "programs/language/execute.hpp"
#include "programs/machines/utm2.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/claims/yau2024/teaching_set.hpp"

#include <map>
#include <tuple>

namespace attest::yau2024 {

namespace {

/// The layer's output on a short sequence.
Token answer(const SparseCoefficients& layer, const std::vector<Token>& sequence) {
    IntegerAttention attention(layer);
    for (const Token& token : sequence) {
        attention.append(token);
    }
    return attention.next().value();
}

/// P from its outputs on the teaching set, by subtraction: [0, e_l], then [e_j, e_l], then
/// [e_j + e_k, e_l].
SparseCoefficients learned_from_answers(const SparseCoefficients& layer) {
    const Index d = layer.d;
    SparseCoefficients learned{d, 1, {}};
    // (j, k, l) → the column of outputs of feature S_jk z_l.
    std::map<std::tuple<Index, Index, Index>, Token> column;
    for (const TeachingQuery& query : teaching_set(d)) {
        std::vector<TokenEntry> rest;
        for (const TokenEntry& entry : answer(layer, query.tokens)) {
            rest.push_back(entry);
        }
        for (const TeachingTerm& term : query.known) {
            for (const TokenEntry& entry : column[{term.j, term.k, query.l}]) {
                rest.push_back({entry.row, -term.times * entry.value});
            }
        }
        column[{query.j, query.k, query.l}] = make_token(std::move(rest));
    }
    for (const auto& [feature, outputs] : column) {
        const auto [j, k, l] = feature;
        for (const TokenEntry& entry : outputs) {
            learned.entries.push_back({entry.row, j, k, l, entry.value});
        }
    }
    learned.entries = collect(std::move(learned.entries));
    return learned;
}

/// Accepted: what is learned from the teacher's answers is the universal machine's layer,
/// coefficient by coefficient.
Answer same_layer(const SparseCoefficients& teacher, const SparseCoefficients& machine) {
    const SparseCoefficients learned = learned_from_answers(teacher);
    const bool same = learned.d == machine.d && learned.entries == machine.entries;
    return {same,
            formatted("d = {}, psi = {} sequences of two tokens with entries 0 and 1, labelled "
                      "by a teacher of {} nonzero coefficients: learned are {}, {} those of the "
                      "universal machine's layer",
                      machine.d,
                      feature_dim(machine.d),
                      teacher.entries.size(),
                      learned.entries.size(),
                      same ? "all" : "not")};
}

Evidence test_lemma_a8_literal(const ClaimContext& /*context*/) {
    Evidence evidence;
    const Utm2 program({2, 1, 2, 2, Moves::left_right});
    const SparseCoefficients machine = sparse_coefficients(program.program());
    Program undisarmed = program.program();
    undisarmed.heads.pop_back();
    const SharedTest learned(evidence, same_layer);
    learned.check(Form::printed, machine, machine);
    learned.control(sparse_coefficients(undisarmed), machine);
    return evidence;
}

}  // namespace

Claim lemma_a8_literal() {
    return {
        .id = "yau2024/lemma_a8_literal",
        .place = "Lemma 3.1, Lemma A.8, read literally",
        .printed =
            "if lambda_min(Lambda) > eta > 0 on any data set labelled by the layer of Lemma B.1, "
            "the learned layer simulates every machine and word of the class",
        .tested = "the same, on the teaching set",
        .deviation =
            "the layer is that of Utm2 (yau2024/lemma_b1_overwriting), not the construction of "
            "Lemma B.1; nothing in the argument depends on which layer made the labels",
        .depends_on = "yau2024/lemma_2_3 yau2024/teaching_set",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "The print says y_i = MHLA(Z_i) and no word of what the Z_i are. With inputs that are "
            "no histories the certificate can be met, e.g. by the teaching set, whose feature "
            "matrix is unimodular; the learned layer then is the machine's, on every input. Read "
            "as a statement about histories it is vacuous: yau2024/lemma_a8.",
        .run = test_lemma_a8_literal,
    };
}

}  // namespace attest::yau2024
