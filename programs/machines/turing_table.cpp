#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/text.hpp"
#include "programs/language/symbols.hpp"
#include "programs/machines/turing_notation.hpp"

#include <algorithm>

namespace attest {

namespace {

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

/// Names first: a transition may lead to a state whose lines come later.
void collect_names(const std::vector<WordLine>& lines, TuringMachine& machine) {
    std::string start;
    for (const WordLine& line : lines) {
        const std::vector<std::string>& words = line.words;
        if (words[0] == "blank" || words[0] == "start") {
            if (words.size() != 2) {
                refuse_line(kTable, line, formatted("{} takes one name", words[0]));
            }
            if (words[0] == "start") {
                start = words[1];
            } else if (machine.symbols.empty()) {
                machine.symbols.push_back(words[1]);
            } else {
                refuse_line(kTable, line, "the blank comes first, and once");
            }
        } else if (words[0] == "halt") {
            for (std::size_t i = 1; i < words.size(); ++i) {
                find_or_add(machine.halting, words[i]);
            }
        } else {
            if (words.size() != 5) {
                refuse_line(kTable, line, "expected STATE READ WRITE MOVE NEXT");
            }
            if (machine.symbols.empty()) {
                refuse_line(kTable, line, "name the blank symbol first, such as: blank _");
            }
            find_or_add(machine.states, words[0]);
            find_or_add(machine.symbols, words[1]);
            find_or_add(machine.symbols, words[2]);
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
