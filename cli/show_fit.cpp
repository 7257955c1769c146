#include "cli/show_fit.hpp"

#include "cli/head_reduction.hpp"
#include "cli/show_error_bound.hpp"
#include "core/audit/model_of.hpp"
#include "core/base/text.hpp"
#include "record/json_text.hpp"
#include "record/progress.hpp"

namespace attest::cli {

namespace {

nlohmann::ordered_json attempts_json(const LeastSquaresFit& fit) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SolveAttempt& attempt : fit.attempts) {
        list.push_back({{"solver", attempt.solver},
                        {"outcome", attempt.outcome},
                        {"predicted_seconds", number_or_null(attempt.predicted_seconds)},
                        {"seconds", number_or_null(attempt.seconds)},
                        {"predicted_bytes", number_or_null(attempt.predicted_bytes)},
                        {"bytes", number_or_null(attempt.bytes)}});
    }
    return list;
}

/// Solver, why, and what was predicted against what it took.
void show_solver(Output& output, const LeastSquaresFit& fit) {
    output.add(
        "solver", fit.solver, fit.note.empty() ? fit.solver : fit.solver + " (" + fit.note + ")");
    output.add_json("note", fit.note);
    output.add_json("attempts", attempts_json(fit));
    const SolveAttempt& last = fit.attempts.back();
    output.add_json("solve_seconds", number_or_null(last.seconds));
    output.say(formatted("  solve: {}, predicted {}; memory at most {}, predicted {}",
                         format_seconds(last.seconds),
                         format_seconds(last.predicted_seconds),
                         format_bytes(last.bytes),
                         format_bytes(last.predicted_bytes)));
}

std::string uniqueness(const LearnRequest& request, const LeastSquaresFit& fit, Index psi) {
    if (request.solve.ridge > 0.0) {
        return "yes, by the ridge";
    }
    if (fit.rank < 0) {
        return "not known: the rank was not computed";
    }
    return fit.rank == psi
               ? "yes, numerically; `attest certify` proves it"
               : formatted(
                     "no, numerically: {} of {} directions are open, the shortest answer was "
                     "taken; `attest certify --explain` says why",
                     psi - fit.rank,
                     psi);
}

}  // namespace

void say_answer(Output& output,
                const LearnRequest& request,
                const Learned& found,
                const std::string& file) {
    output.say("is it unique?  " + uniqueness(request, found.fit, found.model.P.rows()));
    output.say(formatted("how good?      relative training risk {}", brief(found.risk.relative)));
    output.say("where is it?   " + (file.empty() ? "nowhere: -o MODEL.npz keeps it" : file));
    output.say("");
}

void show_fit(Output& output, const SequenceShape& data, const LeastSquaresFit& fit) {
    const Index psi = data.layout().psi();
    output.add("layer", to_string(data.layer));
    output.add("num_examples", data.num_examples());
    output.add("d", data.d);
    output.add("o", data.o);
    output.add("psi", psi);
    show_solver(output, fit);
    output.add("status", to_string(fit.status), status_in_words(fit.status));
    if (fit.rank >= 0) {
        output.add("rank", fit.rank, formatted("{} of {} (numerical)", fit.rank, psi));
    } else {
        output.add("rank", nullptr, "not computed with a ridge; --solver svd does");
    }
    output.add("rcond", number_or_null(fit.rcond), brief(fit.rcond));
    show_error_bound(output, fit);
}

void show_heads(Output& output, const Learned& found) {
    if (found.reduction) {
        show_reduction(output, *found.reduction);
        return;
    }
    if (!has_heads(found.model.layer)) {
        output.add("num_heads", nullptr, "none: this layer has coefficients only");
        return;
    }
    const Index count = num_heads(found.model);
    output.add("num_heads", count, formatted("{} (SVD)", count));
}

std::string learned_meta(const LearnRequest& request,
                         const std::string& heads,
                         const LeastSquaresFit& fit,
                         const std::string& data_sha256) {
    nlohmann::ordered_json meta;
    meta["learner"] = "algorithm_1";
    meta["solver"] = fit.solver;
    meta["ridge"] = request.solve.ridge;
    meta["norm"] = to_string(request.solve.norm);
    meta["status"] = to_string(fit.status);
    meta["heads"] = heads;
    meta["data_sha256"] = data_sha256;
    return json_text(meta);
}

std::string reduced_meta(const std::string& meta, HeadChoice choice, const HeadReduction& found) {
    nlohmann::ordered_json object = nlohmann::ordered_json::parse(meta, nullptr, false);
    if (!object.is_object()) {
        object = nlohmann::ordered_json::object();
    }
    object["heads"] = choice == HeadChoice::fewest  ? "min"
                      : choice == HeadChoice::elbow ? "elbow"
                                                    : "fit";
    object["num_heads"] = found.heads.num_heads();
    object["heads_norm"] = found.loss.on_data ? "data" : "sym";
    return json_text(object);
}

}  // namespace attest::cli
