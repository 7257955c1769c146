#include "tasks/random_linear_attention.hpp"

#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "tasks/iid_entries.hpp"

#include <cmath>

namespace attest {

namespace {

TaskDescription describe(const RandomLinearAttentionOptions& options) {
    return {"random-linear-attention",
            {{"d", std::to_string(options.d)},
             {"o", options.o == 0 ? "d" : std::to_string(options.o)},
             {"n", to_string(options.n)},
             {"heads", std::to_string(options.heads)},
             {"labels", std::string(to_string(options.labels))},
             {"teacher", std::string(name_of(kTeacherKinds, options.teacher))},
             {"teacher_scale", round_trip(options.teacher_scale)},
             {"input_scale", round_trip(options.input_scale)}},
            {}};
}

}  // namespace

RandomLinearAttentionOptions figure_1_options(Index d, Index n) {
    RandomLinearAttentionOptions options;
    options.d = d;
    options.o = 1;
    options.n = {n, n};
    options.heads = 1;
    options.labels = LabelKind::per_prefix;
    options.input_scale = 1.0 / std::sqrt(static_cast<double>(n));
    return options;
}

std::unique_ptr<Task> random_linear_attention(const RandomLinearAttentionOptions& options,
                                              const Stream& stream) {
    require(options.labels != LabelKind::none,
            "task random-linear-attention: got labels none, expected per_sequence or per_prefix");
    TeacherOptions teacher;
    teacher.d = options.d;
    teacher.o = options.o == 0 ? options.d : options.o;
    teacher.heads = options.heads;
    teacher.kind = options.teacher;
    teacher.scale = options.teacher_scale;
    return std::make_unique<EntrySequences>(
        EntrySequencesSpec{describe(options),
                           options.d,
                           grid_normal().scaled(options.input_scale),
                           options.n,
                           random_teacher(teacher, stream.child("teacher")),
                           options.labels},
        stream);
}

std::vector<TaskParameter> random_linear_attention_parameters() {
    return {{"d", "4", "rows of a token"},
            {"o", "d", "outputs; d or a number"},
            {"n", "16", "tokens in a sequence; 16, or 4..32 for lengths drawn uniformly"},
            {"heads", "3", "planted heads"},
            {"labels", "per_sequence", "per_sequence, or per_prefix: one label after every token"},
            {"teacher", "normalised", "plain, normalised (|V| = sqrt o, |Q| = sqrt d) or small"},
            {"teacher_scale", "1", "factor of every entry of V and Q"},
            {"input_scale", "1", "standard deviation of the tokens' entries"}};
}

std::unique_ptr<Task> read_random_linear_attention(const ParameterReader& reader,
                                                   const Stream& stream) {
    RandomLinearAttentionOptions options;
    options.d = reader.integer("d", 1, kLargestDimension);
    options.o = reader.text("o") == "d" ? 0 : reader.integer("o", 1, kLargestDimension);
    options.n = reader.lengths("n");
    options.heads = reader.integer("heads", 1, kMostHeads);
    options.labels = reader.choice("labels", kLabelKinds);
    options.teacher = reader.choice("teacher", kTeacherKinds);
    options.teacher_scale = reader.real("teacher_scale", 0x1p-10, 0x1p10);
    options.input_scale = reader.real("input_scale", 0x1p-20, 0x1p10);
    return random_linear_attention(options, stream);
}

}  // namespace attest
