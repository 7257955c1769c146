#include "core/questions/check_kernel.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attest {

namespace {

using nlohmann::ordered_json;

/// What is checked, and for which arithmetic.
void add_question(Output& output, const KernelCall& call, const KernelArithmetic& arithmetic) {
    output.add("kind", to_string(call.recurrence));
    output.add("arithmetic",
               {{"accumulator", to_string(arithmetic.accumulator)},
                {"operands", to_string(arithmetic.operands)},
                {"output_type", to_string(arithmetic.output)},
                {"state_type", to_string(arithmetic.stored_state())},
                {"chunk", arithmetic.chunk},
                {"chunk_grid", to_string(call.grid)},
                {"slack", arithmetic.slack}},
               formatted("accumulated in {}, factors in {}, outputs in {}, chunks of at most {}",
                         to_string(arithmetic.accumulator),
                         to_string(arithmetic.operands),
                         to_string(arithmetic.output),
                         arithmetic.chunk));
    const Index tokens = call.tokens() / call.batch;
    output.add(
        "shape",
        {{"batch", call.batch},
         {"tokens", tokens},
         {"heads", call.heads},
         {"key_dim", call.key_dim},
         {"value_dim", call.value_dim},
         {"sequences", call.sequences()}},
        formatted(
            "B = {}, T = {}, H = {}, K = {}, V = {}{}",
            call.batch,
            tokens,
            call.heads,
            call.key_dim,
            call.value_dim,
            call.sequences() > call.batch ? formatted(", {} sequences", call.sequences()) : ""));
    output.add("scale", call.scale);
}

ordered_json place_json(const KernelPlace& place, const KernelCall& call) {
    const bool in_state = place.token == call.length(place.batch);
    ordered_json json{{"in", in_state ? "final_state" : "o"}, {"batch", place.batch}};
    if (!in_state) {
        json["token"] = place.token;
    }
    json["head"] = place.head;
    if (in_state) {
        json["key_row"] = place.column / call.value_dim;
    }
    json["column"] = place.column % call.value_dim;
    json["found"] = number_or_null(place.found);
    json["expected"] = place.expected;
    json["tolerance"] = place.tolerance;
    return json;
}

std::string place_text(const KernelPlace& place, const KernelCall& call) {
    const std::string values = formatted(
        "{}, expected {} +- {}", brief(place.found), brief(place.expected), brief(place.tolerance));
    const std::string_view sequence = call.sequences() > call.batch ? "sequence" : "batch";
    if (place.token == call.length(place.batch)) {
        return formatted("final state, {} {}, head {}, entry ({},{}): {}",
                         sequence,
                         place.batch,
                         place.head,
                         place.column / call.value_dim,
                         place.column % call.value_dim,
                         values);
    }
    return formatted("{} {}, token {}, head {}, column {}: {}",
                     sequence,
                     place.batch,
                     place.token,
                     place.head,
                     place.column,
                     values);
}

/// Tokens outside as runs [first, last].
ordered_json runs_outside(const KernelCheck& check, const KernelCall& call, Index s, Index h) {
    ordered_json runs = ordered_json::array();
    const Index first = call.starts[static_cast<std::size_t>(s)];
    for (Index t = 0; t < call.length(s); ++t) {
        if (check.ratios[static_cast<std::size_t>((first + t) * call.heads + h)] <= 1.0) {
            continue;
        }
        if (!runs.empty() && runs.back()[1] == t - 1) {
            runs.back()[1] = t;
        } else {
            runs.push_back({t, t});
        }
    }
    return runs;
}

void add_head_verdicts(Output& output, const KernelCheck& check, const KernelCall& call) {
    ordered_json heads = ordered_json::array();
    Index wrong = 0;
    for (Index at = 0; at < std::ssize(check.heads); ++at) {
        const HeadVerdict& head = check.heads[static_cast<std::size_t>(at)];
        wrong += head.first || head.final_state ? 1 : 0;
        const Index s = at / call.heads;
        const Index h = at % call.heads;
        heads.push_back({{"batch", s},
                         {"head", h},
                         {"rows_undecided", head.rows_undecided},
                         {"largest_ratio", number_or_null(head.largest_ratio)},
                         {"outside", runs_outside(check, call, s, h)},
                         {"final_state_outside", head.final_state.has_value()}});
    }
    output.add("heads_outside", wrong, formatted("{} of {}", wrong, check.heads.size()));
    output.add_json("heads", heads);
}

void add_bound(Output& output, const KernelCall& call, const KernelCheck& check) {
    output.add(
        "rows_outside",
        check.rows_outside,
        formatted(
            "{} of {} (a row: one token, one head)", check.rows_outside, check.ratios.size()));
    output.add("rows_undecided", check.rows_undecided);
    output.add("states_outside", check.states_outside);
    add_head_verdicts(output, check, call);
    output.add("largest_ratio", number_or_null(check.largest_ratio), brief(check.largest_ratio));
    if (check.first) {
        output.add("first_wrong", place_json(*check.first, call), place_text(*check.first, call));
    }
}

ordered_json result_json(const SharpResult& result) {
    ordered_json json{{"array", result.name.array}};
    json["sequence"] = nullptr;  // of parameters, whose gradients all sequences share
    if (result.name.sequence >= 0) {
        json["sequence"] = result.name.sequence;
    }
    json["head"] = result.name.head;
    json["verdict"] = to_string(result.verdict);
    json["largest_sigma"] = number_or_null(result.largest);
    json["rms_sigma"] = number_or_null(result.rms);
    json["gain"] = number_or_null(result.gain);
    json["gain_of_replicas"] = number_or_null(result.gain_of_replicas);
    json["rows"] = result.rows;
    json["rows_outside"] = result.rows_outside;
    json["rows_undecided"] = result.rows_undecided;
    json["row"] = result.row;
    json["column"] = result.column;
    json["found"] = number_or_null(result.found);
    json["expected"] = number_or_null(result.expected);
    json["sigma"] = number_or_null(result.sigma);
    return json;
}

std::string result_text(const SharpResult& result, const KernelCall& call) {
    const std::string sequence = result.name.sequence >= 0 && call.sequences() > 1
                                     ? formatted("sequence {}, ", result.name.sequence)
                                     : "";
    return formatted("{}: {}head {}, row {}, column {}: {}, expected {}, off by {} sigma ({} rms)",
                     to_string(result.verdict),
                     sequence,
                     result.name.head,
                     result.row,
                     result.column,
                     brief(result.found),
                     brief(result.expected),
                     brief(result.largest),
                     brief(result.rms));
}

/// Of each array the worst result, and everything for programs.
void add_sharp(Output& output, const KernelCall& call, const SharpCheck& sharp) {
    ordered_json results = ordered_json::array();
    std::vector<const SharpResult*> worst;
    for (const SharpResult& result : sharp.results) {
        results.push_back(result_json(result));
        const auto same = std::find_if(worst.begin(), worst.end(), [&](const SharpResult* other) {
            return other->name.array == result.name.array;
        });
        if (same == worst.end()) {
            worst.push_back(&result);
        } else if (result.verdict > (*same)->verdict ||
                   (result.verdict == (*same)->verdict && result.largest > (*same)->largest)) {
            *same = &result;
        }
    }
    ordered_json json{{"verdict", sharp.silent.empty() ? to_string(sharp.verdict()) : "silent"},
                      {"replicas", sharp.replicas},
                      {"threshold", sharp.threshold},
                      {"repeated_rows", sharp.repeated_rows}};
    if (!sharp.silent.empty()) {
        json["silent"] = sharp.silent;
    }
    json["results"] = results;
    output.add_json("sharp", json);
    if (!sharp.silent.empty()) {
        output.say("the spread of right kernels was not computed: " + sharp.silent);
        return;
    }
    if (sharp.repeated_rows) {
        output.say(formatted("many rows repeat, and so do their roundings: {} sigma are allowed",
                             sharp.threshold));
    }
    for (const SharpResult* const result : worst) {
        output.say(formatted("{} {}", result->name.array, result_text(*result, call)));
    }
}

}  // namespace

KernelArithmetic arithmetic_of(const KernelRequest& request) {
    KernelArithmetic arithmetic{.accumulator = stored_precision_named(request.accumulator),
                                .slack = request.slack};
    const auto or_accumulator = [&](const std::string& name) {
        return name.empty() ? arithmetic.accumulator : stored_precision_named(name);
    };
    arithmetic.operands =
        request.operands.empty() ? arithmetic.accumulator : precision_named(request.operands);
    arithmetic.output = or_accumulator(request.output_type);
    arithmetic.state = or_accumulator(request.state_type);
    return arithmetic;
}

double kernel_seconds(const KernelCall& call, SharpLevel sharp) {
    const auto real = [](Index n) { return static_cast<double>(n); };
    const double products = real(call.tokens()) * real(call.steps) * real(call.heads) *
                            real(call.key_dim) * real(call.value_dim);
    // Nanoseconds for each, by what a token does to the state. Measured on a machine 1.25 times as
    // fast with 2^24 and 2^26 of them: 56 and 60 with one gate a head, 82 and 61 (2^27) with
    // delta's correction, 83 with a gate a row, 123 with both; 160 with gradients; without replicas
    // 6 and 14.
    const bool corrects = call.contains("beta") || call.contains("a") || call.contains("p");
    const CallArray* const gates = call.contains("g")   ? &call.arrays.at("g")
                                   : call.contains("w") ? &call.arrays.at("w")
                                                        : nullptr;
    const bool by_row = gates != nullptr && gates->width > 1;
    double each = 70.0 + (corrects ? 30.0 : 0.0) + (by_row ? 40.0 : 0.0);
    each *= call.contains("do") || call.contains("dfinal_state") ? 3.0 : 1.0;
    return products * 1e-9 * (sharp == SharpLevel::off ? each / 7.0 : each);
}

KernelAnswer check_kernel(KernelCall call,
                          const KernelRequest& request,
                          int threads,
                          const std::vector<ResultSpread>& known) {
    KernelAnswer answer{std::move(call), arithmetic_of(request), {}};
    answer.arithmetic.chunk =
        request.chunk.value_or(answer.call.chunk.value_or(answer.arithmetic.chunk));
    answer.call.grid = request.grid;
    answer.findings = check_call(answer.call, answer.arithmetic, request.sharp, threads, known);
    return answer;
}

namespace {

/// Whether what is wrong first is NaN or infinite: right kernels store that too where numbers are
/// beyond the range of their format.
bool is_not_finite(const KernelFindings& findings) {
    if (findings.has_bound() && !findings.bound.holds()) {
        return !std::isfinite(findings.bound.first->found);
    }
    return findings.sharp && std::any_of(findings.sharp->results.begin(),
                                         findings.sharp->results.end(),
                                         [](const SharpResult& result) {
                                             return result.verdict == SharpVerdict::wrong &&
                                                    !std::isfinite(result.found);
                                         });
}

}  // namespace

std::string verdict_text(const KernelFindings& findings) {
    switch (findings.verdict) {
        case KernelVerdict::right:
            return findings.sharp && findings.sharp->silent.empty()
                       ? "right: no farther off than right kernels of this arithmetic"
                       : "right within the worst case of this arithmetic; smaller "
                         "faults are not excluded";
        case KernelVerdict::suspicious:
            return "suspicious: farther off than right kernels of this arithmetic were seen to be";
        case KernelVerdict::wrong:
            if (is_not_finite(findings)) {
                return "wrong: results are not finite";
            }
            return findings.has_bound() && !findings.bound.holds()
                       ? "wrong: no kernel of this arithmetic computes these numbers"
                       : "wrong: far beyond right kernels of this arithmetic, or what a known "
                         "fault gives";
        case KernelVerdict::undecided:
            break;
    }
    return findings.has_bound() ? "undecided: right where the bound says anything"
                                : "undecided: nothing bounds the rounding of this kernel";
}

Decision decision(const KernelAnswer& answer) {
    switch (answer.findings.verdict) {
        case KernelVerdict::right:
            return Decision::yes;
        case KernelVerdict::wrong:
            return Decision::no;
        case KernelVerdict::suspicious:
        case KernelVerdict::undecided:
            break;
    }
    return Decision::undecided;
}

Output describe(const KernelAnswer& answer) {
    const auto& [call, arithmetic, findings] = answer;
    Output output;
    output.add("verdict", to_string(findings.verdict), verdict_text(findings));
    add_question(output, call, arithmetic);
    if (findings.has_bound()) {
        add_bound(output, call, findings.bound);
    }
    if (findings.sharp) {
        add_sharp(output, call, *findings.sharp);
    }
    const bool outside = findings.has_bound() && !findings.bound.holds();
    const bool odd = findings.sharp && findings.sharp->verdict() >= SharpVerdict::suspicious;
    if (!outside && !odd) {
        return output;
    }
    ordered_json alike = ordered_json::array();
    const auto add = [&](const std::string& name, const std::string& sentence) {
        const bool said = std::any_of(alike.begin(), alike.end(), [&](const ordered_json& one) {
            return one["name"] == name && name != "gain";
        });
        if (said) {
            return;
        }
        output.say("looks like: " + sentence);
        alike.push_back({{"name", name}, {"sentence", sentence}});
    };
    if (outside) {
        for (const Likeness& like : diagnose_call(arithmetic, findings)) {
            add(like.name, like.sentence);
        }
    }
    if (findings.sharp) {
        for (const SharpLikeness& like : findings.sharp->alike) {
            add(like.name, like.sentence);
        }
        for (const std::string& sentence : gain_sentences(call, *findings.sharp)) {
            add("gain", sentence);
        }
    }
    if (alike.empty()) {
        output.say("looks like none of the faults that are known; see the tokens and heads");
    }
    output.add_json("looks_like", alike);
    return output;
}

}  // namespace attest
