#include "cli/show_fit.hpp"

#include "cli/head_reduction.hpp"
#include "cli/output.hpp"
#include "core/base/text.hpp"
#include "core/questions/learn.hpp"
#include "core/solve/accuracy.hpp"
#include "record/json_text.hpp"
#include "record/progress.hpp"

#include <cmath>

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

void show_risk(Output& output, const Risk& risk) {
    const ScaledNumber mean{risk.risk, risk.exponent};
    const ScaledNumber mse{risk.mse, risk.exponent};
    output.add("risk", number_or_null(mean), brief(mean));
    output.add("mse", number_or_null(mse), brief(mse));
    output.add("relative", number_or_null(risk.relative), brief(risk.relative));
}

namespace {

std::string or_none(double bound) {
    return std::isfinite(bound) ? brief(bound) : "none";
}

}  // namespace

std::string status_in_words(SolveStatus status) {
    switch (status) {
        case SolveStatus::unique:
            return "unique: numerically the only minimiser";
        case SolveStatus::minimum_norm:
            return "minimum norm: many minimisers fit these data, this is the one of least norm";
        default:
            return "minimum norm at the numerical rank: singular values near rounding were taken "
                   "for zeros; if they are none, this is another function (attest certify decides)";
    }
}

void show_error_bound(Output& output, const LeastSquaresFit& fit) {
    const nlohmann::ordered_json bound = number_or_null(fit.error_bound);
    if (presumes_numerical_rank(fit.status)) {
        output.add("error_bound",
                   nullptr,
                   std::isfinite(fit.error_bound)
                       ? formatted("none; {} if the rank is the true one", brief(fit.error_bound))
                       : "none: not one digit is assured, whatever the rank is");
        output.add_json("error_bound_at_numerical_rank", bound);
        return;
    }
    output.add("error_bound",
               bound,
               fit.error_bound < kLargestError
                   ? brief(fit.error_bound)
                   : or_none(fit.error_bound) + ": not one digit is assured");
    if (fit.scaled) {
        output.add("scaled_error_bound",
                   number_or_null(fit.scaled->error_bound),
                   or_none(fit.scaled->error_bound) +
                       " (of the coefficients of tokens whose coordinates are brought to size 1)");
        output.add_json("coordinate_exponents", fit.scaled->exponents);
    }
}

namespace {

std::string numbers(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) {
        text += (text.empty() ? "" : ", ") + brief(value);
    }
    return text;
}

}  // namespace

void show_kernel(Output& output, const KernelReading& kernel) {
    const auto components = (kernel.strengths.array() > kernel.threshold).count();
    output.add("kernel_components",
               components,
               formatted("{}{}", components, components == 1 ? ": one kernel for all heads" : ""));
    output.add("kernel_profile",
               kernel.profile,
               formatted("{} (tokens 1, 2, ... before the last; the strongest component)",
                         numbers(kernel.profile)));
    if (!kernel.decays.empty()) {
        output.add(
            "decays",
            kernel.decays,
            formatted(
                "{}; the recurrence leaves {}", numbers(kernel.decays), brief(kernel.misfit)));
    }
    output.add_json("kernel_misfit", number_or_null(kernel.misfit));
    if (!kernel.layer) {
        output.add("kernel_layer", nullptr, formatted("none: {}", kernel.note));
        return;
    }
    output.add("kernel_layer",
               to_string(*kernel.layer),
               formatted("{}: relative risk {}, {}",
                         to_string(*kernel.layer),
                         brief(kernel.relative_risk),
                         kernel.exact ? "fits every label exactly (proved over Q)"
                                      : "numerical; labels rounded to double fit nothing exactly"));
    output.add_json("kernel_layer_is_exact", kernel.exact);
    output.add_json("kernel_layer_relative_risk", number_or_null(kernel.relative_risk));
}

}  // namespace attest::cli
