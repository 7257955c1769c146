#pragma once

#include "core/base/error.hpp"

#include <string>

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

}  // namespace attest::test
