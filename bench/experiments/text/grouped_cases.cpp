#include "bench/experiments/text/grouped_cases.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/frame/timer.hpp"
#include "bench/experiments/text/grouped_windows.hpp"
#include "bench/experiments/text/text_case.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/certify/grouped_rank.hpp"
#include "record/cells.hpp"

#include <algorithm>

namespace attest {

namespace {

/// As in text_coverage.
constexpr Index kOneHotWindow = 3;
constexpr Index kShortWindow = 8;
constexpr Index kLongWindow = 64;
/// More than the licences have, so that hardly a word becomes <unk>.
constexpr Index kAllWords = 5000;

struct GroupedSetting {
    std::string path;
    GroupedWindows windows;
};

/// The words of the text; what stands for them is left to the windows.
TextTask words_of(const GroupedSetting& setting) {
    TextOptions options;
    options.corpus.path = setting.path;
    options.vocabulary = kAllWords;
    options.representation = Representation::one_hot;
    options.labels = TextLabels::none;
    options.d = 1;
    return experiment_text(options);
}

/// One-hot states are dependent, which null vectors prove. Those of ternary codes are independent
/// as a rule, so that their number is their rank; where they are not, the row holds bounds.
ExactRankOptions options_of(const GroupedWindows& windows) {
    return {windows.code == TokenCode::one_hot ? NullVectors::as_needed : NullVectors::none, {}};
}

CaseOutcome measure_grouped(const GroupedSetting& setting) {
    const TextTask task = words_of(setting);
    if (task.text.size() <= setting.windows.d) {
        return {{},
                RowStatus::skipped,
                formatted("the text has {} words, fewer than d = {} to ask",
                          task.text.size() - 1,
                          setting.windows.d)};
    }
    const Dataset data = grouped_windows(task.text, setting.windows);
    const Timer timer;
    const GroupedRank found = certify_grouped_rank(data, options_of(setting.windows));
    CaseOutcome outcome;
    Metrics& metrics = outcome.metrics;
    metrics["certify_cpu_seconds"] = {timer.cpu_seconds(), {}, "s"};
    metrics["peak_bytes"] = {peak_resident_bytes(), {}, "bytes"};
    metrics["shared_8grams"] = {task.shared_8grams};
    metrics["num_types"] = exact_metric(task.text.size() - 1);
    metrics["num_examples"] = exact_metric(data.num_examples());
    metrics["psi"] = exact_metric(found.psi);
    metrics["squares"] = exact_metric(packed_dim(setting.windows.d));
    metrics["rank"] = exact_metric(found.rank_lower);
    metrics["rank_at_most"] = exact_metric(found.rank_upper);
    metrics["groups"] = exact_metric(std::ssize(found.groups));
    Index full = 0;
    Index fewest = data.num_examples();
    for (const QueryGroup& group : found.groups) {
        full += group.states.verdict == RankVerdict::full_rank ? 1 : 0;
        fewest = std::min(fewest, group.states.num_examples);
    }
    metrics["full_groups"] = exact_metric(full);
    metrics["smallest_group"] = exact_metric(fewest);
    return outcome;
}

Case grouped_case(const GroupedSetting& setting) {
    const GroupedWindows& windows = setting.windows;
    CaseKey key;
    key.task = "text";
    key.parameters = {{"text", text_name(setting.path)},
                      {"d", std::int64_t{windows.d}},
                      {"code", std::string(to_string(windows.code))},
                      {"n", std::int64_t{windows.n}},
                      {"lengths", windows.lengths == WindowLengths::fixed ? "fixed" : "up to n"}};
    key.learner = kGroupedCertificate;
    key.seed = windows.seed;
    key.stream = Stream(windows.seed).child("grouped").path();
    key.precision = "exact";
    return {key, [setting] { return measure_grouped(setting); }};
}

}  // namespace

std::vector<Case> grouped_cases(Profile profile, std::uint64_t seed, const std::string& path) {
    std::vector<Case> cases;
    const auto add = [&](TokenCode code, WindowLengths lengths, Index n, Index d) {
        cases.push_back(grouped_case({path, {code, lengths, d, n, seed}}));
    };
    add(TokenCode::one_hot, WindowLengths::fixed, kOneHotWindow, 32);
    add(TokenCode::words, WindowLengths::fixed, kShortWindow, 16);
    add(TokenCode::words, WindowLengths::fixed, kShortWindow, 32);
    add(TokenCode::words, WindowLengths::up_to, kLongWindow, 32);
    if (profile == Profile::full) {
        // The licences have fewer words than q = 2080: longer windows of words are of no use.
        add(TokenCode::words, WindowLengths::fixed, kShortWindow, 64);
        add(TokenCode::distances, WindowLengths::up_to, kLongWindow, 64);
    }
    return cases;
}

Table grouped_certificates_table(const std::vector<Row>& rows) {
    const NumberFormat whole{NumberFormat::Style::shortest, 0};
    return group_table(select_rows(rows, "learner", kGroupedCertificate),
                       {{"d", "d"}, {"code", "tokens", Alignment::left}, {"lengths"}, {"n", "n"}},
                       {{"num_types", whole, "words"},
                        {"num_examples", whole, "N"},
                        {"psi", whole, "ψ"},
                        {"rank", whole, "rank"},
                        {"rank_at_most", whole, "at most"},
                        {"groups", whole},
                        {"full_groups", whole, "of rank q"},
                        {"squares", whole, "q"},
                        {"smallest_group", whole, "fewest windows"},
                        {"certify_cpu_seconds", kThreeDigits, "CPU s"}});
}

}  // namespace attest
