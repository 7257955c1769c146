#include "programs/machines/turing_machine.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/language/token.hpp"
#include "programs/machines/turing_notation.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr Choices<Move, 3> kMoveNames{{{Move::left, "L"}, {Move::right, "R"}, {Move::stay, "S"}}};

constexpr Choices<TuringEnding, 4> kTuringEndingNames{{{TuringEnding::halt, "halt"},
                                                       {TuringEnding::stuck, "stuck"},
                                                       {TuringEnding::off_tape, "off_tape"},
                                                       {TuringEnding::limit, "limit"}}};

constexpr std::string_view kTable = "machine table";

Move parse_move(const WordLine& line, const std::string& word) {
    if (word == "L") {
        return Move::left;
    }
    if (word == "R") {
        return Move::right;
    }
    if (word == "S") {
        return Move::stay;
    }
    refuse_line(kTable, line, formatted("got move {}, expected L, R or S", in_quotes(word)));
}

/// The name behind `blank` or `start`.
const std::string& only_name(const WordLine& line) {
    if (line.words.size() != 2) {
        refuse_line(kTable, line, formatted("{} takes one name", line.words[0]));
    }
    return line.words[1];
}

void collect_transition(const WordLine& line, TuringMachine& machine) {
    if (line.words.size() != 5) {
        refuse_line(kTable, line, "expected STATE READ WRITE MOVE NEXT");
    }
    if (machine.symbols.empty()) {
        refuse_line(kTable, line, "name the blank symbol first, such as: blank _");
    }
    find_or_add(machine.states, line.words[0]);
    find_or_add(machine.symbols, line.words[1]);
    find_or_add(machine.symbols, line.words[2]);
}

/// Names first: a transition may lead to a state whose lines come later.
void collect_names(const std::vector<WordLine>& lines, TuringMachine& machine) {
    std::string start;
    for (const WordLine& line : lines) {
        const std::vector<std::string>& words = line.words;
        if (words[0] == "start") {
            start = only_name(line);
        } else if (words[0] == "blank") {
            const std::string& blank = only_name(line);
            if (!machine.symbols.empty()) {
                refuse_line(kTable, line, "the blank comes first, and once");
            }
            machine.symbols.push_back(blank);
        } else if (words[0] == "halt") {
            std::for_each(words.begin() + 1, words.end(), [&](const std::string& name) {
                find_or_add(machine.halting, name);
            });
        } else {
            collect_transition(line, machine);
        }
    }
    require(!machine.states.empty(), "{}: there is no transition", kTable);
    machine.start = start.empty() ? 0 : find_name(machine.states, start);
    require(
        machine.start >= 0, "{}: the start state {} has no transition", kTable, in_quotes(start));
}

Index next_state(const WordLine& line, const TuringMachine& machine) {
    const std::string& name = line.words[4];
    const Index working = find_name(machine.states, name);
    const Index halting = find_name(machine.halting, name);
    if (working < 0 && halting < 0) {
        refuse_line(
            kTable, line, formatted("state {} has no line and does not halt", in_quotes(name)));
    }
    return working >= 0 ? working : machine.num_states() + halting;
}

}  // namespace

Index offset_of(Move move) {
    switch (move) {
        case Move::left:
            return -1;
        case Move::right:
            return 1;
        case Move::stay:
            return 0;
    }
    throw BrokenInvariant("offset_of: unknown move");
}

std::string_view to_string(Move move) {
    return name_of(kMoveNames, move);
}

std::string_view to_string(TuringEnding ending) {
    return name_of(kTuringEndingNames, ending);
}

const std::string& TuringMachine::state_name(Index q) const {
    return q < num_states() ? states[static_cast<std::size_t>(q)]
                            : halting.at(static_cast<std::size_t>(q - num_states()));
}

bool TuringMachine::has_stay() const {
    return std::any_of(table.begin(), table.end(), [](const auto& transition) {
        return transition && transition->move == Move::stay;
    });
}

TuringRun simulate(const TuringMachine& machine,
                   const std::vector<Index>& tape,
                   Index head,
                   Index budget) {
    const auto cells = static_cast<Index>(tape.size());
    // Classes are simulated run by run: messages are made only when they are needed.
    if (head < 0 || cells <= head) {
        throw InvalidInput(
            formatted("tape: the head starts on cell {}, expected 0 … {}", head, cells - 1));
    }
    if (budget < 0) {
        throw InvalidInput(formatted("steps: got {}, expected at least 0", budget));
    }
    for (const Index letter : tape) {
        if (letter < 0 || machine.num_symbols() <= letter) {
            throw InvalidInput(formatted(
                "tape: got letter {}, the machine has {}", letter, machine.num_symbols()));
        }
    }
    TuringRun run{{TuringEnding::limit, 0, {tape, head, machine.start}}, {}};
    TuringConfiguration& now = run.result.last;
    const auto cell = [&](Index p) -> Index& { return now.tape[static_cast<std::size_t>(p)]; };
    while (run.result.steps < budget) {
        const Index p = now.head;
        const std::optional<Transition>& found = machine.delta(now.state, cell(p));
        if (!found) {
            run.result.ending = TuringEnding::stuck;
            return run;
        }
        run.steps.push_back({p,
                             now.state,
                             cell(p),
                             p > 0 ? cell(p - 1) : -1,
                             p + 1 < cells ? cell(p + 1) : -1,
                             *found});
        cell(p) = found->write;
        now.head = p + offset_of(found->move);
        now.state = found->next;
        ++run.result.steps;
        if (now.state >= machine.num_states()) {
            run.result.ending = TuringEnding::halt;
            return run;
        }
        if (now.head < 0 || now.head >= cells) {
            run.result.ending = TuringEnding::off_tape;
            return run;
        }
    }
    return run;
}

TuringMachine parse_machine_table(std::string_view text) {
    const std::vector<WordLine> lines = split_lines(text);
    TuringMachine machine;
    collect_names(lines, machine);
    if (machine.halting.empty()) {
        machine.halting = {"halt"};
    }
    for (const std::string& state : machine.states) {
        require(find_name(machine.halting, state) < 0,
                "{}: state {} halts and has a line",
                kTable,
                in_quotes(state));
    }
    machine.table.resize(machine.states.size() * machine.symbols.size());
    for (const WordLine& line : lines) {
        if (line.words.size() != 5 || line.words[0] == "halt") {
            continue;
        }
        const Index q = find_name(machine.states, line.words[0]);
        const Index a = find_name(machine.symbols, line.words[1]);
        auto& entry = machine.table[static_cast<std::size_t>(q * machine.num_symbols() + a)];
        if (entry) {
            refuse_line(
                kTable,
                line,
                formatted(
                    "state {} and symbol {} have a line already", line.words[0], line.words[1]));
        }
        entry = Transition{find_name(machine.symbols, line.words[2]),
                           parse_move(line, line.words[3]),
                           next_state(line, machine)};
    }
    return machine;
}

}  // namespace attest
