#include "report/machine_trace.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "tasks/programs/exhaust.hpp"
#include "tasks/programs/named_machines.hpp"
#include "tasks/programs/program_text.hpp"
#include "tasks/programs/symbols.hpp"

#include <array>

namespace attest {

namespace {

constexpr Index kTrainSteps = 6;
constexpr Index kMostSteps = 200;
constexpr Index kMostCells = 64;

/// Reads tokens of Utm2 one after the other, as the layer does: the tape is what tokens have added
/// to the moments T·Pᵀ.
class TokenReader {
public:
    TokenReader(const TuringMachine& machine, const TuringShape& shape, const Schema& schema)
        : machine_(machine),
          shape_(shape),
          K_(schema.block("K")),
          D_(schema.block("D")),
          T_(schema.block("T")),
          P_(schema.block("P")),
          R_(schema.block("R")),
          one_(schema.block("one")),
          tape_(static_cast<std::size_t>(shape.cells), -1) {}

    /// Takes the token in and fills what the frame says of it.
    void read(const Token& token, TraceFrame& frame) {
        const Index key = only_one(token, K_);
        const Index done = only_one(token, D_);
        const Index cell = only_one(token, P_);
        const Index address = only_one(token, R_);
        const Index written = letter_with(token, 1);
        if (value_at(token, one_.at(0)) != 0) {
            frame.meaning = "beginning of the sequence";
        } else if (key >= 0 && done >= 0) {
            frame.meaning = concat("rule: ", key_text(key), " → ", done_text(done, written));
        } else if (done >= 0) {
            change_tape(token, cell);
            state_ = next_state(done);
            frame.meaning = concat("step: on cell ", cell, " ", done_text(done, tape_at(cell)));
        } else if (address >= 0 && key >= 0) {
            head_ = address;
            state_ = machine_.state_name(key / shape_.symbols);
            frame.meaning = concat("configuration: on cell ", address, ", ", key_text(key));
        } else if (cell >= 0 && written >= 0) {
            change_tape(token, cell);
            frame.meaning = concat("tape: cell ", cell, " holds ", symbol(written));
        } else {
            frame.meaning = "no transition, or off the tape: the end";
        }
        frame.tape = tape_;
        frame.head = head_;
        frame.state = state_;
    }

private:
    [[nodiscard]] std::string symbol(Index letter) const {
        return letter < 0 ? "?" : machine_.symbols[static_cast<std::size_t>(letter)];
    }

    [[nodiscard]] Index tape_at(Index cell) const {
        return cell < 0 ? -1 : tape_[static_cast<std::size_t>(cell)];
    }

    /// The letter whose row of T holds this sign; −1 if there is none.
    [[nodiscard]] Index letter_with(const Token& token, std::int64_t sign) const {
        for (Index a = 0; a < shape_.symbols; ++a) {
            if (value_at(token, T_.at(a)) == sign) {
                return a;
            }
        }
        return -1;
    }

    [[nodiscard]] std::string key_text(Index key) const {
        return concat("state ",
                      machine_.state_name(key / shape_.symbols),
                      " reads ",
                      symbol(key % shape_.symbols));
    }

    [[nodiscard]] std::string next_state(Index done) const {
        const Index state = done % (shape_.states + shape_.halting);
        return machine_.state_name(
            state < shape_.states ? state : machine_.num_states() + state - shape_.states);
    }

    [[nodiscard]] std::string done_text(Index done, Index written) const {
        constexpr std::array kMoves{"left", "right", "nowhere"};
        const auto move = static_cast<std::size_t>(done / (shape_.states + shape_.halting));
        return concat(
            "write ", symbol(written), ", move ", kMoves.at(move), ", state ", next_state(done));
    }

    void change_tape(const Token& token, Index cell) {
        const Index added = letter_with(token, 1);
        if (cell >= 0 && added >= 0) {
            tape_[static_cast<std::size_t>(cell)] = added;
        }
    }

    const TuringMachine& machine_;
    const TuringShape& shape_;
    const Block& K_;
    const Block& D_;
    const Block& T_;
    const Block& P_;
    const Block& R_;
    const Block& one_;
    std::vector<Index> tape_;
    Index head_ = -1;
    std::string state_;
};

void add_frames(MachineTrace& traced,
                const Utm2& program,
                const TuringMachine& machine,
                const Trace& found,
                const Trace& expected,
                const std::vector<bool>& certified) {
    const Schema& schema = program.program().schema;
    TokenReader reader(machine, program.shape(), schema);
    const auto add = [&](const Token& token, bool printed) -> TraceFrame& {
        TraceFrame frame;
        frame.printed = printed;
        frame.token = token_text(token, schema);
        reader.read(token, frame);
        traced.frames.push_back(std::move(frame));
        return traced.frames.back();
    };
    for (const Token& token : found.prompt) {
        add(token, false);
    }
    for (std::size_t i = 0; i < found.generated.size(); ++i) {
        TraceFrame& frame = add(found.generated[i], true);
        frame.right = i < expected.generated.size() && found.generated[i] == expected.generated[i];
        // The certificate is about the simulator's token after the simulator's prefix.
        frame.certified = frame.right && i < certified.size() && certified[i];
    }
}

}  // namespace

MachineTrace trace_machine(std::string_view name, Index train_runs) {
    const NamedMachine* const named = find_named_machine(name);
    require(named != nullptr, concat("trace_machine: there is no machine '", name, "'"));
    const TuringMachine machine = machine_from_text(named->text);
    const TuringTape tape = fitting_tape(
        machine, parse_word("tape", named->word, machine.symbols), kMostSteps, kMostCells);
    const Utm2 program(shape_of(machine, static_cast<Index>(tape.cells.size())));
    const TuringClass machines(program.shape(), kTrainSteps);
    const std::vector<Index> runs = machines.sample(train_runs, Stream(0).child("turing_run"));
    const LearnedProgram learned = learn_traces(class_traces(program, machines, runs),
                                                static_cast<Index>(runs.size()),
                                                program.program().schema.dim(),
                                                Selection::all);
    const TuringRun simulated = simulate(machine, tape.cells, tape.head, kMostSteps);
    const Trace expected = program.expected(machine, tape.cells, tape.head, simulated);
    const Utm2Run run =
        program.run(learned.coefficients, machine, tape.cells, tape.head, kMostSteps);

    MachineTrace traced{.name = std::string(named->name),
                        .summary = std::string(named->summary),
                        .notation = std::string(named->text),
                        .symbols = machine.symbols,
                        .d = program.program().schema.dim(),
                        .train_runs = learned.num_traces,
                        .train_tokens = learned.num_tokens,
                        .rank = learned.rank,
                        .steps = run.result.steps,
                        .ending = run.readable ? std::string(to_string(run.result.ending))
                                               : "a token that means nothing",
                        .frames = {}};
    add_frames(traced, program, machine, run.trace, expected, certified_tokens(learned, expected));
    return traced;
}

}  // namespace attest
