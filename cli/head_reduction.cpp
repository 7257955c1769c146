#include "cli/head_reduction.hpp"

#include "cli/head_elbow.hpp"
#include "cli/head_report.hpp"
#include "cli/numbers.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/counting.hpp"
#include "core/heads/linear_construction.hpp"
#include "record/progress.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>

namespace attest::cli {

namespace {

Parameters fewest(Report& report,
                  const FitTarget& target,
                  const HeadRequest& request,
                  const Stream& stream) {
    HeadSearchOptions options;
    options.seconds = request.budget;
    options.max_starts = request.starts > 0 ? request.starts : options.max_starts;
    options.stream = stream;
    options.control.interrupt = [] { return interrupted(); };
    const Index lowest = std::max<Index>(
        target_lower_bound(
            target, options.tolerance, options.lower_bound_draws, stream.child("lower bound"))
            .num_heads,
        1);
    const Index last = counting_bound(target.d, target.o);
    const Index counts = std::max<Index>(last - lowest + 1, 0);
    state_cost(
        formatted(
            "fewest heads: {} to {}, up to {} starts for each", lowest, last, options.max_starts),
        head_search_cost(target, lowest, options),
        options.seconds);
    Progress progress("heads", counts * options.max_starts);
    Index best = most_heads(target) + 1;
    options.progress = [&](const HeadSearchProgress& at) {
        progress.begin(formatted(
            "{} heads from {}: residual {}", at.num_heads, to_string(at.kind), brief(at.residual)));
        progress.advance();
        if (at.best_heads < best) {
            best = at.best_heads;
            progress.message(
                formatted("best so far: {} heads, after {}", best, format_seconds(at.seconds)));
        }
    };
    const MinimalHeads found = minimal_heads(target, options);
    nlohmann::ordered_json attempts = nlohmann::ordered_json::array();
    for (const HeadAttempt& attempt : found.attempts) {
        attempts.push_back({{"num_heads", attempt.num_heads},
                            {"starts", attempt.starts},
                            {"residual", json_number(attempt.residual)}});
    }
    report.add("num_heads", found.heads.num_heads());
    report_bound(report, target, found.bound);
    report_loss(report, target, found.heads);
    report.add_json("locally_unique", found.tangent_rcond > kUniqueTangent);
    report.add_json("tangent_rcond", json_number(found.tangent_rcond));
    report.add_json("search_end", to_string(found.end));
    report.add_json("attempts", attempts);
    report.add_json("heads_note", found.note);
    report.say(found.note);
    return found.heads;
}

/// The better of two sets of heads.
Parameters better(const FitTarget& target, Parameters a, Parameters b) {
    return relative_residual(target, b) < relative_residual(target, a) ? b : a;
}

/// Variable projection from several starts within the budget.
Parameters fitted(const FitTarget& target, const HeadRequest& request, const Stream& stream) {
    const HeadFitOptions options = fit_options(request, stream);
    IterationCost cost = variable_projection_cost(target, request.count);
    cost.flops *= static_cast<double>(options.starts * options.control.max_iterations);
    state_cost(formatted("best {}{}{}{}",
                         request.count,
                         request.count == 1 ? " head: " : " heads: ",
                         options.starts,
                         options.starts == 1 ? " start" : " starts"),
               cost,
               request.budget);
    return heads_of(fit_heads(target, request.count, options), target.d);
}

Parameters best_of_count(Report& report,
                         const FitTarget& target,
                         const HeadRequest& request,
                         const Stream& stream) {
    require(request.count <= most_heads(target),
            "got {} heads, expected 1 to {}, which suffice for every model with d = {} and o = {}",
            request.count,
            most_heads(target),
            target.d,
            target.o);
    const Parameters cut = truncated_heads(target, request.count);
    const Parameters refit = refit_values(target, cut);
    Parameters heads = better(target, cut, refit);
    if (relative_residual(target, heads) > kSameFunction) {
        heads = better(
            target,
            heads,
            request.count >= linear_head_count(target.d, target.o)
                ? balanced_heads(linear_construction(target.P, target.d, stream).factors, target.d)
                : fitted(target, request, stream));
    }
    const auto loss = [&](const Parameters& theta) {
        const double residual = relative_residual(target, theta);
        return residual * residual;
    };
    report.add("num_heads", heads.num_heads());
    report_bound(
        report, target, target_lower_bound(target, kSameFunction, 3, stream.child("lower bound")));
    report_loss(report, target, heads);
    report.add("losses",
               {{"svd", json_number(loss(cut))},
                {"refit", json_number(loss(refit))},
                {"fit", json_number(loss(heads))}},
               formatted("{} (SVD, cut), {} (values refitted), {} (fitted)",
                         brief(loss(cut)),
                         brief(loss(refit)),
                         brief(loss(heads))));
    return heads;
}

}  // namespace

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

void add_head_options(CLI::App& app, HeadRequest& request) {
    app.add_option("--budget", request.budget, "Seconds the search for heads may take")
        ->check(number_from_zero())
        ->capture_default_str();
    app.add_option("--starts",
                   request.starts,
                   "Starts for every number of heads (default: 30 for the fewest, 6 for a number)")
        ->check(integer_within(1, 1000000));
}

Parameters reduce_heads(Report& report,
                        const FitTarget& target,
                        const HeadRequest& request,
                        std::uint64_t seed) {
    install_interrupt_handlers();
    const Stream stream = Stream(seed).child("heads");
    switch (request.choice) {
        case HeadChoice::fewest:
            return fewest(report, target, request, stream);
        case HeadChoice::elbow:
            return heads_at_elbow(report, target, request, stream);
        default:
            return best_of_count(report, target, request, stream);
    }
}

}  // namespace attest::cli
