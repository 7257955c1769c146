#include "core/questions/reduce_heads.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/heads/linear_construction.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/questions/learn.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace attest {

HeadRequest head_request(const std::string& text) {
    if (text == "svd") {
        return {HeadChoice::svd};
    }
    if (text == "min") {
        return {HeadChoice::fewest};
    }
    if (text == "elbow") {
        return {HeadChoice::elbow};
    }
    const std::optional<Index> count = parse_number<Index>(text);
    if (!count || *count < 1) {
        throw UnknownName(formatted("heads: got {}, expected svd, min, elbow or a number from 1",
                                    in_quotes(text)));
    }
    return {HeadChoice::count, *count};
}

namespace {

bool asked_to_stop(const HeadObserver& observer) {
    return observer.interrupt && observer.interrupt();
}

void tell(const HeadObserver& observer, const HeadPlan& plan) {
    if (observer.plan) {
        observer.plan(plan);
    }
}

HeadLoss head_loss(const FitTarget& target, const Parameters& heads) {
    return {target.L.size() > 0,
            relative_residual(target, heads),
            relative_residual(frobenius_target(target.P, target.d), heads)};
}

/// Starts, streams and an end at the budget or an interrupt, for variable projection.
HeadFitOptions fit_options(const HeadRequest& request,
                           const Stream& stream,
                           const HeadObserver& observer) {
    HeadFitOptions options;
    options.starts = request.starts > 0 ? request.starts : options.starts;
    options.stream = stream;
    options.control.interrupt = [timer = Timer(), budget = request.budget, &observer] {
        return asked_to_stop(observer) || timer.seconds() > budget;
    };
    return options;
}

HeadReduction fewest(const FitTarget& target,
                     const HeadRequest& request,
                     const Stream& stream,
                     const HeadObserver& observer) {
    HeadSearchOptions options;
    options.seconds = request.budget;
    options.max_starts = request.starts > 0 ? request.starts : options.max_starts;
    options.stream = stream;
    options.control.interrupt = observer.interrupt;
    options.progress = observer.start_done;
    const Index lowest = std::max<Index>(
        target_lower_bound(
            target, options.tolerance, options.lower_bound_draws, stream.child("lower bound"))
            .num_heads,
        1);
    tell(observer,
         {HeadChoice::fewest,
          lowest,
          counting_bound(target.d, target.o),
          options.max_starts,
          head_search_cost(target, lowest, options),
          options.seconds});
    HeadReduction found;
    found.search = minimal_heads(target, options);
    found.heads = found.search->heads;
    found.bound = found.search->bound;
    return found;
}

HeadReduction at_elbow(const FitTarget& target,
                       const HeadRequest& request,
                       const Stream& stream,
                       const HeadObserver& observer) {
    require(target.L.size() > 0, "elbow: the noise shows in the norm of the data; give --data");
    const Index last = std::min(counting_bound(target.d, target.o), most_heads(target));
    const HeadFitOptions options = fit_options(request, stream, observer);
    IterationCost cost = variable_projection_cost(target, last);
    cost.flops *= static_cast<double>(last * (options.starts + 1) * options.control.max_iterations);
    tell(observer, {HeadChoice::elbow, 1, last, options.starts, cost, request.budget});
    HeadReduction found;
    found.curve = head_curve(target, last, options, [&](const HeadCurvePoint& point) {
        if (observer.count_done) {
            observer.count_done(point);
        }
    });
    found.elbow = elbow(found.curve);
    found.heads = found.elbow
                      ? heads_of(found.curve[static_cast<std::size_t>(*found.elbow)].fit, target.d)
                      : truncated_heads(target, most_heads(target));
    return found;
}

/// The better of two sets of heads.
Parameters better(const FitTarget& target, Parameters a, Parameters b) {
    if (relative_residual(target, b) < relative_residual(target, a)) {
        return b;
    }
    return a;
}

/// Variable projection from several starts within the budget.
Parameters fitted(const FitTarget& target,
                  const HeadRequest& request,
                  const Stream& stream,
                  const HeadObserver& observer) {
    const HeadFitOptions options = fit_options(request, stream, observer);
    IterationCost cost = variable_projection_cost(target, request.count);
    cost.flops *= static_cast<double>(options.starts * options.control.max_iterations);
    tell(observer,
         {HeadChoice::count, request.count, request.count, options.starts, cost, request.budget});
    return heads_of(fit_heads(target, request.count, options), target.d);
}

HeadReduction best_of_count(const FitTarget& target,
                            const HeadRequest& request,
                            const Stream& stream,
                            const HeadObserver& observer) {
    require(request.count <= most_heads(target),
            "got {} heads, expected 1 to {}, which suffice for every model with d = {} and o = {}",
            request.count,
            most_heads(target),
            target.d,
            target.o);
    const Parameters cut = truncated_heads(target, request.count);
    const Parameters refit = refit_values(target, cut);
    HeadReduction found;
    found.heads = better(target, cut, refit);
    if (relative_residual(target, found.heads) > kSameFunction) {
        found.heads = better(
            target,
            found.heads,
            request.count >= linear_head_count(target.d, target.o)
                ? balanced_heads(linear_construction(target.P, target.d, stream).factors, target.d)
                : fitted(target, request, stream, observer));
    }
    const auto loss = [&](const Parameters& theta) {
        const double residual = relative_residual(target, theta);
        return residual * residual;
    };
    found.bound = target_lower_bound(target, kSameFunction, 3, stream.child("lower bound"));
    found.losses = {loss(cut), loss(refit), loss(found.heads)};
    return found;
}

HeadReduction reduced(const FitTarget& target,
                      const HeadRequest& request,
                      const Stream& stream,
                      const HeadObserver& observer) {
    switch (request.choice) {
        case HeadChoice::fewest:
            return fewest(target, request, stream, observer);
        case HeadChoice::elbow:
            return at_elbow(target, request, stream, observer);
        case HeadChoice::count:
            return best_of_count(target, request, stream, observer);
        case HeadChoice::svd:
            break;
    }
    throw InvalidInput("reduce_heads: got svd, expected the fewest, an elbow or a count");
}

void show_bound(Output& output, const HeadReduction& found) {
    const HeadLowerBound& bound = *found.bound;
    output.add("lower_bound",
               bound.num_heads,
               formatted("{} (certified by the {})", bound.num_heads, to_string(bound.proof)));
    output.add_json("lower_bound_proof", to_string(bound.proof));
    output.add("counting_bound",
               found.counting_bound,
               formatted("{} (what a generic function of this size needs)", found.counting_bound));
}

/// How far the heads are from the target, in its norm, and whether they are the same function.
void show_loss(Output& output, const HeadLoss& loss) {
    output.add_json("loss_norm", loss.on_data ? "data" : "sym");
    output.add("loss",
               number_or_null(loss.loss()),
               formatted("{}{}",
                         brief(loss.loss()),
                         loss.on_data ? " of the outputs' mean square on the data"
                                      : " of the squared norm of Sym W"));
    output.add_json("residual", number_or_null(loss.residual));
    output.add("same_function",
               loss.same_function(),
               loss.same_function()  ? formatted("yes: relative distance of the coefficients {}",
                                                brief(loss.everywhere))
               : loss.same_on_data() ? "on inputs like the data; they do not show the others"
                                     : "no, an approximation");
}

void show_search(Output& output, const MinimalHeads& search) {
    nlohmann::ordered_json attempts = nlohmann::ordered_json::array();
    for (const HeadAttempt& attempt : search.attempts) {
        attempts.push_back({{"num_heads", attempt.num_heads},
                            {"starts", attempt.starts},
                            {"residual", number_or_null(attempt.residual)}});
    }
    output.add_json("locally_unique", search.tangent_rcond > kUniqueTangent);
    output.add_json("tangent_rcond", number_or_null(search.tangent_rcond));
    output.add_json("search_end", to_string(search.end));
    output.add_json("head_attempts", attempts);
    output.add_json("heads_note", search.note);
    output.say(search.note);
}

void show_losses(Output& output, const CountLosses& losses) {
    output.add("losses",
               {{"svd", number_or_null(losses.cut)},
                {"refit", number_or_null(losses.refit)},
                {"fit", number_or_null(losses.fit)}},
               formatted("{} (SVD, cut), {} (values refitted), {} (fitted)",
                         brief(losses.cut),
                         brief(losses.refit),
                         brief(losses.fit)));
}

void show_curve(Output& output, const HeadCurve& curve, const std::optional<Index>& elbow) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const HeadCurvePoint& point : curve) {
        list.push_back({{"num_heads", point.num_heads},
                        {"loss", number_or_null(point.loss)},
                        {"variance", number_or_null(point.variance)}});
    }
    const std::string note =
        elbow ? formatted("the variance falls sharply for the last time at {} heads", *elbow)
              : formatted("no elbow up to {} heads: the model keeps the heads of Algorithm 1",
                          curve.back().num_heads);
    output.add_json("head_curve", list);
    output.add_json("elbow",
                    elbow ? nlohmann::ordered_json(*elbow) : nlohmann::ordered_json(nullptr));
    output.add_json("heads_note", note);
    output.say(note);
}

}  // namespace

Index most_heads(const FitTarget& target) {
    return std::min(target.o, target.d) * target.d;
}

FitTarget head_target(const Matrix& P, const FactoredSource& data, const SolveOptions& solve) {
    const Index d = data.source().shape().m();
    const Matrix& R = data.factor().R;
    if (is_zero(solve.ridge)) {
        return weighted_target(P, d, R);
    }
    Matrix stacked = Matrix::Zero(R.rows() + R.cols(), R.cols());
    stacked.topRows(R.rows()) = R;
    stacked.bottomRows(R.cols()).diagonal() =
        std::ldexp(std::sqrt(solve.ridge), -data.scaled().features()) * norm_weights(d, solve.norm);
    return weighted_target(P, d, stacked);
}

HeadReduction reduce_heads(const FitTarget& target,
                           const HeadRequest& request,
                           const Stream& stream,
                           const HeadObserver& observer) {
    HeadReduction found = reduced(target, request, stream, observer);
    found.loss = head_loss(target, found.heads);
    found.counting_bound = counting_bound(target.d, target.o);
    return found;
}

HeadNeeds head_needs(const FactoredSource& data,
                     const Model& model,
                     const Matrix& P,
                     double budget,
                     const Stream& stream) {
    HeadNeeds needs;
    needs.has = num_heads(model);
    if (data.factor().R.isZero(0.0)) {
        needs.not_sought = "every feature of the data is 0, and so is the output of every layer";
        return needs;
    }
    const FitTarget target = head_target(scaled_coefficients(P).P, data, {});
    const HeadReduction fewest = reduce_heads(
        target, {.choice = HeadChoice::fewest, .budget = budget}, stream.child("fewest"), {});
    needs.at_least = fewest.bound->num_heads;
    if (fewest.loss.same_on_data()) {
        needs.found = fewest.heads.num_heads();
        needs.same_everywhere = fewest.loss.same_function();
        needs.proved_fewest = fewest.search->end == HeadSearchEnd::proved;
    }
    const HeadReduction curve = reduce_heads(
        target, {.choice = HeadChoice::elbow, .budget = budget}, stream.child("curve"), {});
    for (const HeadCurvePoint& point : curve.curve) {
        if (point.num_heads > 0) {
            needs.fewer.push_back({point.num_heads, point.loss});
        }
    }
    return needs;
}

void describe(Output& output, const HeadReduction& found) {
    output.add("num_heads", found.heads.num_heads());
    if (found.bound) {
        show_bound(output, found);
    }
    show_loss(output, found.loss);
    if (found.search) {
        show_search(output, *found.search);
    }
    if (found.losses) {
        show_losses(output, *found.losses);
    }
    if (!found.curve.empty()) {
        show_curve(output, found.curve, found.elbow);
    }
}

std::string to_string(const HeadRequest& request) {
    switch (request.choice) {
        case HeadChoice::svd:
            return "svd";
        case HeadChoice::fewest:
            return "min";
        case HeadChoice::elbow:
            return "elbow";
        case HeadChoice::count:
            return std::to_string(request.count);
    }
    return "";
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

}  // namespace attest
