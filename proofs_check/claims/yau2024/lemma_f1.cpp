#include "core/base/text.hpp"
#include "core/features/cubic.hpp"
#include "programs/language/literal_model.hpp"
#include "programs/machines/dfa.hpp"
#include "programs/machines/turing_class.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

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

/// Accepted: the lookups as heads print every trace, token by token.
Answer prints(const Program& program, const std::vector<Trace>& traces, const std::string& what) {
    Index printed = 0;
    for (const Trace& trace : traces) {
        printed += literal_model_prints(program, trace) ? 1 : 0;
    }
    const auto count = static_cast<Index>(traces.size());
    return {printed == count,
            formatted("{} lookups as {} heads{} print {} of {} random computations, token by token",
                      program.heads.size(),
                      program.heads.size(),
                      what,
                      printed,
                      count)};
}

/// The proof's words: B_V in rows AttrSource and columns AttrKey of V, in rows AttrValue and
/// columns AttrDest of Q.
Program placed_as_printed(Program program) {
    for (ProgramHead& head : program.heads) {
        std::swap(head.V, head.Q);
        for (std::vector<MatrixTerm>* terms : {&head.V, &head.Q}) {
            for (MatrixTerm& term : *terms) {
                std::swap(term.to, term.from);
            }
        }
    }
    return program;
}

/// What the last token has in the attribute that two lookups write: the later value stays, as in
/// Algorithm 3, or the values add up.
enum class TwoLookups : std::uint8_t { later_stays, add };

/// Rows 0 and 1 are two source attributes, 2 and 3 the keys that they look up, 4 and 5 the values
/// of the one destination attribute. The program of Algorithm 3, pair after pair.
RationalVector two_lookups(const RationalMatrix& Z, TwoLookups rule) {
    RationalVector destination = RationalVector::Zero(2);
    for (const Index source : {0, 1}) {
        if (Z(source, Z.cols() - 1) == 0) {
            continue;
        }
        for (Index t = 0; t < Z.cols(); ++t) {
            if (Z(2 + source, t) != 0) {  // B_Q: source attribute i asks for key i
                const RationalVector value = Z.col(t).tail(2);
                destination = rule == TwoLookups::add ? RationalVector(destination + value) : value;
            }
        }
    }
    return destination;
}

/// Features are linear in S, so those of [A B r] are those of [A r] and [B r] less those of [r].
/// Accepted: the answers of the program to the four sequences obey the same relation.
Answer obeys_the_features(TwoLookups rule) {
    const RationalMatrix A = RationalMatrix{{0}, {0}, {1}, {0}, {1}, {0}};
    const RationalMatrix B = RationalMatrix{{0}, {0}, {0}, {1}, {0}, {1}};
    const RationalMatrix r = RationalMatrix{{1}, {1}, {0}, {0}, {0}, {0}};
    RationalMatrix Ar(6, 2);
    RationalMatrix Br(6, 2);
    RationalMatrix ABr(6, 3);
    Ar << A, r;
    Br << B, r;
    ABr << A, B, r;
    const RationalVector left = cubic_features<Rational>(ABr) + cubic_features<Rational>(r);
    const RationalVector right = cubic_features<Rational>(Ar) + cubic_features<Rational>(Br);
    const RationalVector u = two_lookups(Ar, rule);
    const RationalVector w = two_lookups(Br, rule);
    const RationalVector nothing = two_lookups(r, rule);
    const RationalVector both = two_lookups(ABr, rule);
    return {
        left == right && both + nothing == u + w,
        formatted(
            "A holds key1 -> u, B key2 -> w, the last token r looks up key1, then key2, into one "
            "attribute: H([A B r]) + H([r]) = H([A r]) + H([B r]), so a layer that answers u = "
            "{} to [A r], w = {} to [B r] and {} to [r] answers u + w to [A B r]; the program, "
            "where {}, has {}",
            to_text_vector(u),
            to_text_vector(w),
            to_text_vector(nothing),
            rule == TwoLookups::add ? "values add up" : "the later value stays",
            to_text_vector(both))};
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

Evidence test_lemma_f1(const ClaimContext& context) {
    Evidence evidence;
    const Index count = context.pick(60, 600);
    const Dfa2 automata({3, 2, 5});
    const Utm2 machines({2, 1, 2, 4, Moves::left_right});
    const std::vector<Trace> words =
        automaton_traces(automata, count, context.stream.child("words"));
    const std::vector<Trace> tapes = machine_traces(machines, count, context.stream.child("tapes"));
    const SharedTest overwriting(evidence, obeys_the_features);
    overwriting.check(Form::printed, TwoLookups::later_stays);
    overwriting.accepts(TwoLookups::add);
    const SharedTest lookups(evidence, prints, kSampled);
    lookups.check(Form::tested, automata.program(), words, " of an automaton");
    lookups.check(Form::tested, machines.program(), tapes, " of a Turing machine");
    lookups.control(
        exchanged(automata.program()), words, ", keys and sources exchanged in every Q_h,");
    lookups.control(placed_as_printed(automata.program()), words, ", placed as the proof says,");
    return evidence;
}

}  // namespace

Claim lemma_f1() {
    return {
        .id = "yau2024/lemma_f1",
        .place = "Lemma F.1",
        .printed =
            "for every program of lookups (Algorithm 3) there is a layer, one head a lookup, that "
            "computes the same next token",
        .tested =
            "the same for programs whose lookups at one token write different attributes: V_h maps "
            "value rows to destination rows, Q_h maps source rows of the last token to key rows",
        .deviation =
            "of two lookups into one attribute the program keeps the later one, where attention "
            "adds; the position of the next token needs heads of its own",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::missing_hypothesis,
        .remark =
            "as the proof places the blocks of V_h and Q_h the heads print nothing right: see "
            "yau2024/lemma_f1_printed",
        .explain =
            "V_h Z Z^T Q_h z sums the values of all tokens whose key is the query. The "
            "programs are universal: automaton or machine, and input, come in the prompt; "
            "what must be printed comes from simulators that know no attention.",
        .run = test_lemma_f1,
    };
}

}  // namespace attest::yau2024
