#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/machines/dfa.hpp"
#include "programs/machines/utm1.hpp"

namespace attest {

std::vector<Token> Utm1::prompt(const TuringMachine& machine,
                                const std::vector<Index>& tape,
                                Index head) const {
    const auto cells = static_cast<Index>(tape.size());
    require(machine.num_states() == shape_.states && machine.num_symbols() <= shape_.symbols &&
                static_cast<Index>(machine.halting.size()) <= shape_.halting && !machine.has_stay(),
            "Utm1: the machine does not fit the class of this program");
    require(cells == shape_.cells, "tape: got {} cells, expected {}", cells, shape_.cells);
    const Index targets = shape_.states + shape_.halting;
    std::vector<Token> tokens{one_hot_token({one_.at(0)})};
    for (Index q = 0; q < machine.num_states(); ++q) {
        for (Index a = 0; a < machine.num_symbols(); ++a) {
            if (const auto& found = machine.delta(q, a)) {
                const Index move = found->move == Move::left ? 0 : targets;
                tokens.push_back(one_hot_token({K_.at(q * shape_.symbols + a),
                                                D_.at(move + found->next),
                                                W_.at(found->write)}));
            }
        }
    }
    for (Index p = 0; p < cells; ++p) {
        Token token = one_hot_token({P_.at(p), c_.at(tape[static_cast<std::size_t>(p)])});
        if (p == head) {
            token.push_back({s_.at(machine.start), 1});
        }
        tokens.push_back(make_token(std::move(token)));
    }
    tokens.push_back(one_hot_token({P_.at(cells), hash_.at(0)}));
    return tokens;
}

void Utm1::print_cell(std::vector<Token>& to,
                      Index t,
                      const TuringConfiguration& before,
                      const TuringConfiguration& after,
                      const TuringMachine& machine,
                      bool stuck) const {
    const Index cell = t % (shape_.cells + 1);
    if (is_mark(t)) {
        to.push_back(one_hot_token({P1_.at(t)}));
        to.push_back(one_hot_token({P2_.at(t)}));
        to.push_back(one_hot_token({P_.at(t), hash_.at(0)}));
        return;
    }
    const auto letter = [&](const TuringConfiguration& c, Index p) {
        return c.tape[static_cast<std::size_t>(p)];
    };
    std::vector<TokenEntry> reads{{P1_.at(t), 1}, {x_.at(0), 1}};
    std::vector<TokenEntry> keys{
        {P2_.at(t), 1}, {x_.at(0), -1}, {own_.at(letter(before, cell)), 1}};
    for (const Neighbour& neighbour : neighbours_) {
        const Index p = cell + neighbour.offset;
        if (p < 0 || p >= shape_.cells) {
            continue;
        }
        const Index a = letter(before, p);
        reads.push_back({neighbour.letter.at(a), 1});
        if (neighbour.offset == 0) {
            keys.push_back({neighbour.letter.at(a), 1});
        }
        if (before.head == p && before.state < machine.num_states()) {
            reads.push_back({neighbour.state.at(before.state), 1});
            keys.push_back({neighbour.state.at(before.state), 1});
            keys.push_back({neighbour.key.at(before.state * shape_.symbols + a), 1});
        }
    }
    to.push_back(make_token(std::move(reads)));
    to.push_back(make_token(std::move(keys)));
    std::vector<Index> printed{P_.at(t)};
    if (!(stuck && before.head == cell)) {
        printed.push_back(c_.at(letter(after, cell)));
    }
    if (!stuck && after.head == cell) {
        printed.push_back(s_.at(after.state));
    }
    to.push_back(one_hot_token(printed));
}

Trace Utm1::expected(const TuringMachine& machine,
                     const std::vector<Index>& tape,
                     Index head) const {
    Trace trace{prompt(machine, tape, head), {}};
    TuringConfiguration before = simulate(machine, tape, head, 0).result.last;
    for (Index k = 1; k <= steps_; ++k) {
        const TuringResult after = simulate(machine, tape, head, k).result;
        const bool stuck = after.ending == TuringEnding::stuck;
        for (Index cell = 0; cell <= shape_.cells; ++cell) {
            const Index t = k * (shape_.cells + 1) + cell;
            print_cell(trace.generated, t, before, after.last, machine, stuck);
            if (stuck && cell == before.head) {
                return trace;
            }
        }
        if (after.ending != TuringEnding::limit) {
            break;
        }
        before = after.last;
    }
    return trace;
}

Utm1Run Utm1::run(const SparseCoefficients& coefficients,
                  const TuringMachine& machine,
                  const std::vector<Index>& tape,
                  Index head) const {
    Utm1Run run{true, TuringEnding::limit, 0, tape, {}};
    std::vector<Index> printed;
    Index states_seen = 0;
    bool halted = false;
    Index tokens = 0;
    const auto rule = [&](const IntegerAttention& /*model*/, const Token& token) {
        if (++tokens % 3 != 0) {
            return Continue::yes;
        }
        const Index letter = only_one(token, c_);
        const Index state = only_one(token, s_);
        const bool mark = value_at(token, hash_.at(0)) == 1;
        run.readable = run.readable && letter > -2 && state > -2 && !(mark && letter >= 0);
        if (!run.readable) {
            return Continue::stop;
        }
        if (!mark) {
            if (letter < 0) {
                run.ending = TuringEnding::stuck;
                return Continue::stop;
            }
            printed.push_back(letter);
            states_seen += state >= 0 ? 1 : 0;
            halted = halted || state >= shape_.states;
            return Continue::yes;
        }
        ++run.steps;
        run.tape = printed;
        run.readable = static_cast<Index>(printed.size()) == shape_.cells && states_seen <= 1;
        run.ending = halted             ? TuringEnding::halt
                     : states_seen == 0 ? TuringEnding::off_tape
                                        : TuringEnding::limit;
        printed.clear();
        states_seen = 0;
        const bool ends = run.ending != TuringEnding::limit || run.steps == steps_;
        return ends || !run.readable ? Continue::stop : Continue::yes;
    };
    AttentionRun found = run_attention(
        coefficients, prompt(machine, tape, head), 3 * (shape_.cells + 1) * steps_, rule);
    run.readable = run.readable && found.ending == AttentionEnding::stopped;
    run.trace = std::move(found.trace);
    return run;
}

}  // namespace attest
