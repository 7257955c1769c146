#pragma once

#include "tasks/text/corpus.hpp"

namespace attest {

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
