#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "bench/experiments/text/grouped_windows.hpp"
#include "bench/experiments/text/learners.hpp"
#include "bench/experiments/text/text_tables.hpp"
#include "core/base/memory.hpp"
#include "core/base/timer.hpp"
#include "record/cells.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attest {

// A layer as wide as its vocabulary: one-hot tokens, windows of four words, the next word's unit
// vector as label. Least squares splits by the word that asks (one_hot_layer.hpp), so ψ = V²(V +
// 1)/2 is no obstacle.
//
// Expected outcome: V = 300 takes seconds, V = 1000 less than two minutes. The minimiser of least
// norm has no training error to speak of and is bad; with a ridge towards the smoothed bigram the
// layer beats a tuned bigram and ties a tuned trigram.
//
// The certificate splits in the same way. Expected outcome: one-hot words are never certified;
// words as ternary codes are where every word that asks has d(d+1)/2 types before it, which takes
// longer windows at d = 32 and more types than the licences have words at d = 64.

namespace {

CaseOutcome measure_wide(const WideProblem& problem, const std::string& learner) {
    const Timer timer;
    const WideLearned learned = learn_wide(problem, learner);
    const double seconds = timer.cpu_seconds();
    const WideScore test = wide_score(problem.test, learned.predict);
    const auto count = static_cast<double>(problem.test.size());
    CaseOutcome outcome;
    outcome.metrics = learned.chosen;
    outcome.metrics["learn_cpu_seconds"] = {seconds, {}, "s"};
    outcome.metrics["peak_bytes"] = {peak_resident_bytes(), {}, "bytes"};
    outcome.metrics["psi"] = exact_metric(feature_dim(problem.vocabulary));
    outcome.metrics["train_risk"] = {wide_score(problem.train, learned.predict).risk};
    outcome.metrics["test_risk"] = {test.risk};
    outcome.metrics["accuracy"] = {test.accuracy};
    outcome.metrics["accuracy_error"] = {std::sqrt(test.accuracy * (1.0 - test.accuracy) / count)};
    outcome.metrics["shared_8grams"] = {problem.shared_8grams};
    return outcome;
}

/// Those of the learners: the others certify.
std::vector<Row> learned_rows(const std::vector<Row>& rows) {
    std::vector<Row> learned;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(learned), [](const Row& row) {
        return row.key.learner != kGroupedCertificate;
    });
    return learned;
}

Table wide_table(const std::vector<Row>& rows) {
    const NumberFormat four{NumberFormat::Style::fixed, 4};
    return group_table(learned_rows(rows),
                       {{"vocabulary", "V"}, {"learner"}},
                       {{"psi", kThreeDigits, "ψ"},
                        {"train_risk", four, "training risk", Statistic::mean},
                        {"test_risk", four, "test risk", Statistic::mean},
                        {"test_risk", four, "± s.e.", Statistic::standard_error},
                        {"accuracy", four, "accuracy", Statistic::mean},
                        {"accuracy", four, "± s.e.", Statistic::standard_error},
                        {"accuracy_error", four, "± of one sample", Statistic::mean},
                        {"ridge", kThreeDigits, "ridge"},
                        {"learn_cpu_seconds", kThreeDigits, "CPU s", Statistic::mean}});
}

Experiment make_wide(Profile profile, std::uint64_t seed, const std::string& path) {
    const bool quick = profile == Profile::quick;
    Experiment experiment = text_experiment("text_wide", profile, seed, path);
    const auto problems = std::make_shared<LastProblem<WideSetting, WideProblem>>(wide_problem);
    for (const Index vocabulary :
         quick ? std::vector<Index>{100} : std::vector<Index>{100, 300, 1000}) {
        for (Index repetition = 0; repetition < 2; ++repetition) {
            for (const char* learner :
                 {"unigram", "bigram", "trigram", "least_norm", "ridge", "ridge_to_bigram"}) {
                const WideSetting setting{path, vocabulary, repetition, seed};
                CaseKey key;
                key.task = "text";
                key.parameters = {{"text", text_name(path)},
                                  {"vocabulary", std::int64_t{vocabulary}},
                                  {"n", std::int64_t{kWideWindow}}};
                key.learner = learner;
                key.seed = seed;
                key.stream = Stream(seed).child("text").path();
                key.repetition = repetition;
                experiment.cases.push_back({key, [=, name = std::string(learner)] {
                                                return measure_wide(*problems->of(setting), name);
                                            }});
            }
        }
    }
    for (Case& grouped : grouped_cases(profile, seed, path)) {
        experiment.cases.push_back(std::move(grouped));
    }
    return experiment;
}

}  // namespace

ExperimentEntry text_wide(const std::string& path) {
    return {.id = "text_wide",
            .summary = "real text: one-hot tokens, least squares word by word, against n-grams",
            .quick_seconds = 11.0,
            .full_seconds = 160.0,
            .make = [path](Profile profile,
                           std::uint64_t seed) { return make_wide(profile, seed, path); },
            .text =
                [](const std::vector<Row>& rows) {
                    return leak_line(rows) + to_terminal(wide_table(rows)) +
                           to_terminal(grouped_certificates_table(rows));
                },
            .derive_numbered =
                [](const std::vector<Row>& rows) {
                    return Derived{{{"text_wide", wide_table(rows)},
                                    {"text_wide_grouped", grouped_certificates_table(rows)}},
                                   {}};
                }};
}

}  // namespace attest
