#include "core/base/text.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/turing_block.hpp"

#include <string>

namespace attest::yau2024 {

namespace {

struct Count {
    Index cases = 0;
    Index failures = 0;

    friend Count operator+(const Count& a, const Count& b) {
        return {a.cases + b.cases, a.failures + b.failures};
    }
};

const TapeToken& at(const std::vector<TapeToken>& tape, Index i) {
    static const TapeToken kOutside{};
    return i < 0 || i >= static_cast<Index>(tape.size()) ? kOutside
                                                         : tape[static_cast<std::size_t>(i)];
}

bool table_follows(const TableRepairs& repairs,
                   const StateRow& row,
                   const std::vector<TapeToken>& tape,
                   const std::vector<TapeToken>& next) {
    bool same = true;
    for (Index i = 0; i < static_cast<Index>(tape.size()); ++i) {
        same = same && table_step(repairs, row, at(tape, i - 1), at(tape, i), at(tape, i + 1)) ==
                           at(next, i);
    }
    return same;
}

/// Every tape of this many cells, head position and pair of transitions of its state; cases whose
/// head leaves the tape do not count.
Count configurations(const TableRepairs& repairs, Index cells) {
    Count count;
    for (const StateRow& row : all_state_rows()) {
        for (Index letters = 0; letters < (Index{1} << cells); ++letters) {
            for (Index head = 0; head < cells; ++head) {
                std::vector<TapeToken> tape;
                for (Index i = 0; i < cells; ++i) {
                    tape.push_back({letters >> i & 1, std::nullopt});
                }
                tape[static_cast<std::size_t>(head)].state = 0;
                const std::optional<std::vector<TapeToken>> next = machine_step(row, tape);
                if (next) {
                    ++count.cases;
                    count.failures += table_follows(repairs, row, tape, *next) ? 0 : 1;
                }
            }
        }
    }
    return count;
}

/// A tape of seven cells whose middle three hold these letters, with the head on one of them, or
/// on none (−1).
std::vector<TapeToken> tape_around(Index letters, Index head) {
    std::vector<TapeToken> tape(7, TapeToken{0, std::nullopt});
    for (Index i = 0; i < 3; ++i) {
        tape[static_cast<std::size_t>(2 + i)].letter = letters >> i & 1;
    }
    tape[head < 0 ? 6U : static_cast<std::size_t>(2 + head)].state = 0;
    return tape;
}

/// Every neighbourhood of three cells inside a longer tape: the head on one of them or on none.
Count neighbourhoods(const TableRepairs& repairs) {
    Count count;
    for (const StateRow& row : all_state_rows()) {
        for (Index letters = 0; letters < 8; ++letters) {
            for (Index head = -1; head < 3; ++head) {
                if (head < 0 && row[0].move == TableMove::right) {
                    continue;
                }
                const std::vector<TapeToken> tape = tape_around(letters, head);
                const std::optional<std::vector<TapeToken>> next = machine_step(row, tape);
                ++count.cases;
                const TapeToken own = table_step(repairs, row, tape[2], tape[3], tape[4]);
                count.failures += own == (*next)[3] ? 0 : 1;
            }
        }
    }
    return count;
}

std::string counts_text(const TableRepairs& repairs) {
    const Count local = neighbourhoods(repairs);
    std::string text = formatted("{} of {} neighbourhoods", local.failures, local.cases);
    for (const Index cells : {Index{2}, Index{3}, Index{4}}) {
        const Count whole = configurations(repairs, cells);
        text += formatted(", {} of {} tapes of {}", whole.failures, whole.cases, cells);
    }
    return text;
}

Index failures(const TableRepairs& repairs) {
    Count total = neighbourhoods(repairs);
    for (const Index cells : {Index{2}, Index{3}, Index{4}}) {
        total = total + configurations(repairs, cells);
    }
    return total.failures;
}

/// Accepted: the table with these repairs follows the machine in every case.
Answer follows(const TableRepairs& repairs, const std::string& what) {
    return {failures(repairs) == 0 && neighbourhoods(repairs).cases > 0,
            formatted("all pairs of transitions of a state over 2 states and 2 letters; {} the "
                      "table differs from the machine in {}",
                      what,
                      counts_text(repairs))};
}

Evidence test_algorithm_7(const ClaimContext& /*context*/) {
    Evidence evidence;
    const TableRepairs both{true, true, false};
    const SharedTest table(evidence, follows);
    table.check(Form::printed, TableRepairs{}, "as printed");
    table.check(Form::tested,
                TableRepairs{true, true, true},
                "with the scanned letter compared, R in branch 1's second test and a branch for "
                "cells away from the head");
    table.control(TableRepairs{true, false, false}, "with the scanned letter alone");
    table.control(TableRepairs{false, true, false}, "with R alone");
    table.control(both, "with both");
    const StateRow right{TableTransition{1, 1, TableMove::right},
                         TableTransition{1, 1, TableMove::right}};
    const std::vector<TapeToken> tape{{0, 0}, {1, std::nullopt}, {1, std::nullopt}};
    const bool erased = table_step(both, right, tape[1], tape[2], TapeToken{}) == TapeToken{};
    evidence.check(
        Form::tested,
        configurations(both, 2).failures == 0 && erased,
        "without the fourth branch the smallest failure has three cells: head at the first, "
        "move right; the third cell's letter is erased");
    return evidence;
}

}  // namespace

Claim algorithm_7() {
    return {
        .id = "yau2024/algorithm_7",
        .place = "Algorithm 7",
        .printed =
            "three branches (head on the right neighbour, here, on the left neighbour) that "
            "look up delta(q, .) and select by the row's own letter; branch 1 tests the move L "
            "twice",
        .tested =
            "the same with the scanned letter, R in the second test, and a fourth branch that "
            "keeps the letter of all other cells",
        .deviation =
            "the row's letter is always the first one; a move to the right writes nothing in "
            "branch 1; letters away from the head are erased. Where both printed tests apply "
            "the reading that fails least is taken: the state stays",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::refuted,
        .explain =
            "One step of a machine changes a cell only through the three cells around it, so "
            "all cases can be counted.",
        .run = test_algorithm_7,
    };
}

}  // namespace attest::yau2024
