#include "cli/head_report.hpp"

#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/counting.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>

namespace attest::cli {

Index most_heads(const FitTarget& target) {
    return std::min(target.o, target.d) * target.d;
}

void state_cost(const std::string& work, const IterationCost& cost, double budget) {
    std::cerr << work << ": at most " << brief(cost.flops) << " flops and "
              << format_bytes(cost.bytes) << "; stops after " << format_seconds(budget)
              << ", or at Ctrl-C, with the best so far\n";
}

void report_bound(Report& report, const FitTarget& target, const HeadLowerBound& bound) {
    report.add("lower_bound",
               bound.num_heads,
               formatted("{} (certified by the {})", bound.num_heads, to_string(bound.proof)));
    report.add_json("lower_bound_proof", to_string(bound.proof));
    const Index generic = counting_bound(target.d, target.o);
    report.add("counting_bound",
               generic,
               formatted("{} (what a generic function of this size needs)", generic));
}

void report_loss(Report& report, const FitTarget& target, const Parameters& heads) {
    const bool weighted = target.L.size() > 0;
    const double residual = relative_residual(target, heads);
    const double everywhere = relative_residual(frobenius_target(target.P, target.d), heads);
    const bool same = everywhere <= kSameFunction;
    report.add_json("loss_norm", weighted ? "data" : "sym");
    report.add("loss",
               json_number(residual * residual),
               formatted("{}{}",
                         brief(residual * residual),
                         weighted ? " of the outputs' mean square on the data"
                                  : " of the squared norm of Sym W"));
    report.add_json("residual", json_number(residual));
    report.add("same_function",
               same,
               same ? formatted("yes: relative distance of the coefficients {}", brief(everywhere))
               : residual <= kSameFunction ? "on inputs like the data; they do not show the others"
                                           : "no, an approximation");
}

HeadFitOptions fit_options(const HeadRequest& request, const Stream& stream) {
    HeadFitOptions options;
    options.starts = request.starts > 0 ? request.starts : options.starts;
    options.stream = stream;
    const auto begin = std::chrono::steady_clock::now();
    options.control.interrupt = [begin, budget = request.budget] {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        return interrupted() || spent.count() > budget;
    };
    return options;
}

}  // namespace attest::cli
