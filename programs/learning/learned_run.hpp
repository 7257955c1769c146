#pragma once

#include "programs/learning/exhaust.hpp"
#include "programs/machines/named_machines.hpp"

namespace attest {

struct LearnedRunOptions {
    Index train_runs = 1000;
    Index train_steps = 6;  ///< of each of them
    Selection selection = Selection::all;
    Index most_steps = 1000;  ///< of the machine that is asked for
    Index most_cells = 64;
};

/// A machine run by attention that was learned from short random runs of machines and tapes
/// of its size, itself one of very many, beside the plain simulator.
struct LearnedRun {
    TuringMachine machine;
    Utm2 program;
    LearnedProgram learned;
    TuringRun simulated;
    Trace expected;               ///< what attention must print
    std::vector<bool> certified;  ///< the tokens of it that the training runs determine, over Z
    Utm2Run run;
};

/// Learns and runs; the training runs are a pure function of the stream.
[[nodiscard]] LearnedRun learned_run(const TuringMachine& machine,
                                     const TuringTape& tape,
                                     const LearnedRunOptions& options,
                                     const Stream& stream);

/// The same on a named machine's own word. Throws as the parser of the machine and fitting_tape do.
[[nodiscard]] LearnedRun learned_run(const NamedMachine& named,
                                     const LearnedRunOptions& options,
                                     const Stream& stream);

}  // namespace attest
