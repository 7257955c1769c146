#include "core/questions/learn.hpp"

#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/output.hpp"
#include "core/questions/reduce_heads.hpp"
#include "core/softmax/learned_layer.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/data.hpp"
#include "python/src/interruptible.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace attest::python {

namespace {

/// A model as the bytes of its file, which is also how it pickles.
py::bytes pickled(const Model& model) {
    const std::vector<std::byte> bytes = model_bytes(model);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Model model_from_bytes(const py::bytes& text) {
    const std::string bytes = text;
    return read_model(NpzReader::from_bytes(std::as_bytes(std::span(bytes)), "the model"));
}

Model model_from_heads(const std::vector<py::buffer>& V, const std::vector<py::buffer>& Q) {
    require(!V.empty() && V.size() == Q.size(),
            "from_heads: got {} matrices V and {} matrices Q, expected one of each for every head",
            V.size(),
            Q.size());
    Model model;
    for (std::size_t h = 0; h < V.size(); ++h) {
        model.heads.heads.push_back({matrix_from(V[h], "V"), matrix_from(Q[h], "Q")});
    }
    model.d = model.heads.d = model.heads.heads.front().Q.rows();
    model.o = model.heads.o = model.heads.heads.front().V.rows();
    check_shapes(model.heads);
    model.P = coefficients(model, "from_heads");
    return model;
}

py::tuple heads_of(const Model& model) {
    py::list V;
    py::list Q;
    const auto add = [&](const auto& heads) {
        for (const auto& head : heads) {
            V.append(head.V);
            Q.append(head.Q);
        }
    };
    model.layer.is_linear() ? add(model.heads.heads) : add(model.layer_heads.heads);
    return py::make_tuple(V, Q);
}

/// A search for heads that notes how far it is, and ends when the call is asked to stop; the caller
/// then discards it.
HeadObserver stoppable() {
    return {{},
            [](const HeadSearchProgress& at) { note_progress("starts", at.start, 0); },
            [](const HeadCurvePoint& point) { note_progress("heads", point.num_heads, 0); },
            [] { return interrupted(); }};
}

py::dict learn_data(const Data& data,
                    const std::string& solver,
                    double ridge,
                    const std::string& norm,
                    const std::string& heads,
                    double budget,
                    std::uint64_t seed,
                    int threads,
                    const py::object& progress) {
    const SequenceShape shape = data.shape();
    require(shape.labels != LabelKind::none, "fit: no labels; learning needs them");
    require(ridge >= 0.0, "fit: got ridge {}, expected a finite number from 0", ridge);
    LearnRequest request{
        solver, {ridge, norm_from_string(norm), threads}, head_request(heads), seed};
    request.heads.budget = budget;
    Learned found = interruptible(threads, progress, [&] {
        const auto source = data.source(reading_for(request));
        return learn(FactoredSource(*source), request, stoppable());
    });
    found.model.meta = learned_meta(found, data.sequences().digest());
    py::dict answer = answer_of(describe(found, ""));
    answer["model"] = std::move(found.model);
    answer["unique"] = found.fit.status == SolveStatus::unique;
    answer["error_bound"] = found.fit.error_bound;
    return answer;
}

py::tuple predict_data(const Model& model, const Data& data) {
    const FeatureLayout layout = data.shape().layout();
    require(
        model.layout() == layout,
        "predict: got examples of {} states and {} query features, the model's layer {} expects "
        "{} and {}",
        layout.q(),
        layout.m(),
        to_string(model.layer),
        model.layout().q(),
        model.layout().m());
    const Prediction found = interruptible(1, [&] {
        return predict_and_score(coefficients(model, "the model"), *data.source(ReadingAs::parts));
    });
    Output output;
    if (found.risk) {
        describe(output, *found.risk);
    }
    return py::make_tuple(found.y, python_of(output.json()));
}

py::dict reduce_model(const Model& model,
                      const std::string& heads,
                      const Data* data,
                      double budget,
                      std::uint64_t seed,
                      int threads,
                      const py::object& progress) {
    require(model.layer.is_linear(),
            "transform_heads: the layer is {}; heads are reduced for the layer linear only; "
            "those of one decay merge by attest.minimal_heads(V, Q, decays=...)",
            to_string(model.layer));
    require(data == nullptr || data->shape().d == model.d,
            "transform_heads: tokens have {} entries, the model expects {}",
            data == nullptr ? 0 : data->shape().d,
            model.d);
    HeadRequest request = head_request(heads);
    require(request.choice != HeadChoice::svd, "transform_heads: expected min, elbow or a number");
    request.budget = budget;
    const auto scaled = scaled_coefficients(coefficients(model, "the model"));
    HeadReduction found = interruptible(threads, progress, [&] {
        const auto target = [&] {
            if (data == nullptr) {
                return frobenius_target(scaled.P, model.d);
            }
            const auto source = data->source(ReadingAs::parts);
            return head_target(scaled.P, FactoredSource(*source), {});
        };
        return reduce_heads(target(), request, Stream(seed).child("heads"), stoppable());
    });
    found.heads = times_power(std::move(found.heads), scaled.exponent);
    Output output;
    output.add("d", model.d);
    output.add("o", model.o);
    output.add("psi", feature_dim(model.d));
    output.add("heads_before", model.heads.num_heads());
    describe(output, found);
    py::dict answer = answer_of(output);
    answer["model"] = Model{model.d,
                            model.o,
                            coefficients(found.heads),
                            found.heads,
                            reduced_meta(model.meta, request.choice, found)};
    return answer;
}

py::dict learn_softmax_data(const Data& data,
                            Index heads,
                            double largest_norm,
                            Index held_out,
                            Index net_points,
                            double most_tuples,
                            bool polish,
                            int threads) {
    SoftmaxRequest request;
    request.options.m = heads;
    request.options.largest_norm = largest_norm;
    request.options.net_points = net_points;
    request.options.most_tuples = most_tuples;
    request.options.polish = polish;
    request.held_out = held_out;
    const LearnedSoftmax found = interruptible(threads, [&] {
        return learn_softmax_layer(
            {softmax_examples(data.whole(), "fit"), std::nullopt, ""}, request, "fit");
    });
    py::list Theta;
    py::list W;
    for (const SoftmaxHead& head : found.result.heads()) {
        Theta.append(head.Theta);
        W.append(head.W);
    }
    py::dict answer = answer_of(describe(found));
    answer["heads"] = py::make_tuple(Theta, W);
    return answer;
}

}  // namespace

void bind_learn(py::module_& module) {
    py::class_<Model>(module, "Model")
        .def_static("read", [](const std::string& path) { return read_model(path); })
        .def_static("from_heads", &model_from_heads)
        .def("write", [](const Model& model, const std::string& path) { write_model(path, model); })
        .def(py::pickle(&pickled, &model_from_bytes))
        .def_readonly("d", &Model::d)
        .def_readonly("o", &Model::o)
        .def_readonly("meta", &Model::meta)
        .def_property_readonly("layer", [](const Model& model) { return to_string(model.layer); })
        .def_property_readonly(
            "P", [](const Model& m) { return Matrix(coefficients(m, "the model").transpose()); })
        .def_property_readonly("heads", &heads_of);
    module.def("learn",
               &learn_data,
               py::arg("data"),
               py::kw_only(),
               py::arg("solver"),
               py::arg("ridge"),
               py::arg("norm"),
               py::arg("heads"),
               py::arg("budget"),
               py::arg("seed"),
               py::arg("threads"),
               py::arg("progress"));
    module.def("learn_softmax",
               &learn_softmax_data,
               py::arg("data"),
               py::kw_only(),
               py::arg("heads"),
               py::arg("largest_norm"),
               py::arg("held_out"),
               py::arg("net_points"),
               py::arg("most_tuples"),
               py::arg("polish"),
               py::arg("threads"));
    module.def("predict", &predict_data);
    module.def("reduce_heads",
               &reduce_model,
               py::arg("model"),
               py::kw_only(),
               py::arg("heads"),
               py::arg("data"),
               py::arg("budget"),
               py::arg("seed"),
               py::arg("threads"),
               py::arg("progress"));
}

}  // namespace attest::python
