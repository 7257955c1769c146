#include "cli/head_reduction.hpp"

#include "cli/option_values.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/questions/output.hpp"

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
    before_.reset();
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

}  // namespace attest::cli
