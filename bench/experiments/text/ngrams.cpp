#include "bench/experiments/text/ngrams.hpp"

#include "core/base/error.hpp"

namespace attest {

std::vector<Trigram> trigrams_of(const VocabularyText& text, std::span<const TextWindow> windows) {
    std::vector<Trigram> trigrams;
    for (const TextWindow& window : windows) {
        const auto& words = text.documents[static_cast<std::size_t>(window.document)].words;
        require(window.end >= 2, "trigrams_of: got a window of one word, expected two or more");
        const auto end = static_cast<std::size_t>(window.end);
        trigrams.push_back({words[end - 2], words[end - 1], words[end]});
    }
    return trigrams;
}

NgramTables::NgramTables(Index vocabulary, const std::vector<Trigram>& training)
    : unigram_(Vector::Zero(vocabulary)), bigrams_(static_cast<std::size_t>(vocabulary)) {
    require(!training.empty(), "NgramTables: got no window, expected at least one");
    for (const Trigram& seen : training) {
        unigram_(seen.next) += 1.0;
        bigrams_[static_cast<std::size_t>(seen.last)][seen.next] += 1.0;
        trigrams_[{seen.before, seen.last}][seen.next] += 1.0;
    }
    unigram_ /= static_cast<double>(training.size());
}

Vector NgramTables::smoothed(const Counts* counts, const Vector& prior, double weight) {
    Vector p = weight * prior;
    double total = weight;
    if (counts != nullptr) {
        for (const auto& [word, count] : *counts) {
            p(word) += count;
            total += count;
        }
    }
    return p / total;
}

Vector NgramTables::bigram(Index last, double weight) const {
    return smoothed(&bigrams_[static_cast<std::size_t>(last)], unigram_, weight);
}

Vector NgramTables::trigram(Index before, Index last, const Smoothing& smoothing) const {
    const auto found = trigrams_.find({before, last});
    return smoothed(found == trigrams_.end() ? nullptr : &found->second,
                    bigram(last, smoothing.bigram),
                    smoothing.trigram);
}

}  // namespace attest
