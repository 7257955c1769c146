#include "tasks/text/vocabulary.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <numeric>

namespace attest {

VocabularyText with_vocabulary(const Corpus& corpus, Index size) {
    require(size >= 2, "vocabulary: got {} words, expected at least 2", size);
    std::vector<Index> counts(corpus.types.size(), 0);
    for (const Document& document : corpus.documents) {
        for (const std::int32_t token : document.tokens) {
            counts[static_cast<std::size_t>(token)] += document.part == TextPart::train ? 1 : 0;
        }
    }
    std::vector<std::size_t> order(corpus.types.size());
    std::iota(order.begin(), order.end(), 0);
    order.erase(
        std::remove_if(order.begin(), order.end(), [&](std::size_t i) { return counts[i] == 0; }),
        order.end());
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : corpus.types[a] < corpus.types[b];
    });
    order.resize(std::min(order.size(), static_cast<std::size_t>(size) - 1));
    VocabularyText text{{"<unk>"}, {0}, {}};
    std::vector<std::int32_t> number(corpus.types.size(), 0);
    for (const std::size_t type : order) {
        number[type] = static_cast<std::int32_t>(text.vocabulary.size());
        text.vocabulary.push_back(corpus.types[type]);
        text.counts.push_back(counts[type]);
    }
    for (const Document& document : corpus.documents) {
        WordList list{document.part, {}};
        for (const std::int32_t token : document.tokens) {
            list.words.push_back(number[static_cast<std::size_t>(token)]);
        }
        text.documents.push_back(std::move(list));
    }
    text.counts[0] = corpus.num_tokens(TextPart::train) -
                     std::accumulate(text.counts.begin() + 1, text.counts.end(), Index{0});
    return text;
}

std::vector<TextWindow> text_windows(const VocabularyText& text, TextPart part, Index n) {
    require(n >= 1, "text: got windows of {} tokens, expected at least 1", n);
    std::vector<TextWindow> windows;
    for (Index k = 0; k < std::ssize(text.documents); ++k) {
        const WordList& document = text.documents[static_cast<std::size_t>(k)];
        for (Index end = n; document.part == part && end < std::ssize(document.words); ++end) {
            windows.push_back({k, end});
        }
    }
    require(!windows.empty(),
            "text: no document of the part {} has {} tokens, as windows of {} and the next need",
            to_string(part),
            n + 1,
            n);
    return windows;
}

}  // namespace attest
