#include "bench/experiments/training_problem.hpp"

#include "tasks/random_linear_attention.hpp"

#include <cmath>

namespace attest {

namespace {

std::shared_ptr<const TrainingProblem> draw(const TrainingSetting& setting) {
    RandomLinearAttentionOptions options;
    options.d = setting.d;
    options.o = 1;
    options.n = {kTrainingLength, kTrainingLength};
    options.heads = 1;
    options.labels = LabelKind::per_prefix;
    options.input_scale = 1.0 / std::sqrt(static_cast<double>(kTrainingLength));
    const auto task = random_linear_attention(
        options, Stream(setting.seed).child("training").child(setting.repetition));
    auto problem = std::make_shared<TrainingProblem>();
    problem->held_out = materialise(*task, 0, kHeldOutSequences, 1);
    problem->training = materialise(*task, kHeldOutSequences, setting.num_sequences, 1);
    return problem;
}

}  // namespace

std::shared_ptr<const TrainingProblem> training_problem(const TrainingSetting& setting) {
    static TrainingSetting last;
    static std::shared_ptr<const TrainingProblem> kept;
    if (!kept || !(last == setting)) {
        kept = draw(setting);
        last = setting;
    }
    return kept;
}

CaseKey training_key(const TrainingSetting& setting) {
    CaseKey key;
    key.task = "random_linear_attention";
    key.parameters = {{"d", std::int64_t{setting.d}},
                      {"num_sequences", std::int64_t{setting.num_sequences}}};
    key.seed = setting.seed;
    key.repetition = setting.repetition;
    key.stream = Stream(setting.seed).child("training").child(setting.repetition).path();
    return key;
}

}  // namespace attest
