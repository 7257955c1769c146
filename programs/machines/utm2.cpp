#include "programs/machines/utm2.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <utility>

namespace attest {

TuringShape shape_of(const TuringMachine& machine, Index cells) {
    return {machine.num_states(),
            std::max<Index>(1, static_cast<Index>(machine.halting.size())),
            machine.num_symbols(),
            cells,
            machine.has_stay() ? Moves::with_stay : Moves::left_right};
}

Utm2::Utm2(const TuringShape& shape) : shape_(shape) {
    require(shape.states >= 1 && shape.halting >= 1 && shape.symbols >= 1 && shape.cells >= 1,
            "Utm2: got an empty class, expected at least one state, halting state, symbol, cell");
    program_.name = "utm2";
    add_blocks();
    add_configuration_heads();
    add_step_heads();
}

void Utm2::add_blocks() {
    const bool stays = shape_.moves == Moves::with_stay;
    Schema& schema = program_.schema;
    K_ = schema.add("K", shape_.states * shape_.symbols);
    D_ = schema.add("D", (stays ? 3 : 2) * (shape_.states + shape_.halting));
    T_ = schema.add("T", shape_.symbols);
    left_ = schema.add("aL", shape_.symbols);
    right_ = schema.add("aR", shape_.symbols);
    same_ = stays ? schema.add("aS", shape_.symbols) : Block{};
    P_ = schema.add("P", shape_.cells);
    R_ = schema.add("R", shape_.cells);
    x_ = schema.add("x", 1);
    one_ = schema.add("one", 1);
}

void Utm2::add_head(std::string name, std::vector<MatrixTerm> V, std::vector<MatrixTerm> Q) {
    program_.heads.push_back({std::move(name), std::move(V), std::move(Q)});
}

Block Utm2::moved(Move move) const {
    const Index count = shape_.states + shape_.halting;
    return D_.part(static_cast<Index>(move) * count, count);
}

/// Heads whose source is in C: they look up δ, erase the letter read, read both neighbours, and
/// copy the address.
void Utm2::add_configuration_heads() {
    const Index n = shape_.cells;
    std::vector<MatrixTerm> found = join_terms({map_block(D_, D_), map_block(T_, T_)});
    if (shape_.moves == Moves::with_stay) {
        found = join_terms({found, map_block(same_, T_)});
    }
    add_head("delta", std::move(found), map_block(K_, K_));
    for (Index a = 0; a < shape_.symbols; ++a) {
        std::vector<MatrixTerm> reads_a;
        for (Index q = 0; q < shape_.states; ++q) {
            reads_a.push_back({one_.at(0), K_.at(q * shape_.symbols + a)});
        }
        add_head(formatted("erase_{}", a), {{T_.at(a), one_.at(0), -1}}, std::move(reads_a));
    }
    if (n > 1) {
        add_head("readL", map_block(left_, T_), map_block(P_.part(0, n - 1), R_.part(1, n - 1)));
        add_head("readR", map_block(right_, T_), map_block(P_.part(1, n - 1), R_.part(0, n - 1)));
    }
    for (Index p = 0; p < n; ++p) {
        add_head(formatted("addr_{}", p), {{P_.at(p), one_.at(0)}}, {{one_.at(0), R_.at(p)}});
    }
    add_head("arm", {{x_.at(0), one_.at(0)}}, sum_block(one_.at(0), K_));
}

/// Heads whose source is in E. S(u, x) holds the block u of this token alone: every earlier +1 was
/// disarmed by a −1.
void Utm2::add_step_heads() {
    add_move_heads(Move::left);
    add_move_heads(Move::right);
    std::vector<MatrixTerm> carried =
        join_terms({map_block(left_, left_), map_block(right_, right_), map_block(P_, P_)});
    if (shape_.moves == Moves::with_stay) {
        add_move_heads(Move::stay);
        carried = join_terms({carried, map_block(same_, same_)});
    }
    add_head("carry", std::move(carried), sum_block(x_.at(0), D_));
    add_head("disarm", {{x_.at(0), one_.at(0), -1}}, sum_block(one_.at(0), D_));
}

void Utm2::add_move_heads(Move move) {
    const Index n = shape_.cells;
    const Block& letter = move == Move::left ? left_ : move == Move::right ? right_ : same_;
    for (Index q = 0; q < shape_.states; ++q) {
        add_head(formatted("prod{}_{}", to_string(move), q),
                 map_block(K_.part(q * shape_.symbols, shape_.symbols), letter),
                 {{x_.at(0), moved(move).at(q)}});
    }
    const Index kept = n - (move == Move::stay ? 0 : 1);
    if (kept == 0) {
        return;  // one cell: every move leaves the tape
    }
    const Index from = move == Move::left ? 1 : 0;
    const Index to = move == Move::right ? 1 : 0;
    add_head(formatted("move_{}", to_string(move)),
             map_block(R_.part(to, kept), P_.part(from, kept)),
             sum_block(x_.at(0), moved(move)));
}

Index Utm2::next_row(const TuringMachine& machine, const Transition& done) const {
    const Index Q = machine.num_states();
    return moved(done.move).at(done.next < Q ? done.next : shape_.states + done.next - Q);
}

std::vector<Token> Utm2::prompt(const TuringMachine& machine,
                                const std::vector<Index>& tape,
                                Index head) const {
    const auto cells = static_cast<Index>(tape.size());
    require(machine.num_states() <= shape_.states && machine.num_symbols() <= shape_.symbols &&
                static_cast<Index>(machine.halting.size()) <= shape_.halting &&
                (shape_.moves == Moves::with_stay || !machine.has_stay()),
            "Utm2: the machine is larger than the class of this program");
    require(cells == shape_.cells, "tape: got {} cells, expected {}", cells, shape_.cells);
    std::vector<Token> tokens{one_hot_token({one_.at(0)})};
    for (Index q = 0; q < machine.num_states(); ++q) {
        for (Index a = 0; a < machine.num_symbols(); ++a) {
            if (const auto& found = machine.delta(q, a)) {
                tokens.push_back(one_hot_token({K_.at(q * shape_.symbols + a),
                                                next_row(machine, *found),
                                                T_.at(found->write)}));
            }
        }
    }
    for (Index p = 0; p < cells; ++p) {
        tokens.push_back(one_hot_token({P_.at(p), T_.at(tape[static_cast<std::size_t>(p)])}));
    }
    const Index read = tape[static_cast<std::size_t>(head)];
    tokens.push_back(one_hot_token({K_.at(machine.start * shape_.symbols + read), R_.at(head)}));
    return tokens;
}

void Utm2::add_surroundings(std::vector<TokenEntry>& entries, const TuringStep& step) const {
    entries.push_back({P_.at(step.position), 1});
    if (step.left >= 0) {
        entries.push_back({left_.at(step.left), 1});
    }
    if (step.right >= 0) {
        entries.push_back({right_.at(step.right), 1});
    }
    if (shape_.moves == Moves::with_stay) {
        entries.push_back({same_.at(step.done.write), 1});
    }
}

Token Utm2::printed_step(const TuringMachine& machine, const TuringStep& step) const {
    std::vector<TokenEntry> entries{{next_row(machine, step.done), 1},
                                    {T_.at(step.done.write), 1},
                                    {T_.at(step.read), -1},
                                    {x_.at(0), 1}};
    add_surroundings(entries, step);
    return make_token(std::move(entries));
}

Token Utm2::printed_configuration(const TuringMachine& machine, const TuringStep& step) const {
    const Move move = step.done.move;
    const Index letter = move == Move::left    ? step.left
                         : move == Move::right ? step.right
                                               : step.done.write;
    const Index head = step.position + offset_of(move);
    std::vector<TokenEntry> entries{{x_.at(0), -1}};
    if (letter >= 0 && step.done.next < machine.num_states()) {
        entries.push_back({K_.at(step.done.next * shape_.symbols + letter), 1});
    }
    if (0 <= head && head < shape_.cells) {
        entries.push_back({R_.at(head), 1});
    }
    add_surroundings(entries, step);
    return make_token(std::move(entries));
}

Token Utm2::printed_stuck(const TuringConfiguration& last) const {
    const auto cell = [&](Index p) { return last.tape[static_cast<std::size_t>(p)]; };
    std::vector<TokenEntry> entries{
        {T_.at(cell(last.head)), -1}, {P_.at(last.head), 1}, {x_.at(0), 1}};
    if (last.head > 0) {
        entries.push_back({left_.at(cell(last.head - 1)), 1});
    }
    if (last.head + 1 < shape_.cells) {
        entries.push_back({right_.at(cell(last.head + 1)), 1});
    }
    return make_token(std::move(entries));
}

Trace Utm2::expected(const TuringMachine& machine,
                     const std::vector<Index>& tape,
                     Index head,
                     const TuringRun& run) const {
    Trace trace{prompt(machine, tape, head), {}};
    for (const TuringStep& step : run.steps) {
        trace.generated.push_back(printed_step(machine, step));
        if (step.done.next < machine.num_states()) {
            trace.generated.push_back(printed_configuration(machine, step));
        }
    }
    if (run.result.ending == TuringEnding::stuck) {
        trace.generated.push_back(printed_stuck(run.result.last));
    }
    return trace;
}

Index machine_state(const TuringMachine& machine, const TuringShape& shape, Index done) {
    const Index state = done % (shape.states + shape.halting);
    return state < shape.states ? state : machine.num_states() + state - shape.states;
}

Utm2Blocks::Utm2Blocks(const Schema& schema)
    : K(schema.block("K")),
      D(schema.block("D")),
      T(schema.block("T")),
      P(schema.block("P")),
      R(schema.block("R")),
      one(schema.block("one")) {}

namespace {

/// The stop rules of the program, applied to the tokens as they come.
class Utm2Rules {
public:
    Utm2Rules(const TuringMachine& machine, const TuringShape& shape, const Schema& schema)
        : machine_(machine), shape_(shape), blocks_(schema) {}

    Continue read(const IntegerAttention& model, const Token& token, Utm2Run& run, Index budget) {
        const Continue go =
            is_step_ ? read_step(model, token, run) : read_configuration(model, token, run, budget);
        is_step_ = !is_step_;
        return go;
    }

    void read_tape(const IntegerAttention& model, const Token& added, Utm2Run& run) const {
        run.result.last.tape.assign(static_cast<std::size_t>(shape_.cells), -1);
        for (Index p = 0; p < shape_.cells; ++p) {
            for (Index a = 0; a < shape_.symbols; ++a) {
                const std::int64_t stored =
                    model.moment(blocks_.T.at(a), blocks_.P.at(p)) +
                    value_at(added, blocks_.T.at(a)) * value_at(added, blocks_.P.at(p));
                Index& cell = run.result.last.tape[static_cast<std::size_t>(p)];
                run.readable = run.readable && (stored == 0 || (stored == 1 && cell < 0));
                cell = stored == 1 ? a : cell;
            }
            run.readable = run.readable && run.result.last.tape[static_cast<std::size_t>(p)] >= 0;
        }
    }

private:
    static Continue stop(TuringEnding ending, Utm2Run& run) {
        run.result.ending = ending;
        return Continue::stop;
    }

    Continue read_step(const IntegerAttention& model, const Token& token, Utm2Run& run) {
        const Index next = only_one(token, blocks_.D);
        const Index position = only_one(token, blocks_.P);
        run.readable = run.readable && next > -2 && position >= 0;
        if (!run.readable) {
            return Continue::stop;
        }
        if (next < 0) {
            read_tape(model, {}, run);
            return stop(TuringEnding::stuck, run);
        }
        const Index count = shape_.states + shape_.halting;
        const bool halts = next % count >= shape_.states;
        ++run.result.steps;
        run.result.last.head = position + offset_of(static_cast<Move>(next / count));
        run.result.last.state = machine_state(machine_, shape_, next);
        if (halts) {
            read_tape(model, token, run);
            return stop(TuringEnding::halt, run);
        }
        return Continue::yes;
    }

    Continue read_configuration(const IntegerAttention& model,
                                const Token& token,
                                Utm2Run& run,
                                Index budget) {
        const Index key = only_one(token, blocks_.K);
        const Index address = only_one(token, blocks_.R);
        run.readable = run.readable && key > -2 && address > -2 && (key < 0) == (address < 0);
        if (!run.readable) {
            return Continue::stop;
        }
        if (key < 0) {
            read_tape(model, {}, run);
            return stop(TuringEnding::off_tape, run);
        }
        if (run.result.steps == budget) {
            read_tape(model, {}, run);
            return stop(TuringEnding::limit, run);
        }
        return Continue::yes;
    }

    const TuringMachine& machine_;
    const TuringShape& shape_;
    Utm2Blocks blocks_;
    bool is_step_ = true;
};

}  // namespace

Utm2Run Utm2::run(const SparseCoefficients& coefficients,
                  const TuringMachine& machine,
                  const std::vector<Index>& tape,
                  Index head,
                  Index budget) const {
    // The plain simulator checks tape, head and budget; it does so before its first step.
    Utm2Run run{AttentionEnding::stopped, true, simulate(machine, tape, head, 0).result, {}};
    if (budget == 0) {
        run.trace.prompt = prompt(machine, tape, head);
        return run;
    }
    constexpr Index kMostSteps = Index{1} << 40;
    require(
        0 < budget && budget <= kMostSteps, "steps: got {}, expected 0 … {}", budget, kMostSteps);
    Utm2Rules rules(machine, shape_, program_.schema);
    AttentionRun found = run_attention(coefficients,
                                       prompt(machine, tape, head),
                                       2 * budget + 1,
                                       [&](const IntegerAttention& model, const Token& token) {
                                           return rules.read(model, token, run, budget);
                                       });
    run.model = found.ending;
    run.readable = run.readable && found.ending == AttentionEnding::stopped;
    run.trace = std::move(found.trace);
    return run;
}

}  // namespace attest
