#include "bench/experiments/text/grouped_windows.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/text/text_tables.hpp"
#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/certify/rank/grouped_rank.hpp"
#include "core/rng/stream.hpp"
#include "record/cells.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace attest {

namespace {

constexpr Choices<TokenCode, 3> kTokenCodes{{{TokenCode::one_hot, "one_hot"},
                                             {TokenCode::words, "words"},
                                             {TokenCode::distances, "distances"}}};

/// The tokens of a document from `end − length` on; the last one asks.
struct WordSpan {
    const std::vector<std::int32_t>* words = nullptr;
    Index end = 0;
    Index length = 0;

    /// The word `distance` places before the query.
    [[nodiscard]] std::int32_t word(Index distance) const {
        return (*words)[static_cast<std::size_t>(end - 1 - distance)];
    }
};

/// Makes codes as they are asked for.
class Codes {
public:
    explicit Codes(const GroupedWindows& options)
        : options_(options), stream_(Stream(options.seed).child("grouped").child("codes")) {}

    const Vector& of(std::int32_t word, Index distance) {
        if (options_.code != TokenCode::distances) {
            distance = 0;
        }
        const auto [found, is_new] = known_.try_emplace({word, distance});
        if (is_new) {
            found->second =
                options_.code == TokenCode::one_hot ? one_hot(word) : ternary(word, distance);
        }
        return found->second;
    }

private:
    /// Word 0 is <unk>: it shares the last coordinate with the rarer words.
    [[nodiscard]] Vector one_hot(std::int32_t word) const {
        const Index d = options_.d;
        return Vector::Unit(d, word >= 1 && word < d ? word - 1 : d - 1);
    }

    [[nodiscard]] Vector ternary(std::int32_t word, Index distance) const {
        Draws draws(stream_.child(Index{word}).child(distance));
        return Vector::NullaryExpr(options_.d,
                                   [&] { return static_cast<double>(draws.below(3)) - 1.0; });
    }

    GroupedWindows options_;
    Stream stream_;
    std::map<std::pair<std::int32_t, Index>, Vector> known_;
};

/// Where each word asks, in training documents, as spans of one token.
std::map<std::int32_t, std::vector<WordSpan>> questions(const VocabularyText& text,
                                                        const GroupedWindows& options) {
    std::map<std::int32_t, std::vector<WordSpan>> asked;
    for (const WordList& document : text.documents) {
        for (Index t = 0; document.part == TextPart::train && t < std::ssize(document.words); ++t) {
            const std::int32_t word = document.words[static_cast<std::size_t>(t)];
            const bool common = word >= 1 && word <= options.d;
            if (common || options.code == TokenCode::one_hot) {
                asked[word].push_back({&document.words, t + 1, 1});
            }
        }
    }
    return asked;
}

/// What decides the state of a window: its words, in order only where the code knows it, the rarer
/// ones alike where they share a coordinate.
std::vector<std::int32_t> state_key(const WordSpan& span, const GroupedWindows& options) {
    std::vector<std::int32_t> key(span.words->begin() + (span.end - span.length),
                                  span.words->begin() + span.end);
    if (options.code == TokenCode::one_hot) {
        for (std::int32_t& word : key) {
            word = word >= options.d ? 0 : word;
        }
    }
    if (options.code != TokenCode::distances) {
        std::sort(key.begin(), key.end());
    }
    return key;
}

std::vector<WordSpan> distinct_windows(const std::vector<WordSpan>& questions,
                                       const GroupedWindows& options) {
    std::vector<WordSpan> kept;
    std::set<std::vector<std::int32_t>> seen;
    for (WordSpan span : questions) {
        span.length = options.n;
        if (span.end >= span.length && seen.insert(state_key(span, options)).second) {
            kept.push_back(span);
        }
    }
    return kept;
}

std::vector<WordSpan> growing_windows(const std::vector<WordSpan>& questions,
                                      const GroupedWindows& options) {
    const Index q = packed_dim(options.d);
    std::vector<WordSpan> kept;
    std::set<std::pair<std::int32_t, Index>> met;
    for (Index length = 1; length <= options.n; ++length) {
        for (WordSpan span : questions) {
            span.length = length;
            const Index distance = options.code == TokenCode::distances ? length - 1 : 0;
            if (span.end >= length && std::ssize(kept) < q + q / 8 &&
                met.emplace(span.word(length - 1), distance).second) {
                kept.push_back(span);
            }
        }
    }
    return kept;
}

Dataset tokens_of(const std::vector<WordSpan>& spans, const GroupedWindows& options) {
    Index total = 0;
    for (const WordSpan& span : spans) {
        total += span.length;
    }
    require_memory(8.0 * static_cast<double>(total * options.d), "text", "ask for a smaller d");
    Codes codes(options);
    Dataset data;
    Matrix tokens(options.d, total);
    data.offsets.push_back(0);
    Index at = 0;
    for (const WordSpan& span : spans) {
        for (Index distance = span.length - 1; distance >= 0; --distance) {
            tokens.col(at++) = codes.of(span.word(distance), distance);
        }
        data.offsets.push_back(at);
    }
    data.tokens = std::move(tokens);
    return data;
}

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

std::string_view to_string(TokenCode code) {
    return name_of(kTokenCodes, code);
}

Dataset grouped_windows(const VocabularyText& text, const GroupedWindows& options) {
    require(text.size() > options.d,
            "text: got {} words, expected more than d = {} to ask; give more text",
            text.size(),
            options.d);
    std::vector<WordSpan> spans;
    for (const auto& [word, asked] : questions(text, options)) {
        const std::vector<WordSpan> group = options.lengths == WindowLengths::fixed
                                                ? distinct_windows(asked, options)
                                                : growing_windows(asked, options);
        spans.insert(spans.end(), group.begin(), group.end());
    }
    require(!spans.empty(), "text: got no window of {} tokens; give longer documents", options.n);
    return tokens_of(spans, options);
}

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
