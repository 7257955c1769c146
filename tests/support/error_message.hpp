#pragma once

#include "core/base/error.hpp"

#include <string>

namespace attest::test {

/// The message of the InvalidInput that `action` throws; "nothing was thrown" if it throws none.
template <class Action>
[[nodiscard]] std::string invalid_input_message(const Action& action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace attest::test
