#pragma once

#include "core/base/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace attest::test {

/// The message of the Expected that `action` throws; "nothing was thrown" if it throws none.
template <class Expected, class Action>
[[nodiscard]] std::string error_message(const Action& action) {
    try {
        action();
    } catch (const Expected& error) {
        return error.what();
    }
    return "nothing was thrown";
}

/// The same of InvalidInput.
template <class Action>
[[nodiscard]] std::string invalid_input_message(const Action& action) {
    return error_message<InvalidInput>(action);
}

/// Whether the text holds these words.
inline testing::AssertionResult says(const char* /*text*/,
                                     const char* /*words*/,
                                     std::string_view text,
                                     std::string_view words) {
    if (text.find(words) != std::string_view::npos) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "expected the words: " << words << "\nin: " << text;
}

/// Whether the message holds these words, and is one line without a full stop, as every error is.
inline testing::AssertionResult refuses(const char* /*message*/,
                                        const char* /*words*/,
                                        std::string_view message,
                                        std::string_view words) {
    if (message == "nothing was thrown") {
        return testing::AssertionFailure() << message << ", expected the words: " << words;
    }
    if (message.find('\n') != std::string_view::npos || message.ends_with('.')) {
        return testing::AssertionFailure() << "not one line without a full stop: " << message;
    }
    return says("", "", message, words);
}

}  // namespace attest::test

/// The text holds these words: what it must say, not the sentence that says it.
#define EXPECT_SAYS(text, words) EXPECT_PRED_FORMAT2(attest::test::says, text, words)

/// The expression throws this Error, and its message holds these words: where, and what was got.
#define EXPECT_FAILS(Error, words, ...)                                                   \
    EXPECT_PRED_FORMAT2(attest::test::refuses,                                            \
                        attest::test::error_message<Error>([&] { (void)(__VA_ARGS__); }), \
                        words)

/// The same of InvalidInput.
#define EXPECT_REFUSED(words, ...) EXPECT_FAILS(attest::InvalidInput, words, __VA_ARGS__)
