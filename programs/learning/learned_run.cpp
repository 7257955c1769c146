#include "programs/learning/learned_run.hpp"

#include "programs/language/token.hpp"

namespace attest {

LearnedRun learned_run(const TuringMachine& machine,
                       const TuringTape& tape,
                       const LearnedRunOptions& options,
                       const Stream& stream) {
    const Utm2 program(shape_of(machine, static_cast<Index>(tape.cells.size())));
    const TuringClass machines(program.shape(), options.train_steps);
    const LearnedProgram learned = learn_class(
        program, machines, machines.sample(options.train_runs, stream), options.selection);
    const TuringRun simulated = simulate(machine, tape.cells, tape.head, options.most_steps);
    const Trace expected = program.expected(machine, tape.cells, tape.head, simulated);
    return {machine,
            program,
            learned,
            simulated,
            expected,
            certified_tokens(learned, expected),
            program.run(learned.coefficients, machine, tape.cells, tape.head, options.most_steps)};
}

LearnedRun learned_run(const NamedMachine& named,
                       const LearnedRunOptions& options,
                       const Stream& stream) {
    const TuringMachine machine = machine_from_text(named.text);
    const TuringTape tape = fitting_tape(machine,
                                         parse_word("tape", named.word, machine.symbols),
                                         options.most_steps,
                                         options.most_cells);
    return learned_run(machine, tape, options, stream);
}

}  // namespace attest
