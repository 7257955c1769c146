#pragma once

#include "core/data/dataset.hpp"
#include "record/experiment.hpp"
#include "record/table.hpp"
#include "tasks/text/corpus.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What a token is in windows that are grouped by the word that asks.
enum class TokenCode : std::uint8_t {
    one_hot,   ///< coordinate i for the i-th commonest word, the last one for all others
    words,     ///< entries −1, 0, 1, a function of the word
    distances  ///< the same, a function of the word and of how far it stands before the query
};

[[nodiscard]] std::string_view to_string(TokenCode code);

enum class WindowLengths : std::uint8_t {
    fixed,  ///< n tokens
    up_to   ///< 1 to n tokens
};

struct GroupedWindows {
    TokenCode code = TokenCode::words;
    WindowLengths lengths = WindowLengths::fixed;
    Index d = 32;
    Index n = 8;
    std::uint64_t seed = 0;
};

/// Windows of the training part that end in one of the d commonest words; of one-hot tokens, in any
/// word. Of windows with one state one is kept. Of every length up to n only those are kept, the
/// shortest first, that bring a word (for `distances`: a word at a distance) which no earlier one
/// of their group brings: the squares of all types that the group meets are then in the span of its
/// states, so that the others add no rank. That is so of groups that end by themselves; one is cut
/// off at q + q/8 windows.
/// Throws InvalidInput where fewer than d words are told apart.
[[nodiscard]] Dataset grouped_windows(const VocabularyText& text, const GroupedWindows& options);

/// The learner that rows of the cases below name.
inline constexpr const char* kGroupedCertificate = "grouped_certificate";

/// Cases that decide the rank of windows grouped by the word that asks (core/certify/grouped_rank),
/// where ψ² doubles would not fit.
[[nodiscard]] std::vector<Case> grouped_cases(Profile profile,
                                              std::uint64_t seed,
                                              const std::string& path);

/// What they found.
[[nodiscard]] Table grouped_certificates_table(const std::vector<Row>& rows);

}  // namespace attest
