#pragma once

#include "core/algebra/matrix.hpp"
#include "tasks/text/corpus.hpp"

#include <map>
#include <span>
#include <utility>

namespace attest {

/// A window by what n-gram tables see of it: the word before the last, the last, and the next.
struct Trigram {
    Index before = 0;
    Index last = 0;
    Index next = 0;
};

/// Windows hold at least two words.
[[nodiscard]] std::vector<Trigram> trigrams_of(const VocabularyText& text,
                                               std::span<const TextWindow> windows);

/// How strongly a table leans on the shorter one: the weight of as many tokens.
struct Smoothing {
    double bigram = 1.0;
    double trigram = 1.0;
};

/// Word tables with Dirichlet smoothing (MacKay and Peto 1995): p(w|v) = (c(v,w) + k p(w))/(c(v) +
/// k) and the same once more for p(w|u,v) over p(w|v). Rows are distributions over V words.
class NgramTables {
public:
    NgramTables(Index vocabulary, const std::vector<Trigram>& training);

    [[nodiscard]] const Vector& unigram() const { return unigram_; }

    [[nodiscard]] Vector bigram(Index last, double weight) const;
    [[nodiscard]] Vector trigram(Index before, Index last, const Smoothing& smoothing) const;

private:
    using Counts = std::map<Index, double>;

    [[nodiscard]] static Vector smoothed(const Counts* counts, const Vector& prior, double weight);

    Vector unigram_;
    std::vector<Counts> bigrams_;  ///< by the last word
    std::map<std::pair<Index, Index>, Counts> trigrams_;
};

}  // namespace attest
