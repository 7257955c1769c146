#pragma once

#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"
#include "programs/language/compile.hpp"
#include "programs/learning/learn_traces.hpp"

namespace attest {

/// A compiled program and what it prints: the planted heads are the program's, every printed token
/// is one example, the tokens before it labelled by it.
struct ProgramTraces {
    Parameters heads;
    Dataset data;
};

/// The universal automaton of two states and words of one letter, with the alphabet that gives
/// tokens of d = 4V + 6 entries, on random automata and words. Throws InvalidInput for another d.
[[nodiscard]] ProgramTraces automaton_traces(Index d, Index count, const Stream& stream);

/// The universal Turing machine for one state, two symbols and two cells, d = 18, on random
/// machines of that class, three steps each.
[[nodiscard]] ProgramTraces turing_traces(Index count, const Stream& stream);

}  // namespace attest
