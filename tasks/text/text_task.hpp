#pragma once

#include "core/data/dataset.hpp"
#include "tasks/task.hpp"
#include "tasks/text/representation.hpp"

namespace attest {

/// What stands for a token.
enum class Representation : std::uint8_t { ppmi, gaussian, signs, one_hot, characters };

/// Coordinates beside the embedding's.
enum class ExtraCoordinates : std::uint8_t {
    none,
    constant,  ///< 1
    position,  ///< t/2^⌈log₂ n⌉ for token t = 1 … n of a window
    both,      ///< both, the constant first
};

enum class TextLabels : std::uint8_t {
    none,
    ppmi,     ///< the next word's PPMI of `outputs` coordinates minus its mean over training tokens
    one_hot,  ///< the next word's unit vector, one coordinate a word of the vocabulary
};

[[nodiscard]] std::string_view to_string(Representation representation);

struct TextOptions {
    CorpusOptions corpus = {};
    Index vocabulary = 300;
    Representation representation = Representation::ppmi;
    ExtraCoordinates extra = ExtraCoordinates::none;
    Index d = 16;  ///< of a token, extra coordinates included
    Index n = 8;   ///< tokens of a window
    TextLabels labels = TextLabels::ppmi;
    Index outputs = 16;  ///< of the labels ppmi
    TextPart part = TextPart::train;
    bool in_order = false;  ///< windows as the text runs; else in a random order
    std::uint64_t seed = 0;
};

/// A text with what stands for its words: all that windows are made of.
struct TextTask {
    TextOptions options;
    VocabularyText text;
    Matrix embedding;            ///< (d − extra)×V
    Matrix targets;              ///< o×V, what a next word is as a label; 0×0 without labels
    std::string split;           ///< in words
    double shared_8grams = 0.0;  ///< share of the test part's 8-grams that occur in training
};

/// Reads and prepares. Throws InvalidInput as read_corpus, with_vocabulary and embed.
[[nodiscard]] TextTask text_task(const TextOptions& options);

/// Windows of a part, in the order that the options say: a pure function of them and the text.
[[nodiscard]] std::vector<TextWindow> ordered_windows(const TextTask& task, TextPart part);

/// The tokens of these windows, the last of each asks, and their labels. meta holds the options,
/// the split, the shared 8-grams and the vocabulary.
[[nodiscard]] Dataset window_dataset(const TextTask& task, std::span<const TextWindow> windows);

/// What `attest generate text` lists, and reads.
[[nodiscard]] std::vector<TaskParameter> text_parameters();
[[nodiscard]] TextOptions read_text_options(const ParameterReader& reader, std::uint64_t seed);

}  // namespace attest
