#pragma once

#include "core/base/shape.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// One token of a run and what has been said once it is there.
struct TraceFrame {
    bool printed = false;     ///< by the learned layer; else part of the prompt
    std::string token;        ///< named rows: "K[2] R[1] -x"
    std::string meaning;      ///< the same for people
    std::vector<Index> tape;  ///< letters read off the tokens so far, −1 where none is known yet
    Index head = -1;          ///< cell the machine is on, −1 before the start
    std::string state;        ///< "" before the start
    bool certified = false;   ///< the training rows determine this token, proved over Z
    bool right = false;       ///< the plain simulator prints the same
};

/// A Turing machine run by a layer that was learned from random runs of other machines.
struct MachineTrace {
    std::string name;
    std::string summary;
    std::string notation;
    std::vector<std::string> symbols;
    Index d = 0;
    Index train_runs = 0;
    Index train_tokens = 0;
    Index rank = 0;  ///< of the training rows over Q, proved
    Index steps = 0;
    std::string ending;
    std::vector<TraceFrame> frames;
};

/// Learns the universal machine of lemma B.1 (programs/machines/utm2.hpp) from random runs of the
/// machine's size, seed 0, and runs the named machine by it. Seconds for two states.
[[nodiscard]] MachineTrace trace_machine(std::string_view name, Index train_runs);

}  // namespace attest
