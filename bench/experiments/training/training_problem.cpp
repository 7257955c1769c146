#include "bench/experiments/training/training_problem.hpp"

#include "tasks/random_linear_attention.hpp"

namespace attest {

namespace {

std::shared_ptr<const TrainingProblem> draw(const TrainingSetting& setting) {
    const auto task =
        random_linear_attention(figure_1_options(setting.d, kTrainingLength),
                                Stream(setting.seed).child("training").child(setting.repetition));
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
