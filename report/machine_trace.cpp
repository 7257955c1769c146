#include "report/machine_trace.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/language/program_text.hpp"
#include "programs/learning/learned_run.hpp"
#include "report/html_report.hpp"
#include "report/pages.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

constexpr Index kTrainRuns = 1000;

Json trace_json(const MachineTrace& trace) {
    Json frames = Json::array();
    for (const TraceFrame& frame : trace.frames) {
        frames.push_back({{"printed", frame.printed},
                          {"token", frame.token},
                          {"meaning", frame.meaning},
                          {"tape", frame.tape},
                          {"head", frame.head},
                          {"state", frame.state},
                          {"certified", frame.certified},
                          {"right", frame.right}});
    }
    return {{"name", trace.name}, {"symbols", trace.symbols}, {"frames", frames}};
}

std::string token_table(const MachineTrace& trace) {
    std::string rows;
    for (std::size_t i = 0; i < trace.frames.size(); ++i) {
        const TraceFrame& frame = trace.frames[i];
        rows += formatted("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                          i + 1,
                          frame.printed ? "printed" : "prompt",
                          html::code(frame.token),
                          html::text(frame.meaning),
                          !frame.printed    ? ""
                          : frame.certified ? "determined, proved"
                          : frame.right     ? "right, not proved"
                                            : "wrong");
    }
    return R"(<div class="scroll" tabindex="0" role="region" aria-label="Tokens">)"
           R"(<table id="trace-tokens"><caption>All tokens</caption><thead><tr>)"
           R"(<th scope="col">number</th><th scope="col">by</th><th scope="col">token</th>)"
           R"(<th scope="col">says</th><th scope="col">by the training data</th>)"
           "</tr></thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

constexpr std::string_view kControls =
    "<div id=\"trace\" class=\"trace\" role=\"group\" aria-label=\"Steps of the machine\">\n"
    "<div id=\"trace-tape\" class=\"tape\" role=\"img\"></div>\n"
    "<p id=\"trace-says\" role=\"status\" aria-live=\"polite\"></p>\n"
    R"(<div class="controls">)"
    R"(<button type="button" id="trace-first">First</button>)"
    R"(<button type="button" id="trace-back">Back</button>)"
    R"(<button type="button" id="trace-next">Next</button>)"
    R"(<button type="button" id="trace-last">Last</button>)"
    R"(<button type="button" id="trace-play" aria-pressed="false">Play</button>)"
    R"(<label>token <input type="range" id="trace-slider" min="1" value="1"></label>)"
    "</div>\n</div>\n";

constexpr Index kMostSteps = 200;

/// Reads tokens of Utm2 one after the other, as the layer does: the tape is what tokens have added
/// to the moments T·Pᵀ.
class TokenReader {
public:
    TokenReader(const TuringMachine& machine, const TuringShape& shape, const Schema& schema)
        : machine_(machine),
          shape_(shape),
          blocks_(schema),
          tape_(static_cast<std::size_t>(shape.cells), -1) {}

    /// Takes the token in and fills what the frame says of it.
    void read(const Token& token, TraceFrame& frame) {
        const Index key = only_one(token, blocks_.K);
        const Index done = only_one(token, blocks_.D);
        const Index cell = only_one(token, blocks_.P);
        const Index address = only_one(token, blocks_.R);
        const Index written = letter_with(token, 1);
        if (value_at(token, blocks_.one.at(0)) != 0) {
            frame.meaning = "beginning of the sequence";
        } else if (key >= 0 && done >= 0) {
            frame.meaning = formatted("rule: {} → {}", key_text(key), done_text(done, written));
        } else if (done >= 0) {
            change_tape(token, cell);
            state_ = next_state(done);
            frame.meaning = formatted("step: on cell {} {}", cell, done_text(done, tape_at(cell)));
        } else if (address >= 0 && key >= 0) {
            head_ = address;
            state_ = machine_.state_name(key / shape_.symbols);
            frame.meaning = formatted("configuration: on cell {}, {}", address, key_text(key));
        } else if (cell >= 0 && written >= 0) {
            change_tape(token, cell);
            frame.meaning = formatted("tape: cell {} holds {}", cell, symbol(written));
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
            if (value_at(token, blocks_.T.at(a)) == sign) {
                return a;
            }
        }
        return -1;
    }

    [[nodiscard]] std::string key_text(Index key) const {
        return formatted("state {} reads {}",
                         machine_.state_name(key / shape_.symbols),
                         symbol(key % shape_.symbols));
    }

    [[nodiscard]] std::string next_state(Index done) const {
        return machine_.state_name(machine_state(machine_, shape_, done));
    }

    [[nodiscard]] std::string done_text(Index done, Index written) const {
        constexpr std::array kMoves{"left", "right", "nowhere"};
        const auto move = static_cast<std::size_t>(done / (shape_.states + shape_.halting));
        return formatted(
            "write {}, move {}, state {}", symbol(written), kMoves.at(move), next_state(done));
    }

    void change_tape(const Token& token, Index cell) {
        const Index added = letter_with(token, 1);
        if (cell >= 0 && added >= 0) {
            tape_[static_cast<std::size_t>(cell)] = added;
        }
    }

    const TuringMachine& machine_;
    const TuringShape& shape_;
    Utm2Blocks blocks_;
    std::vector<Index> tape_;
    Index head_ = -1;
    std::string state_;
};

void add_frames(MachineTrace& traced, const LearnedRun& found) {
    const Schema& schema = found.program.program().schema;
    const std::vector<Token>& printed_tokens = found.run.trace.generated;
    const std::vector<Token>& expected = found.expected.generated;
    TokenReader reader(found.machine, found.program.shape(), schema);
    const auto add = [&](const Token& token, bool printed) -> TraceFrame& {
        TraceFrame frame;
        frame.printed = printed;
        frame.token = token_text(token, schema);
        reader.read(token, frame);
        traced.frames.push_back(std::move(frame));
        return traced.frames.back();
    };
    for (const Token& token : found.run.trace.prompt) {
        add(token, false);
    }
    for (std::size_t i = 0; i < printed_tokens.size(); ++i) {
        TraceFrame& frame = add(printed_tokens[i], true);
        frame.right = i < expected.size() && printed_tokens[i] == expected[i];
        // The certificate is about the simulator's token after the simulator's prefix.
        frame.certified = frame.right && i < found.certified.size() && found.certified[i];
    }
}

}  // namespace

std::string machine_section() {
    const MachineTrace trace = trace_machine("bb2", kTrainRuns);
    const auto count = [&](auto holds) {
        return std::count_if(trace.frames.begin(), trace.frames.end(), holds);
    };
    const auto printed = count([](const TraceFrame& frame) { return frame.printed; });
    const auto certified = count([](const TraceFrame& frame) { return frame.certified; });
    const auto right = count([](const TraceFrame& frame) { return frame.right; });
    return formatted(
        "<section id=\"machine\">\n<h2>A Turing machine, learned</h2>\n<p>A linear attention layer "
        "with tokens of {} entries was learned, exactly, from {} short runs of random machines ({} "
        "tokens, rank {}). Here it runs {}, the {}, token by token: the prompt holds the machine's "
        "rules and its tape, the layer prints the rest. It ended by {} after {} steps; {} of {} "
        "printed tokens are those of a plain simulator, and {} are proved to be determined by the "
        "training data. Made with this page, by the program that wrote "
        "it.</p>\n{}{}{}{}</section>\n",
        trace.d,
        trace.train_runs,
        trace.train_tokens,
        trace.rank,
        html::code(trace.notation),
        html::text(trace.summary),
        html::text(trace.ending),
        trace.steps,
        right,
        printed,
        certified,
        kControls,
        token_table(trace),
        html::command(formatted("attest turing run {} --engine learned --train-runs {} --trace",
                                trace.name,
                                kTrainRuns)),
        html::data_block("data-trace", trace_json(trace)));
}

MachineTrace trace_machine(std::string_view name, Index train_runs) {
    const NamedMachine* const named = find_named_machine(name);
    require(named != nullptr, "trace_machine: there is no machine '{}'", name);
    const LearnedRun found = learned_run(*named,
                                         {.train_runs = train_runs, .most_steps = kMostSteps},
                                         Stream(0).child("turing_run"));
    MachineTrace traced{.name = std::string(named->name),
                        .summary = std::string(named->summary),
                        .notation = std::string(named->text),
                        .symbols = found.machine.symbols,
                        .d = found.program.program().schema.dim(),
                        .train_runs = found.learned.num_traces,
                        .train_tokens = found.learned.num_tokens,
                        .rank = found.learned.rank,
                        .steps = found.run.result.steps,
                        .ending = found.run.readable
                                      ? std::string(to_string(found.run.result.ending))
                                      : "a token that means nothing",
                        .frames = {}};
    add_frames(traced, found);
    return traced;
}

}  // namespace attest
