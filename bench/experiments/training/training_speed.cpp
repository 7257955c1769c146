#include "bench/experiments/training/training_speed.hpp"

#include "bench/experiments/frame/report_files.hpp"
#include "bench/experiments/frame/scratch_folder.hpp"
#include "bench/experiments/training/training_problem.hpp"
#include "core/base/child_process.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/train/heads_moments.hpp"
#include "core/train/heads_residual.hpp"
#include "core/train/train.hpp"
#include "record/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>

namespace attest {

namespace {

constexpr Index kBatch = 32;
constexpr Index kOurUpdates = 2000;
constexpr Index kPeerUpdates = 100;

/// What is trained, and who trains it.
struct SpeedCase {
    TrainingSetting setting;
    Index heads;
    std::string contender;
};

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <class Model>
CaseOutcome time_model(const SpeedCase& one) {
    const std::shared_ptr<const TrainingProblem> problem = training_problem(one.setting);
    const PrefixData<double> data = prefix_data<double>(problem->training);
    const Model model(data, one.heads);
    TrainOptions options;
    options.updates = kOurUpdates;
    options.batch_size = kBatch;
    options.curve_points = 1;
    // The losses at both ends are outside the training's own clock; the processor's has them, so
    // they are taken on one sequence.
    const PrefixData<double> little = prefix_data<double>(subset(problem->training, 0, 1));
    const Stream stream = Stream(one.setting.seed).child("training_speed");
    const double before = processor_seconds();
    const TrainResult<double> result = train(model, little, options, stream);
    const double processor = processor_seconds() - before;
    const auto updates = static_cast<double>(kOurUpdates);
    CaseOutcome outcome;
    outcome.metrics["seconds"] = {result.seconds / updates, {}, "s"};
    outcome.metrics["cpu_seconds"] = {processor / updates, {}, "s"};
    outcome.metrics["error_before"] = {model.loss(model.start(stream.child("start")), data)};
    outcome.metrics["error_after"] = {model.loss(result.theta, data)};
    return outcome;
}

CaseOutcome time_peer(const SpeedCase& one) {
    const ScratchFolder folder;
    const std::string file = (folder.path() / "data.npz").string();
    write_dataset(file, training_problem(one.setting)->training, Compression::stored);
    const ChildResult child = run_child({"/usr/bin/python3",
                                         formatted("{}/train_peer.py", ATTEST_PEERS_FOLDER),
                                         one.contender,
                                         file,
                                         std::to_string(one.heads),
                                         std::to_string(kPeerUpdates),
                                         std::to_string(kBatch)},
                                        {{"OMP_NUM_THREADS", "1"},
                                         {"OPENBLAS_NUM_THREADS", "1"},
                                         {"OPENBLAS_CORETYPE", std::nullopt}});
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

CaseOutcome measure(const SpeedCase& one) {
    return one.contender == "moments"     ? time_model<HeadsMoments<double>>(one)
           : one.contender == "residuals" ? time_model<HeadsResidual<double>>(one)
                                          : time_peer(one);
}

constexpr std::array kContenders{
    "moments", "residuals", "torch_heads", "torch_coefficients", "torch_moments"};

/// Least seconds a contender took for an update; infinite where no round ended well.
double least(const std::vector<Row>& rows, const std::string& contender, const char* metric) {
    double seconds = std::numeric_limits<double>::infinity();
    for (const Row& row : select_rows(rows, "learner", contender)) {
        if (row.status == RowStatus::ok) {
            seconds = std::min(seconds, row.metrics.at(metric).value);
        }
    }
    return seconds;
}

Table speed_table(const std::vector<Row>& rows) {
    const NumberFormat three{NumberFormat::Style::significant, 3};
    Table table;
    table.columns = {{"d"},
                     {"heads"},
                     {"contender", Alignment::left},
                     {"µs an update", Alignment::right, three},
                     {"processor µs", Alignment::right, three},
                     {"processor time, moments = 1", Alignment::right, three}};
    for (const RowGroup& size : group_rows(rows, {"d", "heads"}, "seconds")) {
        const std::vector<Row> mine = select_rows(
            select_rows(rows, "d", to_string(size.keys[0])), "heads", to_string(size.keys[1]));
        const double unit = least(mine, "moments", "cpu_seconds");
        for (const char* contender : kContenders) {
            const double wall = least(mine, contender, "seconds");
            const double processor = least(mine, contender, "cpu_seconds");
            if (wall < std::numeric_limits<double>::infinity()) {
                table.rows.push_back({std::get<std::int64_t>(size.keys[0]),
                                      std::get<std::int64_t>(size.keys[1]),
                                      std::string(contender),
                                      1e6 * wall,
                                      1e6 * processor,
                                      processor / unit});
            }
        }
    }
    return table;
}

}  // namespace

Experiment make_training_speed(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"training_speed", profile, seed};
    const std::vector<Index> head_counts =
        quick ? std::vector<Index>{16} : std::vector<Index>{1, 4, 16, 64};
    for (const Index heads : head_counts) {
        for (Index round = 0; round < (quick ? 2 : 5); ++round) {
            for (const char* contender : kContenders) {
                const SpeedCase one{{4, quick ? 256 : 2048, seed, 0}, heads, contender};
                CaseKey key = training_key(one.setting);
                key.learner = contender;
                key.learner_parameters = {{"heads", std::int64_t{heads}},
                                          {"batch_size", std::int64_t{kBatch}},
                                          {"threads", std::int64_t{1}}};
                key.repetition = round;
                experiment.cases.push_back({key, [one] { return measure(one); }});
            }
        }
    }
    return experiment;
}

std::string training_speed_text(const std::vector<Row>& rows) {
    return "One update of Adam, batch 32, double, one thread, the fastest round\n" +
           to_terminal(speed_table(rows));
}

std::vector<std::filesystem::path> derive_training_speed(const std::vector<Row>& rows,
                                                         const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    write_table(speed_table(rows), folder / "tables" / "training_speed", files);
    return files;
}

}  // namespace attest
