#include "proofs_check/exact/turing_block.hpp"

namespace attest {

namespace {

/// The transition that the branch looks up for the head found in `head`. As printed, the letter
/// compared is the first of the machine's row, which always selects δ(q, 0).
TableTransition looked_up(const TableRepairs& repairs, const StateRow& row, const TapeToken& head) {
    const Index letter = repairs.scanned_letter ? head.letter.value_or(0) : 0;
    return row[static_cast<std::size_t>(letter)];
}

/// Branch 1, the head on the right neighbour. As printed both tests are for L, so a move to the
/// right writes nothing.
TapeToken left_of_head(const TableRepairs& repairs,
                       const TableTransition& step,
                       const TapeToken& own) {
    if (step.move == TableMove::left) {
        return {own.letter, step.state};
    }
    if (repairs.both_moves) {
        return {own.letter, std::nullopt};
    }
    return {};
}

}  // namespace

TapeToken table_step(const TableRepairs& repairs,
                     const StateRow& row,
                     const TapeToken& left,
                     const TapeToken& own,
                     const TapeToken& right) {
    if (right.state) {
        return left_of_head(repairs, looked_up(repairs, row, right), own);
    }
    if (own.state) {
        return {looked_up(repairs, row, own).letter, std::nullopt};
    }
    if (left.state) {
        const TableTransition step = looked_up(repairs, row, left);
        if (step.move == TableMove::left) {
            return {own.letter, std::nullopt};
        }
        return {own.letter, step.state};
    }
    return repairs.far_cells ? TapeToken{own.letter, std::nullopt} : TapeToken{};
}

std::optional<std::vector<TapeToken>> machine_step(const StateRow& row,
                                                   const std::vector<TapeToken>& tape) {
    std::size_t head = 0;
    while (!tape[head].state) {
        ++head;
    }
    const TableTransition step = row[static_cast<std::size_t>(*tape[head].letter)];
    if ((step.move == TableMove::left && head == 0) ||
        (step.move == TableMove::right && head + 1 == tape.size())) {
        return std::nullopt;
    }
    std::vector<TapeToken> next = tape;
    next[head] = {step.letter, std::nullopt};
    next[step.move == TableMove::left ? head - 1 : head + 1].state = step.state;
    return next;
}

std::vector<StateRow> all_state_rows() {
    std::vector<TableTransition> transitions;
    for (const Index state : {Index{0}, Index{1}}) {
        for (const Index letter : {Index{0}, Index{1}}) {
            for (const TableMove move : {TableMove::left, TableMove::right}) {
                transitions.push_back({state, letter, move});
            }
        }
    }
    std::vector<StateRow> rows;
    for (const TableTransition& zero : transitions) {
        for (const TableTransition& one : transitions) {
            rows.push_back({zero, one});
        }
    }
    return rows;
}

}  // namespace attest
