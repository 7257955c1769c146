#include "programs/machines/utm1.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/machines/dfa.hpp"

#include <utility>

namespace attest {

Utm1::Utm1(const TuringShape& shape, Index steps) : shape_(shape), steps_(steps) {
    require(shape.states >= 1 && shape.halting >= 1 && shape.symbols >= 1 && shape.cells >= 1 &&
                steps >= 1 && shape.moves == Moves::left_right,
            "Utm1: expected at least one state, halting state, symbol, cell and step, moves L, R");
    program_.name = "utm1";
    add_blocks();
    add_counters();
    add_reading_heads();
    add_printing_heads();
}

void Utm1::add_blocks() {
    Schema& schema = program_.schema;
    const Index keys = shape_.states * shape_.symbols;
    const Index targets = shape_.states + shape_.halting;
    P_ = schema.add("P", num_positions());
    P1_ = schema.add("P1", num_positions());
    P2_ = schema.add("P2", num_positions());
    K_ = schema.add("K", keys);
    s_ = schema.add("s", targets);
    D_ = schema.add("D", 2 * targets);
    W_ = schema.add("W", shape_.symbols);
    c_ = schema.add("c", shape_.symbols);
    own_ = schema.add("own", shape_.symbols);
    for (Index offset = -1; offset <= 1; ++offset) {
        const std::string side = offset < 0 ? "L" : offset == 0 ? "C" : "R";
        Neighbour neighbour{offset, {}, {}, {}};
        neighbour.letter = schema.add("a" + side, shape_.symbols);
        neighbour.state = schema.add("q" + side, shape_.states);
        neighbour.key = schema.add("K" + side, keys);
        neighbours_.push_back(std::move(neighbour));
    }
    hash_ = schema.add("hash", 1);
    x_ = schema.add("x", 1);
    one_ = schema.add("one", 1);
}

/// P → P1 → P2 → P, one position further in the first step.
void Utm1::add_counters() {
    const Index one = one_.at(0);
    for (Index t = shape_.cells + 1; t < num_positions(); ++t) {
        program_.heads.push_back(
            {formatted("count_P1_{}", t), {{P1_.at(t), one}}, {{one, P_.at(t - 1)}}});
        program_.heads.push_back(
            {formatted("count_P2_{}", t), {{P2_.at(t), one}}, {{one, P1_.at(t)}}});
        program_.heads.push_back(
            {formatted("count_P_{}", t), {{P_.at(t), one}}, {{one, P2_.at(t)}}});
    }
}

/// From a printed token: the cells around the next position, one configuration earlier. From P1:
/// the key of δ where a neighbour holds the head.
void Utm1::add_reading_heads() {
    const Index one = one_.at(0);
    const Index N = shape_.cells + 1;
    std::vector<ProgramHead>& heads = program_.heads;
    std::vector<MatrixTerm> arms;
    std::vector<MatrixTerm> carries;
    std::vector<MatrixTerm> disarms;
    const Block& letter = neighbours_[1].letter;
    std::vector<MatrixTerm> carried =
        join_terms({map_block(own_, letter), map_block(letter, letter)});
    for (const Neighbour& neighbour : neighbours_) {
        std::vector<MatrixTerm> positions;
        for (Index t = N; t < num_positions(); ++t) {
            const Index seen = t - N + neighbour.offset;
            if (!is_mark(t) && seen >= 0 && !is_mark(seen)) {
                positions.push_back({P_.at(seen), P_.at(t - 1)});
            }
        }
        heads.push_back({"read_" + neighbour.letter.name,
                         join_terms({map_block(neighbour.letter, c_),
                                     map_block(neighbour.state, s_.part(0, shape_.states))}),
                         std::move(positions)});
        // One product head a letter, not a state: the number of heads must not grow with Q.
        for (Index a = 0; a < shape_.symbols; ++a) {
            std::vector<MatrixTerm> keys;
            for (Index q = 0; q < shape_.states; ++q) {
                keys.push_back({neighbour.key.at(q * shape_.symbols + a), neighbour.state.at(q)});
            }
            heads.push_back({formatted("{}_{}", neighbour.key.name, a),
                             std::move(keys),
                             {{x_.at(0), neighbour.letter.at(a)}}});
        }
        carried = join_terms({carried, map_block(neighbour.state, neighbour.state)});
    }
    for (Index t = N; t < num_positions(); ++t) {
        if (!is_mark(t)) {
            arms.push_back({one, P_.at(t - 1)});
            carries.push_back({x_.at(0), P1_.at(t)});
            disarms.push_back({one, P1_.at(t)});
        }
    }
    heads.push_back({"arm", {{x_.at(0), one}}, std::move(arms)});
    heads.push_back({"carry", std::move(carried), std::move(carries)});
    heads.push_back({"disarm", {{x_.at(0), one, -1}}, std::move(disarms)});
}

/// From P2: the letter and the state of the cell.
void Utm1::add_printing_heads() {
    const Index one = one_.at(0);
    const Index targets = shape_.states + shape_.halting;
    const Block& left = neighbours_[0].key;
    const Block& here = neighbours_[1].key;
    const Block& right = neighbours_[2].key;
    std::vector<ProgramHead>& heads = program_.heads;
    heads.push_back({"from_right", map_block(s_, D_.part(0, targets)), map_block(K_, right)});
    heads.push_back({"from_left", map_block(s_, D_.part(targets, targets)), map_block(K_, left)});
    heads.push_back({"write", map_block(c_, W_), map_block(K_, here)});
    for (Index a = 0; a < shape_.symbols; ++a) {
        // The cell keeps its letter unless the head is here.
        std::vector<MatrixTerm> keeps{{one, own_.at(a)}};
        for (Index q = 0; q < shape_.states; ++q) {
            keeps.push_back({one, here.at(q * shape_.symbols + a), -1});
        }
        heads.push_back({formatted("own_{}", a), {{c_.at(a), one}}, std::move(keeps)});
    }
    std::vector<MatrixTerm> marks;
    for (Index t = shape_.cells + 1; t < num_positions(); ++t) {
        if (is_mark(t)) {
            marks.push_back({one, P2_.at(t)});
        }
    }
    heads.push_back({"hash", {{hash_.at(0), one}}, std::move(marks)});
}

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

/// Of the tokens of a cell the last, which shows its letter, its state and whether it is the mark.
Continue Utm1::read_cell(const Token& token, Reading& reading) const {
    Utm1Run& run = reading.run;
    const Index letter = only_one(token, c_);
    const Index state = only_one(token, s_);
    const bool mark = value_at(token, hash_.at(0)) == 1;
    run.readable = run.readable && letter > -2 && state > -2 && !(mark && letter >= 0);
    if (!run.readable) {
        return Continue::stop;
    }
    if (mark) {
        return end_configuration(reading);
    }
    if (letter < 0) {
        run.ending = TuringEnding::stuck;
        return Continue::stop;
    }
    reading.letters.push_back(letter);
    reading.states += state >= 0 ? 1 : 0;
    reading.halts = reading.halts || state >= shape_.states;
    return Continue::yes;
}

Continue Utm1::end_configuration(Reading& reading) const {
    Utm1Run& run = reading.run;
    ++run.steps;
    run.tape = std::exchange(reading.letters, {});
    run.readable = std::ssize(run.tape) == shape_.cells && reading.states <= 1;
    run.ending = reading.halts         ? TuringEnding::halt
                 : reading.states == 0 ? TuringEnding::off_tape
                                       : TuringEnding::limit;
    reading.states = 0;
    const bool ends = run.ending != TuringEnding::limit || run.steps == steps_;
    return ends || !run.readable ? Continue::stop : Continue::yes;
}

Utm1Run Utm1::run(const SparseCoefficients& coefficients,
                  const TuringMachine& machine,
                  const std::vector<Index>& tape,
                  Index head) const {
    Reading reading{{true, TuringEnding::limit, 0, tape, {}}, {}};
    Index tokens = 0;
    const auto rule = [&](const IntegerAttention& /*model*/, const Token& token) {
        return ++tokens % 3 == 0 ? read_cell(token, reading) : Continue::yes;
    };
    AttentionRun found = run_attention(
        coefficients, prompt(machine, tape, head), 3 * (shape_.cells + 1) * steps_, rule);
    Utm1Run run = std::move(reading.run);
    run.readable = run.readable && found.ending == AttentionEnding::stopped;
    run.trace = std::move(found.trace);
    return run;
}

}  // namespace attest
