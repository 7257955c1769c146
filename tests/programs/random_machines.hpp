#pragma once

#include "core/rng/stream.hpp"
#include "programs/machines/turing_machine.hpp"

namespace attest::test {

/// A machine with uniform transitions; about one in eight is missing.
[[nodiscard]] inline TuringMachine random_machine(
    Draws& draws, Index states, Index symbols, Index halting, bool stays) {
    TuringMachine machine;
    const auto below = [&](Index n) {
        return static_cast<Index>(draws.below(static_cast<std::uint64_t>(n)));
    };
    for (Index q = 0; q < states; ++q) {
        machine.states.push_back("q" + std::to_string(q));
    }
    for (Index q = 0; q < halting; ++q) {
        machine.halting.push_back("h" + std::to_string(q));
    }
    for (Index a = 0; a < symbols; ++a) {
        machine.symbols.push_back(std::to_string(a));
    }
    for (Index i = 0; i < states * symbols; ++i) {
        machine.table.emplace_back();
        if (below(8) != 0) {
            machine.table.back() = Transition{
                below(symbols), static_cast<Move>(below(stays ? 3 : 2)), below(states + halting)};
        }
    }
    return machine;
}

/// A uniform word.
[[nodiscard]] inline std::vector<Index> random_word(Draws& draws, Index length, Index symbols) {
    std::vector<Index> word;
    for (Index i = 0; i < length; ++i) {
        word.push_back(static_cast<Index>(draws.below(static_cast<std::uint64_t>(symbols))));
    }
    return word;
}

}  // namespace attest::test
