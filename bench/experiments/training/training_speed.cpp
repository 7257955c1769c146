#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/training/training_cases.hpp"
#include "core/base/child_process.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/data/dataset_file.hpp"
#include "core/train/heads_model.hpp"
#include "core/train/train.hpp"
#include "record/cells.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attest {

// How fast one layer of linear attention is trained: our engine, through residuals and through
// moments, beside torch on the same data, batch size, precision and number of threads. An update is
// a gradient and a step of Adam; what does not change during training is prepared before.
//
// Expected outcome: the engine's moments make at least 50 updates in the time of one of torch's
// over heads and prefixes (d = 4, H = 16). Torch gains from moments too, but a step over so few
// numbers is mostly the price of its calls.

namespace {

constexpr Index kSpeedBatch = 32;
constexpr Index kOurUpdates = 2000;
constexpr Index kPeerUpdates = 100;

/// What is trained, and who trains it.
struct SpeedCase {
    TrainingSetting setting;
    Index heads;
    std::string contender;
};

template <class Model>
CaseOutcome time_model(const SpeedCase& one, TrainingProblems& problems) {
    const std::shared_ptr<const TrainingProblem> problem = problems.of(one.setting);
    const PrefixData<double> data = prefix_data<double>(problem->training);
    const Model model(data, one.heads);
    TrainOptions options;
    options.updates = kOurUpdates;
    options.batch_size = kSpeedBatch;
    options.curve_points = 1;
    // The losses at both ends are outside the training's own clock; the processor's has them, so
    // they are taken on one sequence.
    const PrefixData<double> little = prefix_data<double>(subset(problem->training, 0, 1));
    const Stream stream = Stream(one.setting.seed).child("training_speed");
    const Timer timer;
    const TrainResult<double> result = train(model, little, options, stream);
    const double processor = timer.cpu_seconds();
    const auto updates = static_cast<double>(kOurUpdates);
    CaseOutcome outcome;
    outcome.metrics["seconds"] = {result.seconds / updates, {}, "s"};
    outcome.metrics["cpu_seconds"] = {processor / updates, {}, "s"};
    outcome.metrics["error_before"] = {model.loss(model.start(stream.child("start")), data)};
    outcome.metrics["error_after"] = {model.loss(result.theta, data)};
    return outcome;
}

CaseOutcome time_peer(const SpeedCase& one, TrainingProblems& problems) {
    const TemporaryDirectory folder;
    const std::string file = folder.file("data.npz");
    write_dataset(file, problems.of(one.setting)->training, Compression::stored);
    const ChildResult child = run_child({"/usr/bin/python3",
                                         formatted("{}/train_peer.py", ATTEST_PEERS_FOLDER),
                                         one.contender,
                                         file,
                                         std::to_string(one.heads),
                                         std::to_string(kPeerUpdates),
                                         std::to_string(kSpeedBatch)},
                                        {{"OMP_NUM_THREADS", "1"}, {"OPENBLAS_NUM_THREADS", "1"}});
    if (child.code == 5) {
        throw NotAvailable(formatted("{}: torch is not installed", one.contender));
    }
    const auto answer = nlohmann::json::parse(child.out, nullptr, false);
    if (child.code != 0 || !answer.is_object()) {
        throw EnvironmentFailure(formatted("{}: ended with code {}", one.contender, child.code));
    }
    CaseOutcome outcome;
    outcome.metrics["seconds"] = {answer.at("seconds_per_update"), {}, "s"};
    outcome.metrics["cpu_seconds"] = {answer.at("cpu_seconds_per_update"), {}, "s"};
    outcome.metrics["error_before"] = {answer.at("error_before")};
    outcome.metrics["error_after"] = {answer.at("error_after")};
    outcome.message = answer.at("version");
    return outcome;
}

CaseOutcome measure(const SpeedCase& one, TrainingProblems& problems) {
    return one.contender == "moments"     ? time_model<HeadsMoments<double>>(one, problems)
           : one.contender == "residuals" ? time_model<HeadsResidual<double>>(one, problems)
                                          : time_peer(one, problems);
}

constexpr std::array kContenders{
    "moments", "residuals", "torch_heads", "torch_coefficients", "torch_moments"};

/// Least seconds a contender took for an update; infinite where no round ended well.
double least(const std::vector<Row>& rows, const std::string& contender, const char* metric) {
    double seconds = std::numeric_limits<double>::infinity();
    for (const Row& row : select_rows(rows, "learner", contender)) {
        seconds = std::min(seconds, finite_metric(row, metric).value_or(seconds));
    }
    return seconds;
}

/// The fastest round in microseconds.
Cell microseconds(const std::vector<Row>& rows, const std::string& contender, const char* metric) {
    return computed_cell(select_rows(rows, "learner", contender),
                         std::string("10⁶ · least ") + metric,
                         [=](const auto& mine) { return 1e6 * least(mine, contender, metric); });
}

Table speed_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"d"},
                     {"heads"},
                     {"contender", Alignment::left},
                     {"µs an update", Alignment::right, kThreeDigits},
                     {"processor µs", Alignment::right, kThreeDigits},
                     {"processor time, moments = 1", Alignment::right, kThreeDigits}};
    for (const RowGroup& size : group_rows(rows, {"d", "heads"}, "seconds")) {
        const std::vector<Row> mine = select_rows(
            select_rows(rows, "d", to_string(size.keys[0])), "heads", to_string(size.keys[1]));
        for (const std::string& contender : distinct_values(mine, "learner")) {
            if (std::isinf(least(mine, contender, "seconds"))) {
                continue;
            }
            std::vector<Row> both = select_rows(mine, "learner", contender);
            if (contender != "moments") {
                const std::vector<Row> unit = select_rows(mine, "learner", "moments");
                both.insert(both.end(), unit.begin(), unit.end());
            }
            table.rows.push_back(
                {key_cell(size, 0),
                 key_cell(size, 1),
                 contender,
                 microseconds(mine, contender, "seconds"),
                 microseconds(mine, contender, "cpu_seconds"),
                 computed_cell(both, "ratio of least cpu_seconds", [=](const auto& of) {
                     return least(of, contender, "cpu_seconds") /
                            least(of, "moments", "cpu_seconds");
                 })});
        }
    }
    return table;
}

Experiment make_training_speed(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"training_speed", profile, seed};
    const auto problems = std::make_shared<TrainingProblems>(training_problem);
    const std::vector<Index> head_counts =
        quick ? std::vector<Index>{16} : std::vector<Index>{1, 4, 16, 64};
    for (const Index heads : head_counts) {
        for (Index round = 0; round < (quick ? 2 : 5); ++round) {
            for (const char* contender : kContenders) {
                const SpeedCase one{{4, quick ? 256 : 2048, seed, 0}, heads, contender};
                CaseKey key = training_key(one.setting);
                key.learner = contender;
                key.learner_parameters = {{"heads", std::int64_t{heads}},
                                          {"batch_size", std::int64_t{kSpeedBatch}},
                                          {"threads", std::int64_t{1}}};
                key.repetition = round;
                experiment.cases.push_back(
                    {key, [one, problems] { return measure(one, *problems); }});
            }
        }
    }
    return experiment;
}

std::string training_speed_text(const std::vector<Row>& rows) {
    return "One update of Adam, batch 32, double, one thread, the fastest round\n" +
           to_terminal(speed_table(rows));
}

Derived training_speed_derived(const std::vector<Row>& rows) {
    return {.tables = {{"training_speed", speed_table(rows)}}};
}

}  // namespace

ExperimentEntry training_speed() {
    return {.id = "training_speed",
            .summary = "updates of one layer of heads: our engine beside torch",
            .quick_seconds = 12.0,
            .full_seconds = 150.0,
            .make = make_training_speed,
            .text = training_speed_text,
            .derive_numbered = training_speed_derived,
            .topic = Topic::solvers,
            .timed = true};
}

}  // namespace attest
