#include "core/questions/reduce_heads.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/heads/linear_construction.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/questions/learn.hpp"

#include <algorithm>
#include <chrono>
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
    const auto begin = std::chrono::steady_clock::now();
    options.control.interrupt = [begin, budget = request.budget, &observer] {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        return asked_to_stop(observer) || spent.count() > budget;
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
    return relative_residual(target, b) < relative_residual(target, a) ? b : a;
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

namespace {

// Beyond, one step of the search takes minutes.
constexpr Index kMostSearchedFeatures = 1000;

std::string why_not_sought(const FactoredSource& data, const Matrix& P) {
    if (!is_linear(data.source())) {
        return "fewer heads are sought for the layer linear only";
    }
    if (P.rows() > kMostSearchedFeatures) {
        return formatted("{} features, sought up to {}; attest heads --to K --data takes more",
                         P.rows(),
                         kMostSearchedFeatures);
    }
    return P.isZero(0.0) ? "the layer is zero" : "";
}

}  // namespace

HeadNeeds head_needs(const FactoredSource& data,
                     const Model& model,
                     const Matrix& P,
                     double budget,
                     const Stream& stream) {
    HeadNeeds needs;
    needs.has = num_heads(model);
    needs.not_sought = why_not_sought(data, P);
    if (!needs.not_sought.empty()) {
        return needs;
    }
    const FitTarget target = head_target(scaled_coefficients(P).P, data, {});
    const HeadReduction fewest =
        reduce_heads(target, {HeadChoice::fewest, 0, budget, 0}, stream.child("fewest"), {});
    needs.at_least = fewest.bound->num_heads;
    if (fewest.loss.same_on_data()) {
        needs.found = fewest.heads.num_heads();
        needs.same_everywhere = fewest.loss.same_function();
        needs.proved_fewest = fewest.search->end == HeadSearchEnd::proved;
    }
    const HeadReduction curve =
        reduce_heads(target, {HeadChoice::elbow, 0, budget, 0}, stream.child("curve"), {});
    for (const HeadCurvePoint& point : curve.curve) {
        if (point.num_heads > 0) {
            needs.fewer.push_back({point.num_heads, point.loss});
        }
    }
    return needs;
}

}  // namespace attest
