#include "bench/experiments/machines/program_traces.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/learning/exhaust.hpp"
#include "programs/learning/learn_traces.hpp"
#include "programs/learning/learning_curve.hpp"
#include "programs/machines/dfa.hpp"
#include "programs/machines/turing_class.hpp"
#include "programs/machines/utm2.hpp"

namespace attest {

namespace {

constexpr TuringShape kSmallestMachine{1, 1, 2, 2};
constexpr Index kTraceSteps = 3;

ProgramTraces traces_of(const Program& program, const TraceSource& source, Index count) {
    return {dense_parameters(program), printed_tokens(source, count, program.schema.dim())};
}

}  // namespace

ProgramTraces automaton_traces(Index d, Index count, const Stream& stream) {
    require(d >= 10 && d % 4 == 2,
            "automaton_traces: got d = {}, expected 4V + 6 with V >= 1 letters",
            d);
    const Dfa2 program({2, (d - 6) / 4, 1});
    return traces_of(program.program(), random_dfa_traces(program, stream), count);
}

ProgramTraces turing_traces(Index count, const Stream& stream) {
    const Utm2 program(kSmallestMachine);
    const TuringClass machines(kSmallestMachine, kTraceSteps);
    const std::vector<Index> runs = machines.sample(count, stream);
    return traces_of(
        program.program(), class_traces(program, machines, runs), static_cast<Index>(runs.size()));
}

}  // namespace attest
