#include "core/base/text.hpp"
#include "programs/language/literal_model.hpp"
#include "programs/machines/dfa.hpp"
#include "programs/machines/turing_class.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

namespace attest::yau2024 {

namespace {

/// Random automata, or machines, run by plain simulators.
std::vector<Trace> automaton_traces(const Dfa2& program, Index count, const Stream& stream) {
    std::vector<Trace> traces;
    for (Index i = 0; i < count; ++i) {
        Draws draws(stream.child(i));
        const Automaton automaton = random_automaton(draws, 3, 2);
        std::vector<Index> word;
        for (Index p = 0; p <= i % 5; ++p) {
            word.push_back(static_cast<Index>(draws.below(2)));
        }
        traces.push_back(program.expected(automaton, word));
    }
    return traces;
}

std::vector<Trace> machine_traces(const Utm2& program, Index count, const Stream& stream) {
    const TuringClass machines(program.shape(), 12);
    std::vector<Trace> traces;
    for (const Index run : machines.sample(count, stream)) {
        const TuringCase chosen = machines.at(run);
        traces.push_back(
            program.expected(chosen.machine,
                             chosen.tape.cells,
                             chosen.tape.head,
                             simulate(chosen.machine, chosen.tape.cells, chosen.tape.head, 12)));
    }
    return traces;
}

Index count_printed(const Program& program, const std::vector<Trace>& traces) {
    Index printed = 0;
    for (const Trace& trace : traces) {
        printed += literal_model_prints(program, trace) ? 1 : 0;
    }
    return printed;
}

/// V_h and Q_h with their roles exchanged within the head: value rows read as keys.
Program exchanged(Program program) {
    for (ProgramHead& head : program.heads) {
        for (MatrixTerm& term : head.Q) {
            std::swap(term.to, term.from);
        }
    }
    return program;
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const Index count = context.pick(60, 600);
    const Dfa2 automata({3, 2, 5});
    const Utm2 machines({2, 1, 2, 4, Moves::left_right});
    const std::vector<Trace> words =
        automaton_traces(automata, count, context.stream.child("words"));
    const std::vector<Trace> tapes = machine_traces(machines, count, context.stream.child("tapes"));
    const Index read = count_printed(automata.program(), words);
    const Index ran = count_printed(machines.program(), tapes);
    evidence.check(Form::tested,
                   read == count,
                   formatted("{} lookups as {} heads print the computations of {} of {} random "
                             "automata, token by token",
                             automata.program().heads.size(),
                             automata.program().heads.size(),
                             read,
                             count),
                   "exact: integers in double");
    evidence.check(Form::tested,
                   ran == count,
                   formatted("{} lookups as {} heads print the histories of {} of {} random Turing "
                             "machines, token by token",
                             machines.program().heads.size(),
                             machines.program().heads.size(),
                             ran,
                             count),
                   "exact: integers in double");
    const Index wrong = count_printed(exchanged(automata.program()), words);
    evidence.check(
        Form::control,
        wrong < count,
        formatted("with keys and sources exchanged in every Q_h only {} of {} are printed",
                  wrong,
                  count));
    return evidence;
}

}  // namespace

Claim lemma_f1() {
    return {
        .id = "yau2024/lemma_f1",
        .paper = "arXiv 2410.10101",
        .place = "Lemma F.1",
        .printed = kNotAtHand,
        .tested =
            "an autoregressive program of H lookups is a layer of H heads: V_h maps value "
            "rows to destination rows, Q_h maps source rows of the last token to key rows",
        .deviation = "the rows that V_h and Q_h map are stated by execution, not quoted",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds,
        .explain =
            "V_h Z Z^T Q_h z sums the values of all tokens whose key is the query. The "
            "programs are universal: automaton or machine, and input, come in the prompt; "
            "what must be printed comes from simulators that know no attention.",
        .run = run,
    };
}

}  // namespace attest::yau2024
