#include "core/questions/learn.hpp"

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/solvers.hpp"

#include <cmath>
#include <utility>

namespace attest {

ReadingAs reading_for(const LearnRequest& request) {
    const bool all = request.solver != "auto" && solver_named(request.solver).traits.needs_whole;
    return all ? ReadingAs::whole : ReadingAs::parts;
}

double solve_seconds(const SourceShape& shape, const LearnRequest& request) {
    const Rates rates = current_rates();
    const Solver& solver =
        solver_named(request.solver == "auto" ? automatic_chain(shape, request.solve, rates).front()
                                              : std::string_view(request.solver));
    return predicted_seconds(solver.cost(shape), rates, request.solve.threads);
}

Learned learn(const FactoredSource& data,
              const LearnRequest& request,
              const HeadObserver& observer) {
    const Timer timer;
    const SourceShape shape = data.source().shape();
    Learned found;
    found.request = request;
    if (const SequenceSource* const sequences = data.source().sequences()) {
        found.data = sequences->shape();
    }
    found.fit = fit_least_squares(data.source(), request.solver, request.solve);
    if (found.fit.status == SolveStatus::refused) {
        throw NotAvailable(
            formatted("solver {} refuses: {}; try --solver svd", found.fit.solver, found.fit.note));
    }
    if (request.heads.choice == HeadChoice::svd) {
        found.model = model_of(data.source(), found.fit.P);
    } else {
        require(is_linear(data.source()),
                "learn: fewer heads than Algorithm 1's are sought for the layer linear only; leave "
                "--heads out");
        const auto [P, exponent] = scaled_coefficients(found.fit.P);
        found.reduction = reduce_heads(head_target(P, data, request.solve),
                                       request.heads,
                                       Stream(request.seed).child("heads"),
                                       observer);
        Parameters& heads = found.reduction->heads;
        heads = times_power(std::move(heads), exponent);
        found.model = {shape.m(), shape.o, coefficients(heads), heads, ""};
    }
    found.risk = empirical_risk(found.model.P, data.source());
    found.seconds = timer.seconds();
    return found;
}

bool is_linear(const MomentSource& source) {
    const SequenceSource* const data = source.sequences();
    return data == nullptr || data->shape().layer.is_linear();
}

Model model_of(const MomentSource& source, const Matrix& P) {
    if (is_linear(source)) {
        const Index d = source.shape().m();
        return {d, P.cols(), P, split_heads(P, d).heads, ""};
    }
    const SequenceShape data = source.sequences()->shape();
    Model model{data.d, P.cols(), P, {data.d, P.cols(), {}}, "", data.layer};
    model.input = data.input;
    if (has_heads(data.layer)) {
        model.layer_heads = split_layer(P, data.layer, model.input);
    }
    return model;
}

Index num_heads(const Model& model) {
    return model.layer.is_linear() ? model.heads.num_heads() : std::ssize(model.layer_heads.heads);
}

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

std::string uniqueness(const Learned& found) {
    const LeastSquaresFit& fit = found.fit;
    const Index psi = found.model.P.rows();
    if (found.request.solve.ridge > 0.0) {
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

void describe_fit(Output& output, const SequenceShape& data, const LeastSquaresFit& fit) {
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
    describe_error_bound(output, fit);
}

void describe_heads(Output& output, const Learned& found) {
    if (found.reduction) {
        describe(output, *found.reduction);
        return;
    }
    if (!has_heads(found.model.layer)) {
        output.add("num_heads", nullptr, "none: this layer has coefficients only");
        return;
    }
    const Index count = num_heads(found.model);
    output.add("num_heads", count, formatted("{} (SVD)", count));
}

std::string or_none(double bound) {
    return std::isfinite(bound) ? brief(bound) : "none";
}

}  // namespace

Output describe(const Learned& found, const std::string& file) {
    Output output;
    output.say("is it unique?  " + uniqueness(found));
    output.say(formatted("how good?      relative training risk {}", brief(found.risk.relative)));
    output.say("where is it?   " + (file.empty() ? "nowhere: -o MODEL.npz keeps it" : file));
    output.say("");
    describe_fit(output, found.data, found.fit);
    describe_heads(output, found);
    describe(output, found.risk);
    output.add("norm", to_string(found.request.solve.norm));
    output.add("ridge", found.request.solve.ridge);
    output.add("seconds", number_or_null(found.seconds), format_seconds(found.seconds));
    if (!file.empty()) {
        output.add("model", file);
    }
    return output;
}

std::string learned_meta(const Learned& found, const std::string& data_sha256) {
    nlohmann::ordered_json meta;
    meta["learner"] = "algorithm_1";
    meta["solver"] = found.fit.solver;
    meta["ridge"] = found.request.solve.ridge;
    meta["norm"] = to_string(found.request.solve.norm);
    meta["status"] = to_string(found.fit.status);
    meta["heads"] = to_string(found.request.heads);
    meta["data_sha256"] = data_sha256;
    return json_text(meta);
}

void describe(Output& output, const Risk& risk) {
    const ScaledNumber mean{risk.risk, risk.exponent};
    const ScaledNumber mse{risk.mse, risk.exponent};
    output.add("risk", number_or_null(mean), brief(mean));
    output.add("mse", number_or_null(mse), brief(mse));
    output.add("relative", number_or_null(risk.relative), brief(risk.relative));
}

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

void describe_error_bound(Output& output, const LeastSquaresFit& fit) {
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

}  // namespace attest
