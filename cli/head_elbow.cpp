#include "cli/head_elbow.hpp"

#include "cli/head_report.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/heads/counting.hpp"
#include "core/heads/head_curve.hpp"
#include "record/progress.hpp"

#include <algorithm>

namespace attest::cli {

namespace {

nlohmann::ordered_json curve_json(const HeadCurve& curve) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const HeadCurvePoint& point : curve) {
        list.push_back({{"num_heads", point.num_heads},
                        {"loss", json_number(point.loss)},
                        {"variance", json_number(point.variance)}});
    }
    return list;
}

/// One line a number of heads, on standard error while the fits run.
HeadCurve fitted_curve(const FitTarget& target, const HeadRequest& request, const Stream& stream) {
    const Index last = std::min(counting_bound(target.d, target.o), most_heads(target));
    const HeadFitOptions options = fit_options(request, stream);
    IterationCost cost = variable_projection_cost(target, last);
    cost.flops *= static_cast<double>(last * (options.starts + 1) * options.control.max_iterations);
    state_cost(formatted("elbow: 1 to {} heads", last), cost, request.budget);
    Progress progress("heads", last + 1);
    return head_curve(target, last, options, [&](const HeadCurvePoint& point) {
        progress.message(formatted("{} heads: loss {}, variance {}",
                                   point.num_heads,
                                   brief(point.loss),
                                   brief(point.variance)));
        progress.advance();
    });
}

}  // namespace

Parameters heads_at_elbow(Report& report,
                          const FitTarget& target,
                          const HeadRequest& request,
                          const Stream& stream) {
    require(target.L.size() > 0, "elbow: the noise shows in the norm of the data; give --data");
    const HeadCurve curve = fitted_curve(target, request, stream);
    const std::optional<Index> at = elbow(curve);
    const Parameters heads = at ? heads_of(curve[static_cast<std::size_t>(*at)].fit, target.d)
                                : truncated_heads(target, most_heads(target));
    const std::string note =
        at ? formatted("the variance falls sharply for the last time at {} heads", *at)
           : formatted("no elbow up to {} heads: the model keeps the heads of Algorithm 1",
                       curve.back().num_heads);
    report.add("num_heads", heads.num_heads());
    report_loss(report, target, heads);
    report.add_json("head_curve", curve_json(curve));
    report.add_json("elbow", at ? nlohmann::ordered_json(*at) : nlohmann::ordered_json(nullptr));
    report.add_json("heads_note", note);
    report.say(note);
    return heads;
}

}  // namespace attest::cli
