#include "bench/experiments/text/text_identifiability.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/text/softmax_heads.hpp"
#include "bench/experiments/text/spans.hpp"
#include "bench/experiments/text/text_tables.hpp"
#include "core/rng/sample.hpp"
#include "record/cells.hpp"
#include "record/figure/figure.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

// Does real language satisfy the certificate? Windows of n words by several representations, their
// text shuffled, and Gaussian tokens of the same shape.
//
// Expected outcome: dense word vectors are certified, shuffled or not; one-hot words, random signs,
// few characters at larger d and positions at one length are not. The rank of the features is at
// most that of the token types' squares times that of the queries, and less where types meet few
// queries (meeting_bound.hpp).

namespace {

struct IdentifiabilitySetting {
    std::string path;
    std::string source;  ///< text, shuffled or synthetic
    Representation representation = Representation::ppmi;
    ExtraCoordinates extra = ExtraCoordinates::none;
    std::string name;
    Index d = 8;
    std::uint64_t seed = 0;
    double lift_seconds = 5.0;  ///< nominal, for null vectors
};

constexpr Index kIdentifiedWindow = 8;
/// Beyond, λ_min of text is below what eigenvalues of Λ resolve.
constexpr Index kWidestByEigenvalues = 16;

/// Words told apart. A type whose square no other replaces must meet d queries, which rare words do
/// not: hence twice as many words as there are squares, at least the usual 300.
Index words_of(Index d) {
    return std::max(TextOptions{}.vocabulary, 2 * packed_dim(d));
}

/// Windows to decide on: four times as many as there are features, a fifth more at d = 16, five
/// times at d = 24, or what the text has.
Index examples_of(Index d) {
    const Index psi = feature_dim(d);
    return d <= 8 ? 4 * psi : d <= 16 ? psi + psi / 5 : 5 * psi;
}

TextOptions options_of(const IdentifiabilitySetting& setting) {
    TextOptions options;
    options.corpus.path = setting.path;
    options.representation = setting.representation;
    options.extra = setting.extra;
    options.d = setting.d;
    options.n = kIdentifiedWindow;
    options.vocabulary = words_of(setting.d);
    options.labels = TextLabels::none;
    options.seed = setting.seed;
    return options;
}

/// The training words in a random order, in documents of the same lengths.
void shuffle_training_words(VocabularyText& text, const Stream& stream) {
    std::vector<std::int32_t> words;
    for (const WordList& document : text.documents) {
        if (document.part == TextPart::train) {
            words.insert(words.end(), document.words.begin(), document.words.end());
        }
    }
    const std::vector<Index> order = random_permutation(std::ssize(words), stream);
    std::size_t next = 0;
    for (WordList& document : text.documents) {
        if (document.part == TextPart::train) {
            for (std::int32_t& word : document.words) {
                word = words[static_cast<std::size_t>(order[next++])];
            }
        }
    }
}

Dataset windows_of(const IdentifiabilitySetting& setting, TextTask& task) {
    const Stream stream = Stream(setting.seed).child("text_identifiability");
    if (setting.source == "shuffled") {
        shuffle_training_words(task.text, stream.child("shuffled"));
    }
    std::vector<TextWindow> windows = ordered_windows(task, TextPart::train);
    windows.resize(std::min(windows.size(), static_cast<std::size_t>(examples_of(setting.d))));
    Dataset data = window_dataset(task, windows);
    if (setting.source == "synthetic") {
        data.tokens =
            grid_matrix(grid_normal(), data.d(), data.tokens.cols(), stream.child("synthetic"));
    }
    return data;
}

CaseOutcome measure_identifiability(const IdentifiabilitySetting& setting) {
    TextTask task = experiment_text(options_of(setting));
    const Dataset data = windows_of(setting, task);
    const FeatureSpans spans = feature_spans(data, {setting.lift_seconds});
    const Index psi = feature_dim(setting.d);
    CaseOutcome outcome;
    Metrics& metrics = outcome.metrics;
    metrics["shared_8grams"] = {task.shared_8grams};
    metrics["num_examples"] = exact_metric(data.num_sequences());
    metrics["num_types"] = exact_metric(spans.num_types);
    metrics["psi"] = exact_metric(psi);
    metrics["squares"] = exact_metric(packed_dim(setting.d));
    metrics["rank_of_types"] = exact_metric(spans.types.lower);
    metrics["rank_of_states"] = exact_metric(spans.states.lower);
    metrics["rank_of_queries"] = exact_metric(spans.queries.lower);
    metrics["rank"] = exact_metric(spans.features.lower);
    metrics["rank_at_most"] = exact_metric(spans.features.upper);
    metrics["nullity"] = exact_metric(psi - spans.features.lower);
    metrics["proved"] = exact_metric(spans.features.is_exact() ? 1 : 0);
    metrics["law"] = exact_metric(spans.product());
    metrics["few_meetings"] = exact_metric(spans.few_meetings);
    if (spans.features.lower == psi) {
        const FeatureSpectrum spectrum = setting.d <= kWidestByEigenvalues
                                             ? spectrum_by_eigenvalues(data)
                                             : spectrum_by_factor(data);
        metrics["lambda_min"] = {spectrum.lambda_min, spectrum.error};
        metrics["condition"] = {std::sqrt(spectrum.lambda_max / spectrum.lambda_min)};
    } else if (spans.features.upper < psi) {
        metrics["lambda_min"] = {0.0, 0.0, "", "0"};
    }
    return outcome;
}

Case identifiability_case(const IdentifiabilitySetting& setting) {
    CaseKey key;
    key.task = "text";
    key.parameters = {{"text", text_name(setting.path)},
                      {"source", setting.source},
                      {"representation", setting.name},
                      {"d", std::int64_t{setting.d}},
                      {"n", std::int64_t{kIdentifiedWindow}}};
    key.learner = "exact_rank";
    key.seed = setting.seed;
    key.stream = Stream(setting.seed).child("text").path();
    key.precision = "exact";
    return {key, [setting] { return measure_identifiability(setting); }};
}

Experiment make_identifiability(Profile profile, std::uint64_t seed, const std::string& path) {
    using R = Representation;
    using E = ExtraCoordinates;
    Experiment experiment = text_experiment("text_identifiability", profile, seed, path);
    const double lift_seconds = profile == Profile::quick ? 5.0 : 120.0;
    const auto add = [&](Index d, const char* source, R representation, E extra, const char* name) {
        experiment.cases.push_back(identifiability_case(
            {path, source, representation, extra, name, d, seed, lift_seconds}));
    };
    for (const Index d : {8, 16}) {
        add(d, "text", R::ppmi, E::none, "ppmi");
        add(d, "shuffled", R::ppmi, E::none, "ppmi");
        add(d, "synthetic", R::gaussian, E::none, "gaussian entries");
        add(d, "text", R::gaussian, E::none, "gaussian hash");
        add(d, "text", R::ppmi, E::constant, "ppmi, constant");
        add(d, "text", R::ppmi, E::position, "ppmi, position");
        add(d, "text", R::ppmi, E::both, "ppmi, constant, position");
        add(d, "text", R::signs, E::none, "signs");
        add(d, "text", R::one_hot, E::none, "one-hot");
        add(d, "text", R::characters, E::none, "characters");
    }
    if (profile == Profile::full) {
        add(24, "text", R::ppmi, E::none, "ppmi");
        add(24, "shuffled", R::ppmi, E::none, "ppmi");
        add(24, "synthetic", R::gaussian, E::none, "gaussian entries");
    }
    return experiment;
}

/// What takes rank away, the most general first.
std::vector<std::string> reasons_of(const Row& row) {
    const auto number = [&](const char* name) {
        const auto found = row.metrics.find(name);  // rows of before 1.0 lack few_meetings
        return found == row.metrics.end() ? 0 : static_cast<Index>(found->second.value);
    };
    if (number("nullity") == 0) {
        return {"full rank"};
    }
    const char* const tokens =
        select_rows({row}, "representation", "characters").empty() ? "tokens" : "characters";
    const auto d = static_cast<Index>(number_field(row, "d"));
    const Index q = number("squares");
    std::vector<std::string> reasons;
    if (number("rank_of_types") < q) {
        reasons.push_back(formatted("squares of {} {} span {} of {}",
                                    number("num_types"),
                                    tokens,
                                    number("rank_of_types"),
                                    q));
    } else if (number("rank_of_states") < q) {
        reasons.push_back(
            formatted("states span {} of {}: one length", number("rank_of_states"), q));
    }
    if (number("rank_of_queries") < d) {
        reasons.push_back(formatted("queries span {} of {}", number("rank_of_queries"), d));
    }
    if (number("few_meetings") > 0) {
        reasons.push_back(formatted("{} of {} {} meet fewer than {} queries",
                                    number("few_meetings"),
                                    number("num_types"),
                                    tokens,
                                    number("rank_of_queries")));
    }
    if (reasons.empty()) {
        reasons.push_back(formatted("{} that never met in a window", tokens));
    }
    return reasons;
}

std::string in_one_line(const std::vector<std::string>& reasons) {
    std::string line;
    for (const std::string& reason : reasons) {
        line += (line.empty() ? "" : "; ") + reason;
    }
    return line;
}

Table identifiability_table(const std::vector<Row>& rows) {
    const NumberFormat whole{NumberFormat::Style::shortest, 0};
    Table table = group_table(rows,
                              {{"d", "d"}, {"source"}, {"representation"}},
                              {{"num_examples", whole, "N"},
                               {"psi", whole, "ψ"},
                               {"num_types", whole, "types"},
                               {"rank", whole, "rank"},
                               {"rank_at_most", whole, "at most"},
                               {"law", whole, "types × queries"},
                               {"nullity", whole},
                               {"lambda_min", kThreeDigits, "λ_min, numerical"},
                               {"condition", kThreeDigits, "condition of H"}});
    table.columns.push_back({"reason", Alignment::left});
    std::size_t line = 0;
    for (const std::vector<Row>& group : split_rows(rows, {"d", "source", "representation"})) {
        const Row& row = group.front();
        table.rows[line++].push_back(row.metrics.contains("nullity")
                                         ? text_cell(in_one_line(reasons_of(row)), {row}, "nullity")
                                         : Cell());
    }
    return table;
}

/// The share of the features that is lost, a representation a place on the axis.
Figure identifiability_figure(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Which representations of text satisfy the certificate";
    Panel panel;
    panel.x = {"d"};
    panel.y = {"rank / ψ"};
    panel.y.min = 0.0;
    for (const std::string& name : distinct_values(rows, "representation")) {
        Series series;
        series.name = name;
        for (const Row& row :
             select_rows(select_rows(rows, "source", "text"), "representation", name)) {
            if (const std::optional<double> rank = finite_metric(row, "rank")) {
                const double share = *rank / row.metrics.at("psi").value;
                series.points.push_back({number_field(row, "d"), share, share, share});
            }
        }
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    panel.guides = {{Guide::Direction::horizontal, 1.0, "certified"}};
    figure.panels.push_back(panel);
    return figure;
}

}  // namespace

ExperimentEntry text_identifiability(const std::string& path) {
    return {
        .id = "text_identifiability",
        .summary = "real text: which representations of words satisfy the certificate, and why",
        .quick_seconds = 9.0,
        .full_seconds = 600.0,
        .make = [path](Profile profile,
                       std::uint64_t seed) { return make_identifiability(profile, seed, path); },
        .text = identifiability_text,
        .derive_numbered = identifiability_derived};
}

std::string main_reason(const Row& row) {
    return reasons_of(row).front();
}

std::string identifiability_text(const std::vector<Row>& rows) {
    return leak_line(rows) + to_terminal(identifiability_table(rows));
}

Derived identifiability_derived(const std::vector<Row>& rows) {
    Derived derived{{{"text_identifiability", identifiability_table(rows)}}, {}};
    const Figure figure = identifiability_figure(rows);
    if (!figure.panels.front().series.empty()) {
        derived.figures.push_back({"text_identifiability", figure});
    }
    return derived;
}

}  // namespace attest
