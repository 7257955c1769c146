#include "bench/experiments/text/grouped_windows.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/rng/stream.hpp"

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

}  // namespace attest
