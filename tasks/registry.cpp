#include "tasks/registry.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "tasks/agnostic_labels.hpp"
#include "tasks/associative_memory.hpp"
#include "tasks/icl_regression.hpp"
#include "tasks/iid_entries.hpp"
#include "tasks/noisy_labels.hpp"
#include "tasks/random_layer.hpp"
#include "tasks/random_linear_attention.hpp"
#include "tasks/softmax_attention.hpp"

#include <optional>

namespace attest {

namespace {

constexpr Choices<std::optional<AgnosticKind>, 4> kRelabels{
    {{std::nullopt, "none"},
     {AgnosticKind::softmax, "softmax"},
     {AgnosticKind::coefficients, "coefficients"},
     {AgnosticKind::token_cubic, "token_cubic"}}};

/// What every task takes besides its own parameters.
std::vector<TaskParameter> with_common(std::vector<TaskParameter> own) {
    own.push_back({"relabel",
                   "none",
                   "labels of another function: none, softmax, coefficients or token_cubic"});
    own.push_back({"noise", "0", "standard deviation of Gaussian noise on the labels"});
    return own;
}

std::vector<TaskEntry> make_registry() {
    return {
        {"random-linear-attention",
         "Gaussian tokens labelled by planted heads, at the end or at every prefix (Fig 1, 3)",
         with_common(random_linear_attention_parameters()),
         read_random_linear_attention},
        {"random-layer",
         "a planted layer of the family: decays, windows, gates, cross, ... (attest layers)",
         with_common(random_layer_parameters()),
         read_random_layer},
        {"associative-memory",
         "keys, values and a query; Gaussian, orthogonal or a mixture of both (Fig 2)",
         with_common(associative_memory_parameters()),
         read_associative_memory},
        {"iid-entries",
         "independent entries from one law with exact moments (Lemma A.5)",
         with_common(iid_entries_parameters()),
         read_iid_entries},
        {"icl-regression",
         "linear regression in context: pairs (x, <w, x>) and a query (arXiv 2306.09927)",
         with_common(icl_regression_parameters()),
         read_icl_regression},
        {"softmax-attention",
         "a layer of softmax heads, labelled at every token (arXiv 2402.04084)",
         with_common(softmax_attention_parameters()),
         read_softmax_attention},
    };
}

}  // namespace

std::span<const TaskEntry> task_registry() {
    static const std::vector<TaskEntry> registry = make_registry();
    return registry;
}

const TaskEntry& task_named(std::string_view name) {
    std::vector<std::string> known;
    for (const TaskEntry& entry : task_registry()) {
        if (entry.name == name) {
            return entry;
        }
        known.emplace_back(entry.name);
    }
    throw UnknownName(unknown_name_message("task", name, known));
}

std::unique_ptr<Task> make_task(std::string_view name,
                                const std::map<std::string, std::string>& parameters,
                                const Stream& root) {
    const TaskEntry& entry = task_named(name);
    const ParameterReader reader(std::string(name), entry.parameters, parameters);
    const Stream stream = root.child(name);
    std::unique_ptr<Task> task = entry.read(reader, stream);
    if (const std::optional<AgnosticKind> kind = reader.choice("relabel", kRelabels)) {
        task = std::make_unique<AgnosticLabels>(std::move(task), *kind, stream.child("relabel"));
    }
    const double sigma = reader.real("noise", 0.0, 0x1p20);
    if (!is_zero(sigma)) {
        task = std::make_unique<NoisyLabels>(std::move(task), sigma, stream.child("noise"));
    }
    return task;
}

std::unique_ptr<Task> make_task(std::string_view name,
                                const std::map<std::string, std::string>& parameters,
                                std::uint64_t seed) {
    return make_task(name, parameters, Stream(seed));
}

}  // namespace attest
