#include "cli/head_reduction.hpp"

#include "cli/output.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <iostream>

namespace attest::cli {

namespace {

std::string plan_in_words(const HeadPlan& plan) {
    switch (plan.choice) {
        case HeadChoice::fewest:
            return formatted("fewest heads: {} to {}, up to {} starts for each",
                             plan.first,
                             plan.last,
                             plan.starts);
        case HeadChoice::elbow:
            return formatted("elbow: {} to {} heads", plan.first, plan.last);
        default:
            return formatted("best {}{}{}{}",
                             plan.last,
                             plan.last == 1 ? " head: " : " heads: ",
                             plan.starts,
                             plan.starts == 1 ? " start" : " starts");
    }
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
    output.add_json("attempts", attempts);
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

void add_head_options(CLI::App& app, HeadRequest& request) {
    app.add_option("--budget", request.budget, "Seconds the search for heads may take")
        ->check(number_from_zero())
        ->capture_default_str();
    app.add_option("--starts",
                   request.starts,
                   "Starts for every number of heads (default: 30 for the fewest, 6 for a number)")
        ->check(integer_within(1, 1000000));
}

HeadObserver HeadTeller::observer() {
    return {[this](const HeadPlan& plan) { begin(plan); },
            [this](const HeadSearchProgress& at) { start_done(at); },
            [this](const HeadCurvePoint& point) { count_done(point); },
            [] { return interrupted(); }};
}

void HeadTeller::begin(const HeadPlan& plan) {
    install_interrupt_handlers();
    std::cerr << plan_in_words(plan) << ": at most " << brief(plan.cost.flops) << " flops and "
              << format_bytes(plan.cost.bytes) << "; stops after " << format_seconds(plan.budget)
              << ", or at Ctrl-C, with the best so far\n";
    if (plan.choice == HeadChoice::fewest) {
        const Index counts = std::max<Index>(plan.last - plan.first + 1, 0);
        progress_ = std::make_unique<Progress>("heads", counts * plan.starts);
    } else if (plan.choice == HeadChoice::elbow) {
        progress_ = std::make_unique<Progress>("heads", plan.last + 1);
    }
}

void HeadTeller::start_done(const HeadSearchProgress& at) {
    progress_->begin(formatted(
        "{} heads from {}: residual {}", at.num_heads, to_string(at.kind), brief(at.residual)));
    progress_->advance();
    if (at.best_heads < best_) {
        best_ = at.best_heads;
        progress_->message(
            formatted("best so far: {} heads, after {}", best_, format_seconds(at.seconds)));
    }
}

void HeadTeller::count_done(const HeadCurvePoint& point) {
    progress_->message(formatted("{} heads: loss {}, variance {}",
                                 point.num_heads,
                                 brief(point.loss),
                                 brief(point.variance)));
    progress_->advance();
}

void show_reduction(Output& output, const HeadReduction& found) {
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

}  // namespace attest::cli
