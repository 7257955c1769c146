#include "core/base/text.hpp"
#include "report/html_text.hpp"
#include "report/machine_trace.hpp"
#include "report/page_sections.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

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

}  // namespace attest
