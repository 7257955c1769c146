#include "bench/experiments/training/training_problem.hpp"

#include "tasks/random_linear_attention.hpp"

namespace attest {

TrainingProblem training_problem(const TrainingSetting& setting) {
    const auto task =
        random_linear_attention(figure_1_options(setting.d, kTrainingLength),
                                Stream(setting.seed).child("training").child(setting.repetition));
    return {.training = materialise(*task, kHeldOutSequences, setting.num_sequences, 1),
            .held_out = materialise(*task, 0, kHeldOutSequences, 1)};
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
