#include "core/base/interrupt.hpp"
#include "core/questions/certify_stack.hpp"
#include "core/questions/dimension.hpp"
#include "core/questions/probe_stack.hpp"
#include "core/questions/proof_file.hpp"
#include "core/stack/stack_file.hpp"
#include "core/stack/uniform_stack.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/data.hpp"
#include "python/src/interruptible.hpp"

#include <pybind11/stl.h>

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attest::python {

namespace {

/// An array of a stack: its name and shape, in the order of the file.
using ArrayShape = std::pair<std::string, std::vector<Index>>;

std::vector<ArrayShape> parameter_shapes(const StackShape& shape) {
    std::vector<ArrayShape> found;
    for (const NamedSlot& each : named_slots(shape)) {
        found.emplace_back(each.name,
                           each.slot.is_vector
                               ? std::vector<Index>{each.slot.rows}
                               : std::vector<Index>{each.slot.rows, each.slot.cols});
    }
    return found;
}

/// Fixed decays and rotary angles, which are no parameters.
std::vector<ArrayShape> constant_shapes(const StackShape& shape) {
    std::vector<ArrayShape> found;
    for (std::size_t l = 0; l < shape.layers.size(); ++l) {
        const StackLayer& layer = shape.layers[l];
        if (layer.decay == StackDecay::fixed) {
            found.emplace_back(formatted("layers.{}.decays", l), std::vector<Index>{layer.heads});
        }
        if (layer.rotary) {
            found.emplace_back(formatted("layers.{}.angles", l),
                               std::vector<Index>{layer.key_size / 2});
        }
    }
    return found;
}

/// The numbers of one array, row after row, taken out of those given.
std::vector<double> taken(std::map<std::string, py::buffer>& arrays, const ArrayShape& expected) {
    const auto& [name, shape] = expected;
    const auto at = arrays.find(name);
    require(at != arrays.end(),
            "Stack: the array {} is missing, expected shape {}",
            name,
            shape_text(shape));
    const auto rank = static_cast<py::ssize_t>(shape.size());
    const py::buffer_info info = doubles_of(at->second, rank, name);
    const std::vector<Index> got(info.shape.begin(), info.shape.end());
    require(got == shape,
            "Stack: {} has shape {}, expected {}",
            name,
            shape_text(got),
            shape_text(shape));
    // A vector is a matrix of one row here.
    const Index cols = shape.back();
    const Index rows = rank == 2 ? shape.front() : 1;
    const auto* const base = static_cast<const char*>(info.ptr);
    std::vector<double> values;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            const auto step = (rank == 2 ? i * info.strides[0] : 0) + j * info.strides.back();
            double value = 0.0;
            std::memcpy(&value, base + step, sizeof(double));
            values.push_back(value);
        }
    }
    arrays.erase(at);
    return values;
}

Stack stack_from_arrays(const std::string& architecture,
                        std::map<std::string, py::buffer> arrays,
                        const std::string& meta) {
    Stack stack;
    stack.shape = shape_from_json(architecture, "Stack");
    stack.meta = meta;
    for (const ArrayShape& each : parameter_shapes(stack.shape)) {
        const std::vector<double> values = taken(arrays, each);
        stack.parameters.insert(stack.parameters.end(), values.begin(), values.end());
    }
    for (std::size_t l = 0; l < stack.shape.layers.size(); ++l) {
        const StackLayer& layer = stack.shape.layers[l];
        StackLayerConstants constants;
        if (layer.decay == StackDecay::fixed) {
            constants.decays = taken(arrays, {formatted("layers.{}.decays", l), {layer.heads}});
        }
        if (layer.rotary) {
            constants.angles =
                taken(arrays, {formatted("layers.{}.angles", l), {layer.key_size / 2}});
        }
        stack.constants.push_back(std::move(constants));
    }
    require(arrays.empty(),
            "Stack: {} is no array of this stack; leave it out or name it in the architecture",
            arrays.empty() ? "" : arrays.begin()->first);
    require_sound(stack);
    return stack;
}

/// Rows of the array, by its name; a vector as one column.
py::dict arrays_of(const Stack& stack) {
    py::dict arrays;
    for (const NamedSlot& each : named_slots(stack.shape)) {
        arrays[py::str(each.name)] = Matrix(view_of(each.slot, stack.parameters.data()));
    }
    const auto add = [&](std::size_t l, const char* name, const std::vector<double>& values) {
        if (!values.empty()) {
            arrays[py::str(formatted("layers.{}.{}", l, name))] =
                Matrix(Eigen::Map<const Vector>(values.data(), std::ssize(values)));
        }
    };
    for (std::size_t l = 0; l < stack.constants.size(); ++l) {
        add(l, "decays", stack.constants[l].decays);
        add(l, "angles", stack.constants[l].angles);
    }
    return arrays;
}

std::vector<ArrayShape> array_shapes(const std::string& architecture) {
    const StackShape shape = shape_from_json(architecture, "Stack");
    std::vector<ArrayShape> found = parameter_shapes(shape);
    for (ArrayShape& each : constant_shapes(shape)) {
        found.push_back(std::move(each));
    }
    return found;
}

/// Outputs on every sequence, tokens that are read as columns, one sequence after the other.
Matrix outputs_of(const Stack& stack, const Data& data) {
    const Dataset& inputs = data.whole();
    require(inputs.query.empty(),
            "predict: the data name query columns; a stack reads the last token or all");
    require(inputs.d() == stack.shape.d,
            "predict: tokens have {} entries, the stack expects {}",
            inputs.d(),
            stack.shape.d);
    return interruptible(1, [&] {
        const StackAt<double> at = in_doubles(stack);
        const bool all = stack.shape.readout == Readout::all;
        const Index d = stack.shape.d;
        Matrix Y(d, all ? inputs.first_token(inputs.num_sequences()) : inputs.num_sequences());
        Index column = 0;
        for (Index i = 0; i < inputs.num_sequences(); ++i) {
            throw_if_interrupted("predict");
            const Vector y = stack_outputs<double>(at, inputs.sequence(i));
            for (Index j = 0; j < y.size() / d; ++j) {
                Y.col(column++) = y.segment(j * d, d);
            }
        }
        return Y;
    });
}

/// Keywords are the fields of UniformStack and of a layer, as attest dimension's options.
std::string architecture_of(const py::kwargs& asked) {
    const auto size = [&](const char* name, Index otherwise) {
        return asked.contains(name) ? asked[name].cast<Index>() : otherwise;
    };
    const auto word = [&](const char* name, const char* otherwise) {
        return asked.contains(name) ? asked[name].cast<std::string>() : std::string(otherwise);
    };
    const auto flag = [&](const char* name) {
        return asked.contains(name) && asked[name].cast<bool>();
    };
    UniformStack sizes;
    sizes.d = size("d", 0);
    sizes.layers = size("layers", 1);
    sizes.layer.heads = size("heads", 1);
    sizes.groups = size("groups", 0);
    sizes.key_size = size("head_size", 0);
    sizes.value_size = size("value_size", 0);
    sizes.width = size("width", 0);
    sizes.layer.score = choice_named("score", word("score", "linear"), kStackScores);
    sizes.layer.decay = choice_named("decay", word("decay", "none"), kStackDecays);
    sizes.layer.norm = choice_named("norm", word("norm", "none"), kStackNorms);
    sizes.layer.activation = choice_named("mlp", word("mlp", "none"), kActivations);
    sizes.layer.residual = flag("residual");
    sizes.layer.causal = flag("causal");
    sizes.layer.rotary = flag("rotary");
    if (asked.contains("epsilon")) {
        sizes.layer.epsilon = asked["epsilon"].cast<double>();
    }
    sizes.layer = with_biases(sizes.layer, word("biases", ""), "biases");
    sizes.readout = choice_named("readout", word("readout", "all"), kReadouts);
    sizes.final_norm = choice_named("final_norm", word("final_norm", "none"), kStackNorms);
    return shape_json(shape_of(sizes));
}

py::dict dimension_of(const std::string& architecture,
                      Index tokens,
                      bool numerical,
                      std::uint64_t seed,
                      const std::optional<std::string>& keep,
                      int threads,
                      const py::object& progress) {
    const StackShape shape = shape_from_json(architecture, "dimension");
    require(tokens >= 1 && tokens <= 1024, "dimension: got {} tokens, expected 1 to 1024", tokens);
    const StackDimension found = interruptible(threads, progress, [&] {
        return dimension({shape, tokens, seed, numerical});
    });
    const std::optional<std::string> proof = dimension_proof(shape, found);
    if (keep) {
        write_proof(*keep, proof);
    }
    py::dict answer = answer_of(describe(shape, found));
    answer["proof"] = proof;
    return answer;
}

py::dict certify_stack(const Data& data,
                       const Stack& stack,
                       const Data* pool,
                       Index suggest,
                       std::uint64_t seed,
                       int threads,
                       const py::object& progress) {
    LocalStackRequest request;
    request.pool = pool == nullptr ? nullptr : &pool->whole();
    request.suggest = suggest;
    request.seed = seed;
    const LocalStack found =
        interruptible(threads, progress, [&] { return local_stack(data.whole(), stack, request); });
    py::dict answer = answer_of(describe(stack.shape, found));
    if (found.open) {
        answer["direction"] = Matrix(Eigen::Map<const Vector>(found.open->direction.data(),
                                                              std::ssize(found.open->direction)));
    }
    return answer;
}

StackProbeRequest probe_request(Index d,
                                Index heads,
                                Index key_size,
                                Index value_size,
                                bool causal,
                                Index tokens,
                                std::uint64_t seed) {
    StackProbeRequest request;
    request.d = d;
    request.heads = heads;
    request.causal = causal;
    request.key_size = key_size;
    request.value_size = value_size;
    request.tokens = tokens;
    request.seed = seed;
    return request;
}

py::dict stack_queries(const StackProbeRequest& request) {
    StackProbe found = interruptible(1, [&] { return probe_stack(request); });
    py::dict answer = answer_of(describe(found));
    answer["queries"] = std::make_unique<Data>(std::move(found.queries));
    return answer;
}

/// The stack behind answers; None where none was found.
py::dict read_box(const Data& answers,
                  const StackProbeRequest& request,
                  Index starts,
                  int threads,
                  const py::object& progress) {
    FoundStack found = interruptible(
        threads, progress, [&] { return read_stack_answers(answers.whole(), request, starts); });
    py::dict answer = answer_of(describe(found));
    answer["stack"] = std::move(found.stack);
    return answer;
}

py::bytes pickled_stack(const Stack& stack) {
    const std::vector<std::byte> bytes = stack_bytes(stack);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Stack stack_from_bytes(const py::bytes& text) {
    const std::string bytes = text;
    return read_stack(NpzReader::from_bytes(std::as_bytes(std::span(bytes)), "the stack"));
}

}  // namespace

void bind_stack(py::module_& module) {
    py::class_<Stack>(module, "Stack")
        .def(py::init(&stack_from_arrays),
             py::arg("architecture"),
             py::arg("arrays"),
             py::arg("meta"))
        .def_static("read", [](const std::string& path) { return read_stack(path); })
        .def("write", [](const Stack& stack, const std::string& path) { write_stack(path, stack); })
        .def("outputs", &outputs_of)
        .def("words", [](const Stack& stack) { return in_words(stack.shape); })
        .def_property_readonly("architecture",
                               [](const Stack& stack) { return shape_json(stack.shape); })
        .def_property_readonly("arrays", &arrays_of)
        .def_property_readonly("num_parameters",
                               [](const Stack& stack) { return std::ssize(stack.parameters); })
        .def_property_readonly("meta", [](const Stack& stack) { return stack.meta; })
        .def(py::pickle(&pickled_stack, &stack_from_bytes));
    module.def("architecture", &architecture_of);
    module.def("array_shapes", &array_shapes);
    module.def("dimension",
               &dimension_of,
               py::arg("architecture"),
               py::kw_only(),
               py::arg("tokens"),
               py::arg("numerical"),
               py::arg("seed"),
               py::arg("keep"),
               py::arg("threads"),
               py::arg("progress"));
    py::class_<StackProbeRequest>(module, "StackProbeRequest")
        .def(py::init(&probe_request),
             py::kw_only(),
             py::arg("d"),
             py::arg("heads"),
             py::arg("key_size"),
             py::arg("value_size"),
             py::arg("causal"),
             py::arg("tokens"),
             py::arg("seed"));
    module.def("stack_queries", &stack_queries);
    module.def("read_stack_answers",
               &read_box,
               py::arg("answers"),
               py::arg("request"),
               py::kw_only(),
               py::arg("starts"),
               py::arg("threads"),
               py::arg("progress"));
    module.def("certify_stack",
               &certify_stack,
               py::arg("data"),
               py::arg("stack"),
               py::kw_only(),
               py::arg("pool"),
               py::arg("suggest"),
               py::arg("seed"),
               py::arg("threads"),
               py::arg("progress"));
}

}  // namespace attest::python
