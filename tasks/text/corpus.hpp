#pragma once

#include "core/base/shape.hpp"
#include "tasks/text/tokeniser.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What a document is for.
enum class TextPart : std::uint8_t { train, validation, test, unused };

[[nodiscard]] std::string_view to_string(TextPart part);
/// Throws UnknownName listing the names.
[[nodiscard]] TextPart text_part_from_string(std::string_view name);

/// A file, as numbers of its tokens in Corpus::types.
struct Document {
    std::string name;  ///< path below the folder, "/" between folders
    std::string family;
    TextPart part = TextPart::train;
    std::vector<std::int32_t> tokens;
};

struct Corpus {
    std::vector<std::string> types;   ///< every different token, in order of first appearance
    std::vector<Document> documents;  ///< by name
    std::string split;                ///< in words: how parts were told apart

    [[nodiscard]] Index num_tokens(TextPart part) const;
};

/// The folder of the built-in example: what every Debian system carries.
inline constexpr std::string_view kCommonLicenses = "/usr/share/common-licenses";

struct CorpusOptions {
    std::string path = std::string(kCommonLicenses);  ///< a file, or a folder with its subfolders
    TextUnit unit = TextUnit::word;
    /// "family": families of documents stay together; "file": documents do; else a list: a file
    /// whose lines read PART NAME, NAME a document's or a family's.
    std::string split = "family";
};

/// Documents of one folder are one family, above that those whose names start with the same
/// letters: GPL-2 and GPL-3 are, LGPL-3 is another.
[[nodiscard]] std::string family_of(const std::string& name);

/// Reads and cuts the regular files, in order of their names, never more than 64 KiB of text in
/// memory; links and names with a leading dot are left out; *.conllu is CoNLL-U, one token a line.
/// The built-in folder has a split of its own (docs/text.md); others go to training, validation and
/// test as 7:1:2 by tokens; a single document is cut in that order. Throws InvalidInput of one line
/// (file, line, how to fix) for what cannot be read.
[[nodiscard]] Corpus read_corpus(const CorpusOptions& options);

/// The share of the tokens' k-grams in documents of `held_out` that also occur in documents of
/// `train`: what a learner could have by heart. 64-bit hashes: too large by at most the product of
/// both numbers of k-grams over 2⁶⁴ in the mean. Throws InvalidInput unless there is one.
[[nodiscard]] double shared_ngrams(const Corpus& corpus,
                                   TextPart train,
                                   TextPart held_out,
                                   Index k);

/// Gives every document its part, as CorpusOptions::split says. Throws InvalidInput when a part
/// that learning needs stays empty, or for a list that names no document.
[[nodiscard]] Corpus split_corpus(Corpus corpus, const CorpusOptions& options);

/// A document as numbers of the vocabulary.
struct WordList {
    TextPart part = TextPart::train;
    std::vector<std::int32_t> words;
};

/// A corpus in the words of its vocabulary.
struct VocabularyText {
    std::vector<std::string> vocabulary;  ///< V words; the first, <unk>, stands for all others
    std::vector<Index> counts;            ///< of each in the documents of the part train
    std::vector<WordList> documents;

    [[nodiscard]] Index size() const { return std::ssize(vocabulary); }
};

/// <unk> and the size − 1 commonest types of the training documents by (−count, word); fewer where
/// there are fewer. Throws InvalidInput unless size ≥ 2.
[[nodiscard]] VocabularyText with_vocabulary(const Corpus& corpus, Index size);

/// A position where a window of n tokens ends that has a token after it.
struct TextWindow {
    Index document = 0;
    Index end = 0;  ///< the first token after the window: what is to be predicted
};

/// Every window of n tokens within the documents of a part, in order. Throws InvalidInput, with how
/// long documents must be, if there is none.
[[nodiscard]] std::vector<TextWindow> text_windows(const VocabularyText& text,
                                                   TextPart part,
                                                   Index n);

}  // namespace attest
