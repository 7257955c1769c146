#include "programs/machines/automaton.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/language/token.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr std::string_view kAutomaton = "automaton";

bool is_directive(const WordLine& line) {
    return line.words[0] == "start" || line.words[0] == "accept";
}

void collect_names(const std::vector<WordLine>& lines, Automaton& automaton) {
    for (const WordLine& line : lines) {
        if (!is_directive(line)) {
            if (line.words.size() != 3) {
                refuse_line(kAutomaton, line, "expected STATE LETTER NEXT");
            }
            find_or_add(automaton.states, line.words[0]);
            find_or_add(automaton.letters, line.words[1]);
        }
    }
    // States that are only led to come last: the start is the first that has a line.
    for (const WordLine& line : lines) {
        if (!is_directive(line)) {
            find_or_add(automaton.states, line.words[2]);
        }
    }
    require(!automaton.states.empty(), "automaton: there is no transition");
    automaton.table.resize(automaton.states.size() * automaton.letters.size());
}

Index known_state(const Automaton& automaton, const WordLine& line, const std::string& name) {
    const Index at = find_name(automaton.states, name);
    if (at < 0) {
        refuse_line(kAutomaton, line, formatted("state {} has no transition", in_quotes(name)));
    }
    return at;
}

void read_directive(const WordLine& line, Automaton& automaton) {
    if (line.words[0] == "start") {
        if (line.words.size() != 2) {
            refuse_line(kAutomaton, line, "start takes one state");
        }
        automaton.start = known_state(automaton, line, line.words[1]);
        return;
    }
    for (std::size_t i = 1; i < line.words.size(); ++i) {
        const Index state = known_state(automaton, line, line.words[i]);
        if (!automaton.accepts(state)) {
            automaton.accepting.push_back(state);
        }
    }
}

}  // namespace

bool Automaton::accepts(Index state) const {
    return std::find(accepting.begin(), accepting.end(), state) != accepting.end();
}

Automaton parse_automaton(std::string_view text, AutomatonKind kind) {
    const std::vector<WordLine> lines = split_lines(text);
    Automaton automaton;
    collect_names(lines, automaton);
    for (const WordLine& line : lines) {
        if (is_directive(line)) {
            read_directive(line, automaton);
            continue;
        }
        const Index q = find_name(automaton.states, line.words[0]);
        const Index w = find_name(automaton.letters, line.words[1]);
        auto& next = automaton.table[static_cast<std::size_t>(q * automaton.num_letters() + w)];
        if (kind == AutomatonKind::deterministic && !next.empty()) {
            refuse_line(
                kAutomaton,
                line,
                formatted(
                    "state {} and letter {} have a line already", line.words[0], line.words[1]));
        }
        next.push_back(find_name(automaton.states, line.words[2]));
    }
    return automaton;
}

WordResult read_word(const Automaton& automaton, const std::vector<Index>& word) {
    WordResult result{false, 0, automaton.start};
    for (const Index letter : word) {
        const std::vector<Index>& next = automaton.delta(result.state, letter);
        if (next.empty()) {
            result.stuck = true;
            break;
        }
        result.state = next.front();
        ++result.read;
    }
    return result;
}

std::vector<std::vector<std::int64_t>> count_paths(const Automaton& automaton,
                                                   const std::vector<Index>& word) {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    std::vector<std::int64_t> counts(automaton.states.size(), 0);
    counts[static_cast<std::size_t>(automaton.start)] = 1;
    std::vector<std::vector<std::int64_t>> all{counts};
    for (const Index letter : word) {
        std::vector<std::int64_t> after(counts.size(), 0);
        for (Index q = 0; q < automaton.num_states(); ++q) {
            for (const Index next : automaton.delta(q, letter)) {
                std::int64_t& to = after[static_cast<std::size_t>(next)];
                to += counts[static_cast<std::size_t>(q)];
                require(to < kMost, "count_paths: a count reaches 2^31; give a shorter word");
            }
        }
        counts = std::move(after);
        all.push_back(counts);
    }
    return all;
}

Automaton random_automaton(Draws& draws, Index states, Index letters) {
    Automaton automaton;
    for (Index q = 0; q < states; ++q) {
        automaton.states.push_back(formatted("q{}", q));
    }
    for (Index w = 0; w < letters; ++w) {
        automaton.letters.push_back(formatted("w{}", w));
    }
    for (Index i = 0; i < states * letters; ++i) {
        automaton.table.push_back(
            {static_cast<Index>(draws.below(static_cast<std::uint64_t>(states)))});
    }
    return automaton;
}

}  // namespace attest
