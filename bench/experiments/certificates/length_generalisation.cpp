#include "bench/experiments/certificates/length_generalisation.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "core/base/text.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"
#include "record/cells.hpp"
#include "record/figure/figure.hpp"
#include "tasks/agnostic_labels.hpp"
#include "tasks/gaussian_population.hpp"
#include "tasks/iid_entries.hpp"
#include "tasks/teacher.hpp"

#include <cmath>

namespace attest {

// Trained at one length, asked at others: which labels a layer learned by least squares carries
// over to sequences of another number of tokens, with features that sum over the tokens or average
// them, and what the certificate of the training data says of that.
//
// Expected outcome: labels of a linear layer carry over exactly once λ_min(Λ_D) > 0, and noise
// causes the error that tr(Λ_n Λ_D⁻¹) predicts; at n = 1 there is no certificate and the error at
// other lengths is large. Labels outside the class (averages under summing features: relative error
// (n/n₀ − 1)²; a softmax head) are not covered, whatever the certificate.

namespace {

/// The lengths asked about; metrics error_n1, error_n2, … of a row belong to them.
constexpr std::array<Index, 7> kTestLengths{1, 2, 4, 8, 16, 32, 64};

/// Second moments of standard normal entries at every length asked about; cases share them.
using LengthMoments = LastProblem<Index, std::vector<Matrix>>;

std::vector<Matrix> length_moments(Index d) {
    std::vector<Matrix> moments;
    moments.reserve(kTestLengths.size());
    for (const Index n : kTestLengths) {
        moments.push_back(gaussian_second_moment(d, n));
    }
    return moments;
}

CaseOutcome measure(const LengthSetting& setting, LengthMoments& all_moments) {
    const LengthTraining training = length_training(setting);
    const Dataset& data = training.data;
    const TriangularFactor factor = triangular_factor(LengthSource(data, setting.features));
    const NumericalSpectrum spectrum = numerical_spectrum(factor);
    const Matrix P = fit_svd(factor, setting.d, {}).P;
    CaseOutcome outcome;
    outcome.metrics["train_relative"] = {
        empirical_risk(P, LengthSource(data, setting.features)).relative};
    outcome.metrics["lambda_min"] = {spectrum.lambda_min, spectrum.lambda_min_bound()};
    outcome.metrics["sigma"] = {training.sigma};
    outcome.metrics["rank"] = {static_cast<double>(spectrum.rank)};
    outcome.metrics["psi"] = {static_cast<double>(spectrum.psi)};
    const bool predictable = setting.labels == LengthLabels::linear_noisy &&
                             setting.features == LengthFeatures::sum && spectrum.nullity() == 0;
    const Matrix truth = length_truth(setting);
    for (std::size_t i = 0; i < kTestLengths.size(); ++i) {
        const Index n = kTestLengths[i];
        const Dataset test = length_test(setting, n);
        outcome.metrics[formatted("error_n{}", n)] = {
            empirical_risk(P, LengthSource(test, setting.features)).relative};
        if (predictable) {
            const auto moments = all_moments.of(setting.d);
            const Matrix& Lambda = moments->at(i);
            const double power = squared_distance(truth, Matrix::Zero(P.rows(), P.cols()), Lambda);
            outcome.metrics[formatted("predicted_n{}", n)] = {
                noise_excess(factor, Lambda, training.sigma, setting.d).mean / power};
        }
    }
    return outcome;
}

std::string length_text(std::pair<Index, Index> lengths) {
    return lengths.first == lengths.second ? std::to_string(lengths.first)
                                           : formatted("{}..{}", lengths.first, lengths.second);
}

Case length_case(const LengthSetting& setting, const std::shared_ptr<LengthMoments>& moments) {
    CaseKey key;
    key.task = "length_generalisation";
    key.parameters = {{"labels", std::string(name_of(kLengthLabels, setting.labels))},
                      {"train", length_text(setting.train)},
                      {"d", std::int64_t{setting.d}},
                      {"num_examples", std::int64_t{setting.N}}};
    key.learner = "minimum_norm";
    key.learner_parameters = {
        {"features", std::string(name_of(kLengthFeatures, setting.features))}};
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [setting, moments] { return measure(setting, *moments); }};
}

std::string title_of_labels(std::string_view labels) {
    return labels == "linear"         ? "a linear layer"
           : labels == "linear_noisy" ? "a linear layer"
           : labels == "averaged"     ? "an averaging layer"
                                      : "a softmax head";
}

/// One line for each labels, training lengths and features; medians over repetitions.
Table length_table(const std::vector<Row>& rows) {
    std::vector<GroupColumn> columns{{"rank", kThreeDigits},
                                     {"lambda_min", kThreeDigits, "λ_min(Λ_D), numerical"}};
    for (const Index n : kTestLengths) {
        columns.push_back(
            {formatted("error_n{}", n), kThreeDigits, formatted("error at n = {}", n)});
    }
    return group_table(
        rows, {"labels", {"train", "trained at n", Alignment::left}, "features"}, columns);
}

/// Measured error over the predicted one, where there is a prediction.
Table noise_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"trained at n", Alignment::left},
                     {"asked at n"},
                     {"predicted", Alignment::right, kThreeDigits},
                     {"measured", Alignment::right, kThreeDigits},
                     {"± standard error", Alignment::right, kThreeDigits}};
    const std::vector<Row> noisy =
        select_rows(select_rows(rows, "labels", "linear_noisy"), "features", "sum");
    for (const Index n : kTestLengths) {
        const std::vector<RowGroup> predicted =
            group_rows(noisy, {"train"}, formatted("predicted_n{}", n));
        const std::vector<RowGroup> measured =
            group_rows(noisy, {"train"}, formatted("error_n{}", n));
        for (std::size_t g = 0; g < predicted.size(); ++g) {
            if (predicted[g].summary.count > 0) {
                table.rows.push_back({key_cell(predicted[g], 0),
                                      std::to_string(n),
                                      cell_of(predicted[g], Statistic::mean),
                                      cell_of(measured[g], Statistic::mean),
                                      cell_of(measured[g], Statistic::standard_error)});
            }
        }
    }
    return table;
}

/// One curve for each training length; medians with the range over repetitions.
Panel labels_panel(const std::vector<Row>& rows,
                   std::string_view labels,
                   std::string_view features) {
    Panel panel;
    panel.title = formatted("labels: {}; features: {}", title_of_labels(labels), features);
    panel.x = {"tokens n of the sequences asked about", Scale::log10};
    panel.x.ticks.assign(kTestLengths.begin(), kTestLengths.end());
    panel.y = {"relative error", Scale::log10, labels == "softmax" ? 0.1 : 1e-5, 1e4};
    panel.legend = Legend::none;
    const std::vector<Row> mine =
        select_rows(select_rows(rows, "labels", labels), "features", features);
    for (const RowGroup& group : group_rows(mine, {"train"}, "rank")) {
        const std::string train = to_string(group.keys[0]);
        const std::vector<Row> curve = select_rows(mine, "train", train);
        Series series{"trained at n = " + train};
        for (const Index n : kTestLengths) {
            const Summary summary =
                group_rows(curve, {"train"}, formatted("error_n{}", n)).front().summary;
            if (summary.count > 0) {
                series.points.push_back(
                    {static_cast<double>(n), summary.median, summary.min, summary.max});
            }
        }
        panel.series.push_back(series);
    }
    // The label would meet curves in the other panels.
    panel.guides = {
        {Guide::Direction::horizontal, 1.0, labels == "linear_noisy" ? "zero function" : ""}};
    return panel;
}

Experiment make_length_generalisation(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"length_generalisation", profile, seed};
    const auto moments = std::make_shared<LengthMoments>(length_moments);
    for (const auto& [labels, label_name] : kLengthLabels) {
        for (const auto& [features, feature_name] : kLengthFeatures) {
            for (const std::pair<Index, Index>& train :
                 {std::pair<Index, Index>{1, 1}, {4, 4}, {16, 16}, {2, 16}}) {
                for (Index repetition = 0; repetition < (quick ? 5 : 20); ++repetition) {
                    LengthSetting setting;
                    setting.labels = labels;
                    setting.features = features;
                    setting.train = train;
                    setting.N = quick ? 800 : 4000;
                    setting.repetition = repetition;
                    setting.seed = seed;
                    experiment.cases.push_back(length_case(setting, moments));
                }
            }
        }
    }
    return experiment;
}

std::string length_generalisation_text(const std::vector<Row>& rows) {
    return "Relative errors at other lengths, medians over repetitions\n" +
           to_terminal(length_table(rows));
}

Derived length_generalisation_derived(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Trained at one length, asked at others";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.panel_height = 380;
    figure.legend = Legend::below;
    for (const auto& [features, name] : kLengthFeatures) {
        for (const char* labels : {"linear_noisy", "averaged", "softmax"}) {
            figure.panels.push_back(labels_panel(rows, labels, name));
        }
    }
    return {{{"length_generalisation", length_table(rows)},
             {"length_generalisation_noise", noise_table(rows)}},
            {{"length_generalisation", figure}}};
}

constexpr Index kTestSequences = 1000;
constexpr double kNoiseShare = 0.03;

Parameters planted(const LengthSetting& setting) {
    TeacherOptions teacher;
    teacher.d = setting.d;
    teacher.o = setting.d;
    teacher.heads = 2;
    return random_teacher(teacher, setting.stream().child("teacher"));
}

Matrix labels_of(const LengthSetting& setting, const Dataset& data) {
    const Parameters theta = planted(setting);
    if (setting.labels == LengthLabels::softmax) {
        Matrix y(setting.d, data.num_sequences());
        for (Index i = 0; i < y.cols(); ++i) {
            y.col(i) = softmax_label(theta.heads[0].V, theta.heads[0].Q, data.sequence(i));
        }
        return y;
    }
    const bool averaged = setting.labels == LengthLabels::averaged;
    return predict(coefficients(theta),
                   LengthSource(data, averaged ? LengthFeatures::mean : LengthFeatures::sum));
}

Dataset sequences(const LengthSetting& setting,
                  std::pair<Index, Index> lengths,
                  Index count,
                  const Stream& stream) {
    IidEntriesOptions options;
    options.d = setting.d;
    options.n = {lengths.first, lengths.second};
    Dataset data = materialise(*iid_entries(options, stream), 0, count, 1);
    data.y = labels_of(setting, data);
    data.labels = LabelKind::per_sequence;
    return data;
}

}  // namespace

ExperimentEntry length_generalisation() {
    return {.id = "length_generalisation",
            .summary = "trained at one length, asked at others: what the certificate promises",
            .quick_seconds = 5.0,
            .full_seconds = 25.0,
            .make = make_length_generalisation,
            .text = length_generalisation_text,
            .derive_numbered = length_generalisation_derived};
}

Stream LengthSetting::stream() const {
    return Stream(seed).child("length_generalisation").child(repetition);
}

LengthTraining length_training(const LengthSetting& setting) {
    LengthTraining training;
    Dataset& data = training.data;
    data = sequences(setting, setting.train, setting.N, setting.stream().child("train"));
    if (setting.labels != LengthLabels::linear) {
        training.sigma =
            kNoiseShare * std::sqrt(data.y.squaredNorm() / static_cast<double>(data.y.size()));
        data.y += training.sigma *
                  grid_matrix(
                      grid_normal(), data.y.rows(), data.y.cols(), setting.stream().child("noise"));
    }
    return training;
}

Dataset length_test(const LengthSetting& setting, Index n) {
    return sequences(setting, {n, n}, kTestSequences, setting.stream().child("test"));
}

Matrix length_truth(const LengthSetting& setting) {
    return coefficients(planted(setting));
}

LengthSource::LengthSource(const Dataset& data, LengthFeatures features)
    : batch_(sequence_moments<double>(data, 0, data.num_sequences())) {
    if (features == LengthFeatures::mean) {
        for (Index i = 0; i < batch_.S.cols(); ++i) {
            batch_.S.col(i) /= static_cast<double>(data.length(i));
        }
    }
}

SourceShape LengthSource::shape() const {
    return {batch_.u.rows(), batch_.y.rows(), batch_.size(), 1};
}

}  // namespace attest
