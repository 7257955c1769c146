#include "tasks/text/text_task.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/rng/sample.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr Index kLargestVocabulary = 20000;
constexpr Index kLargestWindow = 4096;

constexpr Choices<Representation, 5> kRepresentations{{{Representation::ppmi, "ppmi"},
                                                       {Representation::gaussian, "gaussian"},
                                                       {Representation::signs, "signs"},
                                                       {Representation::one_hot, "one_hot"},
                                                       {Representation::characters, "characters"}}};
constexpr Choices<ExtraCoordinates, 4> kExtras{{{ExtraCoordinates::none, "none"},
                                                {ExtraCoordinates::constant, "constant"},
                                                {ExtraCoordinates::position, "position"},
                                                {ExtraCoordinates::both, "both"}}};
constexpr Choices<TextLabels, 3> kTextLabels{
    {{TextLabels::none, "none"}, {TextLabels::ppmi, "ppmi"}, {TextLabels::one_hot, "one_hot"}}};
enum class WindowOrder : std::uint8_t { random, text };
constexpr Choices<WindowOrder, 2> kOrders{
    {{WindowOrder::random, "random"}, {WindowOrder::text, "text"}}};

bool has_constant(ExtraCoordinates extra) {
    return extra == ExtraCoordinates::constant || extra == ExtraCoordinates::both;
}

bool has_position(ExtraCoordinates extra) {
    return extra == ExtraCoordinates::position || extra == ExtraCoordinates::both;
}

Index extra_width(ExtraCoordinates extra) {
    return (has_constant(extra) ? 1 : 0) + (has_position(extra) ? 1 : 0);
}

Embedding embedding_of(Representation representation) {
    switch (representation) {
        case Representation::ppmi:
            return Embedding::ppmi;
        case Representation::signs:
            return Embedding::signs;
        case Representation::one_hot:
            return Embedding::one_hot;
        case Representation::gaussian:
        case Representation::characters:
            return Embedding::gaussian;
    }
    throw BrokenInvariant("embedding_of: unknown representation");
}

/// PPMI coordinates, their mean over training tokens taken off.
Matrix centred_ppmi(const VocabularyText& text, Index outputs) {
    Matrix targets = embed(Embedding::ppmi, text, outputs, Stream(0));
    Vector mean = Vector::Zero(outputs);
    double tokens = 0.0;
    for (Index i = 0; i < text.size(); ++i) {
        const auto count = static_cast<double>(text.counts[static_cast<std::size_t>(i)]);
        mean += count * targets.col(i);
        tokens += count;
    }
    targets.colwise() -= mean / tokens;
    return targets;
}

Matrix targets_of(const TextOptions& options, const VocabularyText& text) {
    switch (options.labels) {
        case TextLabels::none:
            return {};
        case TextLabels::ppmi:
            return centred_ppmi(text, options.outputs);
        case TextLabels::one_hot:
            return Matrix::Identity(text.size(), text.size());
    }
    throw BrokenInvariant("targets_of: unknown labels");
}

std::string meta_of(const TextTask& task, Index count) {
    const TextOptions& options = task.options;
    const nlohmann::ordered_json meta{{"task", "text"},
                                      {"parameters",
                                       {{"text", options.corpus.path},
                                        {"split", options.corpus.split},
                                        {"part", to_string(options.part)},
                                        {"representation", to_string(options.representation)},
                                        {"extra", name_of(kExtras, options.extra)},
                                        {"vocabulary", options.vocabulary},
                                        {"d", options.d},
                                        {"n", options.n},
                                        {"labels", name_of(kTextLabels, options.labels)},
                                        {"outputs", task.targets.rows()},
                                        {"order", options.in_order ? "text" : "random"},
                                        {"seed", options.seed}}},
                                      {"count", count},
                                      {"split_by", task.split},
                                      {"shared_8grams", task.shared_8grams},
                                      {"vocabulary", task.text.vocabulary}};
    return meta.dump();
}

}  // namespace

std::string_view to_string(Representation representation) {
    return name_of(kRepresentations, representation);
}

TextTask text_task(const TextOptions& options) {
    constexpr Index kLeakGram = 8;
    const Index width = options.d - extra_width(options.extra);
    require(width >= 1,
            "text: got d = {} with {} extra coordinates, expected room for a word",
            options.d,
            extra_width(options.extra));
    CorpusOptions corpus_options = options.corpus;
    corpus_options.unit =
        options.representation == Representation::characters ? TextUnit::character : TextUnit::word;
    const Corpus corpus = read_corpus(corpus_options);
    TextTask task;
    task.options = options;
    task.text = with_vocabulary(corpus, options.vocabulary);
    task.embedding = embed(embedding_of(options.representation),
                           task.text,
                           width,
                           Stream(options.seed).child("text").child("embedding"));
    task.targets = targets_of(options, task.text);
    task.split = corpus.split;
    task.shared_8grams = shared_ngrams(corpus, TextPart::train, TextPart::test, kLeakGram);
    return task;
}

std::vector<TextWindow> ordered_windows(const TextTask& task, TextPart part) {
    std::vector<TextWindow> windows = text_windows(task.text, part, task.options.n);
    if (task.options.in_order) {
        return windows;
    }
    const Stream stream =
        Stream(task.options.seed).child("text").child("order").child(to_string(part));
    std::vector<TextWindow> shuffled;
    for (const Index i : random_permutation(std::ssize(windows), stream)) {
        shuffled.push_back(windows[static_cast<std::size_t>(i)]);
    }
    return shuffled;
}

Dataset window_dataset(const TextTask& task, std::span<const TextWindow> windows) {
    const TextOptions& options = task.options;
    const Index n = options.n;
    const Index count = std::ssize(windows);
    require_memory(8.0 * static_cast<double>(count * (n * options.d + task.targets.rows())),
                   "text",
                   "ask for fewer windows (-N)");
    double scale = 1.0;
    while (scale < static_cast<double>(n)) {
        scale *= 2.0;
    }
    Dataset data;
    Matrix tokens(options.d, n * count);
    data.y.resize(task.targets.rows(), task.targets.rows() > 0 ? count : 0);
    data.labels = task.targets.rows() > 0 ? LabelKind::per_sequence : LabelKind::none;
    data.offsets.push_back(0);
    for (Index i = 0; i < count; ++i) {
        const TextWindow& window = windows[static_cast<std::size_t>(i)];
        const auto& words = task.text.documents[static_cast<std::size_t>(window.document)].words;
        for (Index t = 0; t < n; ++t) {
            auto token = tokens.col(i * n + t);
            const Index word = words[static_cast<std::size_t>(window.end - n + t)];
            token.head(task.embedding.rows()) = task.embedding.col(word);
            Index at = task.embedding.rows();
            if (has_constant(options.extra)) {
                token(at++) = 1.0;
            }
            if (has_position(options.extra)) {
                token(at) = static_cast<double>(t + 1) / scale;
            }
        }
        data.offsets.push_back((i + 1) * n);
        if (data.y.rows() > 0) {
            data.y.col(i) = task.targets.col(words[static_cast<std::size_t>(window.end)]);
        }
    }
    data.tokens = std::move(tokens);
    data.meta = meta_of(task, count);
    return data;
}

std::vector<TaskParameter> text_parameters() {
    return {{"text", std::string(kCommonLicenses), "a file or a folder: plain text, or *.conllu"},
            {"split", "family", "family or file: what stays together; or a list of PART NAME"},
            {"part", "train", "train, validation or test"},
            {"representation", "ppmi", "ppmi, gaussian, signs, one_hot or characters"},
            {"extra", "none", "more coordinates: none, constant, position or both"},
            {"vocabulary", "300", "words told apart, <unk> included"},
            {"d", "16", "entries of a token, extra ones included"},
            {"n", "8", "tokens of a window; the last one asks"},
            {"labels", "ppmi", "of the next word: ppmi, one_hot or none"},
            {"outputs", "16", "entries of the labels ppmi"},
            {"order", "random", "of the windows: random, or as the text runs"}};
}

TextOptions read_text_options(const ParameterReader& reader, std::uint64_t seed) {
    TextOptions options;
    options.corpus.path = reader.text("text");
    options.corpus.split = reader.text("split");
    options.part = text_part_from_string(reader.text("part"));
    options.representation = reader.choice("representation", kRepresentations);
    options.extra = reader.choice("extra", kExtras);
    options.vocabulary = reader.integer("vocabulary", 2, kLargestVocabulary);
    options.d = reader.integer("d", 1, kLargestDimension);
    options.n = reader.integer("n", 1, kLargestWindow);
    options.labels = reader.choice("labels", kTextLabels);
    options.outputs = reader.integer("outputs", 1, kLargestDimension);
    options.in_order = reader.choice("order", kOrders) == WindowOrder::text;
    options.seed = seed;
    return options;
}

}  // namespace attest
