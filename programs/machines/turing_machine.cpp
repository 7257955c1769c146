#include "programs/machines/turing_machine.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr Choices<Move, 3> kMoveNames{{{Move::left, "L"}, {Move::right, "R"}, {Move::stay, "S"}}};

constexpr Choices<TuringEnding, 4> kTuringEndingNames{{{TuringEnding::halt, "halt"},
                                                       {TuringEnding::stuck, "stuck"},
                                                       {TuringEnding::off_tape, "off_tape"},
                                                       {TuringEnding::limit, "limit"}}};

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

}  // namespace attest
