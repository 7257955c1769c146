#include "programs/machines/turing_notation.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/language/token.hpp"

#include <algorithm>
#include <sstream>

namespace attest {

namespace {

constexpr Index kMostStates = 25;  // Z is left for halting
constexpr std::string_view kWhat = "machine notation";

std::vector<std::string> split_rows(std::string_view text) {
    std::vector<std::string> rows;
    std::istringstream in{std::string(text)};
    for (std::string row; std::getline(in, row, '_');) {
        rows.push_back(row);
    }
    require(!rows.empty() && text.back() != '_',
            "{}: got {}, expected rows such as 1RB1LB_1LA1RZ",
            kWhat,
            in_quotes(text));
    for (const std::string& row : rows) {
        require(!row.empty() && row.size() % 3 == 0 && row.size() == rows.front().size(),
                "{}: got row {}, expected three characters a symbol, as many in every row",
                kWhat,
                in_quotes(row));
    }
    require(static_cast<Index>(rows.size()) <= kMostStates && rows.front().size() <= 30,
            "{}: got {} rows of {} symbols, expected at most {} of 10",
            kWhat,
            rows.size(),
            rows.front().size() / 3,
            kMostStates);
    return rows;
}

std::optional<Transition> parse_entry(const std::string& entry, Index states, Index symbols) {
    if (entry == "---") {
        return std::nullopt;
    }
    Transition found;
    found.write = entry[0] - '0';
    require(0 <= found.write && found.write < symbols,
            "{}: entry {} writes a symbol other than 0 … {}",
            kWhat,
            in_quotes(entry),
            symbols - 1);
    require(entry[1] == 'L' || entry[1] == 'R' || entry[1] == 'S',
            "{}: entry {} moves neither L nor R nor S",
            kWhat,
            in_quotes(entry));
    found.move = entry[1] == 'L' ? Move::left : entry[1] == 'R' ? Move::right : Move::stay;
    const Index next = entry[2] - 'A';
    const bool halts = next >= states && (entry[2] == 'Z' || entry[2] == 'H');
    require(halts || (0 <= next && next < states),
            "{}: entry {} goes to no state: rows are A … {}, Z halts",
            kWhat,
            in_quotes(entry),
            static_cast<char>('A' + states - 1));
    found.next = halts ? states : next;
    return found;
}

Index visited_from(const TuringRun& run, Index start) {
    Index first = start;
    for (const TuringStep& step : run.steps) {
        first = std::min(first, step.position);
    }
    return first;
}

}  // namespace

TuringMachine parse_machine_notation(std::string_view text) {
    require(!text.empty(), "{}: got nothing, expected rows such as 1RB1LB_1LA1RZ", kWhat);
    const std::vector<std::string> rows = split_rows(text);
    const auto states = static_cast<Index>(rows.size());
    const auto symbols = static_cast<Index>(rows.front().size() / 3);
    TuringMachine machine;
    machine.halting = {"Z"};
    for (Index a = 0; a < symbols; ++a) {
        machine.symbols.push_back(std::to_string(a));
    }
    for (Index q = 0; q < states; ++q) {
        machine.states.emplace_back(1, static_cast<char>('A' + q));
        for (Index a = 0; a < symbols; ++a) {
            machine.table.push_back(parse_entry(
                rows[static_cast<std::size_t>(q)].substr(static_cast<std::size_t>(3 * a), 3),
                states,
                symbols));
        }
    }
    return machine;
}

std::string machine_notation(const TuringMachine& machine) {
    require(
        machine.num_symbols() <= 10 && machine.num_states() <= kMostStates && machine.start == 0,
        "machine notation: holds at most 10 symbols and 25 states, starting in the first");
    std::string text;
    for (Index q = 0; q < machine.num_states(); ++q) {
        text += q == 0 ? "" : "_";
        for (Index a = 0; a < machine.num_symbols(); ++a) {
            const std::optional<Transition>& found = machine.delta(q, a);
            if (!found) {
                text += "---";
                continue;
            }
            const bool halts = found->next >= machine.num_states();
            text += formatted("{}{}{}",
                              found->write,
                              to_string(found->move),
                              halts ? 'Z' : static_cast<char>('A' + found->next));
        }
    }
    return text;
}

TuringTape padded_tape(const std::vector<Index>& word, Index cells, Index head) {
    const auto length = static_cast<Index>(word.size());
    require(cells >= 1 && length <= cells,
            "tape: got a word of {} letters, expected at most {} cells; give --cells",
            length,
            cells);
    require(0 <= head && head < cells,
            "tape: the head starts on cell {}, expected 0 … {}",
            head,
            cells - 1);
    TuringTape tape{word, head};
    tape.cells.resize(static_cast<std::size_t>(cells), 0);
    return tape;
}

TuringTape fitting_tape(const TuringMachine& machine,
                        const std::vector<Index>& word,
                        Index budget,
                        Index most_cells) {
    require(budget >= 0, "steps: got {}, expected at least 0", budget);
    const auto length = std::max<Index>(1, static_cast<Index>(word.size()));
    const Index side = std::min(budget, most_cells) + 1;  // the last move may leave the cells seen
    TuringTape wide{std::vector<Index>(static_cast<std::size_t>(2 * side + length), 0), side};
    std::copy(word.begin(), word.end(), wide.cells.begin() + side);
    const TuringRun run = simulate(machine, wide.cells, side, budget);
    const Index end = run.result.last.head;
    Index first = std::min(visited_from(run, side), end);
    Index last = std::max(side + length - 1, end);
    for (const TuringStep& step : run.steps) {
        last = std::max(last, step.position);
    }
    if (run.result.ending == TuringEnding::off_tape || last - first + 1 > most_cells) {
        throw EnvironmentFailure(formatted(
            "tape: the run needs more than {} cells; give --cells, or fewer --steps", most_cells));
    }
    return {{wide.cells.begin() + first, wide.cells.begin() + last + 1}, side - first};
}

}  // namespace attest
