#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/text.hpp"
#include "programs/language/symbols.hpp"
#include "programs/machines/turing_notation.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr std::string_view kWhat = "machine table";

[[noreturn]] void complain(const WordLine& line, const std::string& text) {
    throw InvalidInput(concat(kWhat, ": line ", line.number, ": ", text));
}

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
    complain(line, concat("got move ", in_quotes(word), ", expected L, R or S"));
}

/// Names first: a transition may lead to a state whose lines come later.
void collect_names(const std::vector<WordLine>& lines, TuringMachine& machine) {
    std::string start;
    for (const WordLine& line : lines) {
        const std::vector<std::string>& words = line.words;
        if (words[0] == "blank" || words[0] == "start") {
            if (words.size() != 2) {
                complain(line, concat(words[0], " takes one name"));
            }
            if (words[0] == "start") {
                start = words[1];
            } else if (machine.symbols.empty()) {
                machine.symbols.push_back(words[1]);
            } else {
                complain(line, "the blank comes first, and once");
            }
        } else if (words[0] == "halt") {
            for (std::size_t i = 1; i < words.size(); ++i) {
                find_or_add(machine.halting, words[i]);
            }
        } else {
            if (words.size() != 5) {
                complain(line, "expected STATE READ WRITE MOVE NEXT");
            }
            if (machine.symbols.empty()) {
                complain(line, "name the blank symbol first, such as: blank _");
            }
            find_or_add(machine.states, words[0]);
            find_or_add(machine.symbols, words[1]);
            find_or_add(machine.symbols, words[2]);
        }
    }
    require(!machine.states.empty(), concat(kWhat, ": there is no transition"));
    machine.start = start.empty() ? 0 : find_name(machine.states, start);
    require(machine.start >= 0,
            concat(kWhat, ": the start state ", in_quotes(start), " has no transition"));
}

Index next_state(const WordLine& line, const TuringMachine& machine) {
    const std::string& name = line.words[4];
    const Index working = find_name(machine.states, name);
    const Index halting = find_name(machine.halting, name);
    if (working < 0 && halting < 0) {
        complain(line, concat("state ", in_quotes(name), " has no line and does not halt"));
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
                concat(kWhat, ": state ", in_quotes(state), " halts and has a line"));
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
            complain(line,
                     concat("state ",
                            line.words[0],
                            " and symbol ",
                            line.words[1],
                            " have a line already"));
        }
        entry = Transition{find_name(machine.symbols, line.words[2]),
                           parse_move(line, line.words[3]),
                           next_state(line, machine)};
    }
    return machine;
}

}  // namespace attest
