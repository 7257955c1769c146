#include "core/layers/parse_layer.hpp"
#include "core/questions/express.hpp"
#include "core/questions/plan.hpp"
#include "core/questions/probe.hpp"
#include "python/src/bindings.hpp"
#include "python/src/data.hpp"
#include "python/src/interruptible.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace attest::python {

namespace py = pybind11;

namespace {

py::dict plan_for(const Data& pilot,
                  const std::string& target,
                  std::optional<double> noise,
                  std::uint64_t seed) {
    const PlanRequest request = plan_request(target, noise);
    const Plan found =
        interruptible(1, [&] { return plan(pilot.whole(), request, Stream(seed).child("plan")); });
    return answer_of(describe(request, pilot.whole().layer, found));
}

py::dict queries_for(Index d, const std::string& layer, Index width, std::optional<double> noise) {
    const ProbeRequest request{layer_named(layer), d, width, noise};
    Probe found = interruptible(1, [&] { return probe(request); });
    py::dict answer = answer_of(describe(found));
    answer["queries"] = std::make_unique<Data>(std::move(found.design.queries));
    return answer;
}

/// The layer behind answers, in exact arithmetic.
py::dict read_answers(const Data& answers) {
    const Dataset& data = answers.whole();
    const LeastRisk found = interruptible(1, [&] { return least_risk(data); });
    BestModel best = best_model(data, found);
    Output output;
    output.add("rank", found.rank);
    describe(output, data.layer, found);
    describe(output, best);
    py::dict answer = answer_of(output);
    answer["model"] = std::move(best.model);
    return answer;
}

}  // namespace

void bind_design(py::module_& module) {
    module.def("plan", &plan_for);
    module.def("probe", &queries_for);
    module.def("read_answers", &read_answers);
}

}  // namespace attest::python
