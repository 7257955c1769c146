#include "tasks/task.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/parallel.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace attest {

namespace {

constexpr Index kChunk = 64;           // sequences a thread takes at a time
constexpr Index kBlockExamples = 256;  // examples in a block of TaskSource, about
constexpr double kTrialSeconds = 0.1;  // trial draws end after it

void require_range(const Task& task, Index first, Index count) {
    require(first >= 0 && count >= 1,
            "task {}: got {} sequences from {}, expected at least 1 from at least 0",
            task.description().name,
            count,
            first);
}

/// Calls body(i) for i = 0 … count−1 in chunks.
void for_each_sequence(Index count, int threads, const std::function<void(Index)>& body) {
    parallel_for((count + kChunk - 1) / kChunk, threads, [&](Index chunk) {
        const Index last = std::min(count, (chunk + 1) * kChunk);
        for (Index i = chunk * kChunk; i < last; ++i) {
            body(i);
        }
    });
}

std::vector<Index> token_offsets(const Task& task, Index first, Index count, int threads) {
    std::vector<Index> offsets(static_cast<std::size_t>(count) + 1, 0);
    for_each_sequence(count, threads, [&](Index i) {
        offsets[static_cast<std::size_t>(i) + 1] = task.length(first + i);
    });
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        offsets[i] += offsets[i - 1];
    }
    return offsets;
}

std::string meta_text(const Task& task, const TaskTraits& traits, Index first, Index count) {
    const TaskDescription description = task.description();
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    for (const auto& [name, value] : description.parameters) {
        parameters[name] = value;
    }
    const nlohmann::ordered_json meta{{"task", description.name},
                                      {"parameters", parameters},
                                      {"stream", description.stream},
                                      {"first", first},
                                      {"count", count},
                                      {"realisable", traits.realisable},
                                      {"bitwise", traits.bitwise}};
    return meta.dump();
}

/// Room for what the layer reads beside the tokens.
LayerColumns empty_columns(const TaskTraits& traits, Index num_tokens, Index num_examples) {
    const Layer& layer = traits.layer;
    const LayerInput& input = traits.input;
    LayerColumns columns;
    if (layer.cross) {
        columns.x.resize(input.x, num_examples);
    }
    if (layer.form == TokenForm::mapped) {
        columns.phi.resize(input.phi, num_tokens);
    }
    if (layer.form == TokenForm::delta) {
        columns.keys.resize(input.phi, num_tokens);
        columns.beta.resize(1, num_tokens);
    }
    if (layer.gates != GateForm::none) {
        columns.gates.resize(gate_rows(layer, input), num_tokens);
    }
    if (layer.form == TokenForm::supplied) {
        columns.s.resize(input.state, num_examples);
        columns.u.resize(input.query, num_examples);
    }
    return columns;
}

void place_columns(const LayerColumns& drawn, Dataset& data, Index i) {
    const Index token = data.first_token(i);
    const Index example = data.first_example(i);
    const auto copy = [](const Matrix& from, Matrix& to, Index first) {
        if (from.size() > 0) {  // what the layer does not read has no columns to place
            to.middleCols(first, from.cols()) = from;
        }
    };
    copy(drawn.x, data.columns.x, example);
    copy(drawn.phi, data.columns.phi, token);
    copy(drawn.gates, data.columns.gates, token);
    copy(drawn.s, data.columns.s, example);
    copy(drawn.u, data.columns.u, example);
    copy(drawn.keys, data.columns.keys, token);
    copy(drawn.beta, data.columns.beta, token);
}

/// Draws sequence first+i into its place.
void place(const Task& task, const TaskTraits& traits, Index first, Index i, Dataset& data) {
    const Sequence drawn = task.draw(first + i);
    const Index start = data.first_token(i);
    ensure(drawn.Z.rows() == traits.d && drawn.Z.cols() == data.length(i) &&
               drawn.Z.cols() <= traits.max_length,
           formatted("task {}: Z is not as announced", task.description().name));
    data.tokens.own().middleCols(start, drawn.Z.cols()) = drawn.Z;
    place_columns(drawn.columns, data, i);
    if (traits.labels == LabelKind::none) {
        return;
    }
    const bool prefixes = traits.labels == LabelKind::per_prefix;
    ensure(drawn.y.rows() == traits.o && drawn.y.cols() == (prefixes ? drawn.Z.cols() : 1),
           formatted("task {}: y is not as announced", task.description().name));
    data.y.middleCols(prefixes ? start : i, drawn.y.cols()) = drawn.y;
}

/// materialise without truth and meta.
Dataset drawn_sequences(const Task& task, Index first, Index count, int threads) {
    const TaskTraits traits = task.traits();
    Dataset data;
    data.offsets = token_offsets(task, first, count, threads);
    data.labels = traits.labels;
    const Index num_tokens = data.offsets.back();
    const Index num_examples = traits.labels == LabelKind::per_prefix ? num_tokens : count;
    const Index num_labels = traits.labels == LabelKind::none ? 0 : num_examples;
    const Index widest = std::max({traits.input.x, traits.input.phi, traits.d});
    const Index doubles = (traits.d + (traits.layer.is_linear() ? 0 : 2 * widest)) * num_tokens +
                          traits.o * num_labels;
    require_memory(8.0 * static_cast<double>(doubles),
                   formatted("task {}", task.description().name),
                   "ask for fewer or shorter sequences");
    data.layer = traits.layer;
    data.columns = empty_columns(traits, num_tokens, num_examples);
    data.tokens = Matrix(traits.d, num_tokens);
    data.y.resize(num_labels == 0 ? 0 : traits.o, num_labels);
    for_each_sequence(count, threads, [&](Index i) { place(task, traits, first, i, data); });
    return data;
}

constexpr Index kLongestSequence = Index{1} << 24;

}  // namespace

Dataset materialise(const Task& task, Index first, Index count, int threads) {
    require_range(task, first, count);
    Dataset data = drawn_sequences(task, first, count, threads);
    data.truth = task.truth();
    data.meta = meta_text(task, task.traits(), first, count);
    return data;
}

double drawing_seconds(const Task& task, Index first, Index count, int threads) {
    require_range(task, first, count);
    if (count < kTrialDraws) {
        return 0.0;
    }
    const Timer timer;
    Index drawn = 0;
    while (drawn < kTrialDraws && timer.cpu_seconds() < kTrialSeconds) {
        (void)task.draw(first + drawn * (count / kTrialDraws));
        ++drawn;
    }
    return timer.cpu_seconds() / static_cast<double>(drawn) * static_cast<double>(count) / threads;
}

TaskSource::TaskSource(const Task& task, Index first, Index count)
    : task_(task), first_(first), count_(count) {
    require_range(task, first, count);
    const TaskTraits traits = task.traits();
    const bool prefixes = traits.labels == LabelKind::per_prefix;
    sequences_per_block_ =
        prefixes ? std::max<Index>(1, kBlockExamples / traits.max_length) : kBlockExamples;
    shape_.layout =
        traits.layer.is_linear() ? FeatureLayout(traits.d) : layout_of(traits.layer, traits.input);
    shape_.o = traits.labels == LabelKind::none ? 0 : traits.o;
    shape_.num_blocks = (count + sequences_per_block_ - 1) / sequences_per_block_;
    shape_.num_examples = count;
    if (prefixes) {
        shape_.num_examples = 0;
        for (Index i = 0; i < count; ++i) {
            shape_.num_examples += task.length(first + i);
        }
    }
}

MomentBatch TaskSource::block(Index b) const {
    require(b >= 0 && b < shape_.num_blocks,
            "task source: got block {}, expected 0 to {}",
            b,
            shape_.num_blocks - 1);
    const Index start = b * sequences_per_block_;
    const Index count = std::min(sequences_per_block_, count_ - start);
    return sequence_moments<double>(drawn_sequences(task_, first_ + start, count, 1), 0, count);
}

std::string to_string(const LengthRange& range) {
    return range.shortest == range.longest ? std::to_string(range.shortest)
                                           : formatted("{}..{}", range.shortest, range.longest);
}

ParameterReader::ParameterReader(std::string task,
                                 std::vector<TaskParameter> known,
                                 std::map<std::string, std::string> given)
    : task_(std::move(task)), known_(std::move(known)), given_(std::move(given)) {
    std::vector<std::string> names;
    for (const TaskParameter& parameter : known_) {
        names.push_back(parameter.name);
    }
    for (const auto& [name, value] : given_) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            throw UnknownName(unknown_name_message("parameter of " + task_, name, names));
        }
    }
}

const std::string& ParameterReader::text(const std::string& name) const {
    const auto found = given_.find(name);
    if (found != given_.end()) {
        return found->second;
    }
    for (const TaskParameter& parameter : known_) {
        if (parameter.name == name) {
            return parameter.default_value;
        }
    }
    throw BrokenInvariant(where(name) + " is not in the table");
}

Index ParameterReader::integer(const std::string& name, Index lowest, Index highest) const {
    const std::optional<Index> value = parse_number<Index>(text(name));
    require(value && *value >= lowest && *value <= highest,
            "{}: got '{}', expected an integer from {} to {}",
            where(name),
            text(name),
            lowest,
            highest);
    return *value;
}

double ParameterReader::real(const std::string& name, double lowest, double highest) const {
    const std::optional<double> value = parse_number<double>(text(name));
    require(value && *value >= lowest && *value <= highest,
            "{}: got '{}', expected a number from {} to {}",
            where(name),
            text(name),
            round_trip(lowest),
            round_trip(highest));
    return *value;
}

LengthRange ParameterReader::lengths(const std::string& name) const {
    const std::string_view value = text(name);
    const std::size_t dots = value.find("..");
    const std::optional<Index> shortest = parse_number<Index>(value.substr(0, dots));
    const std::optional<Index> longest =
        dots == std::string_view::npos ? shortest : parse_number<Index>(value.substr(dots + 2));
    require(shortest && longest && *shortest >= 1 && *shortest <= *longest &&
                *longest <= kLongestSequence,
            "{}: got '{}', expected a length such as 16 or 4..32",
            where(name),
            value);
    return {*shortest, *longest};
}

std::string ParameterReader::where(const std::string& name) const {
    return "task " + task_ + ": " + name;
}

}  // namespace attest
