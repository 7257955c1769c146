#pragma once

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// One value of an enumeration and its name on the command line, in files and in messages.
template <class Enum>
struct Choice {
    Enum value;
    std::string_view name;
};

template <class Enum, std::size_t N>
using Choices = std::array<Choice<Enum>, N>;

/// The name of a value.
template <class Enum, std::size_t N>
[[nodiscard]] std::string_view name_of(const Choices<Enum, N>& choices, Enum value) {
    for (const Choice<Enum>& choice : choices) {
        if (choice.value == value) {
            return choice.name;
        }
    }
    throw BrokenInvariant("name_of: the enumeration has a value without a name");
}

/// The value of a name, if it is one.
template <class Enum, std::size_t N>
[[nodiscard]] std::optional<Enum> find_choice(const Choices<Enum, N>& choices,
                                              std::string_view name) {
    for (const Choice<Enum>& choice : choices) {
        if (choice.name == name) {
            return choice.value;
        }
    }
    return std::nullopt;
}

/// The value of a name. Throws UnknownName listing the names, `what` first.
template <class Enum, std::size_t N>
[[nodiscard]] Enum choice_named(std::string_view what,
                                std::string_view name,
                                const Choices<Enum, N>& choices) {
    if (const std::optional<Enum> value = find_choice(choices, name)) {
        return *value;
    }
    std::vector<std::string> known;
    for (const Choice<Enum>& choice : choices) {
        known.emplace_back(choice.name);
    }
    throw UnknownName(unknown_name_message(what, name, known));
}

}  // namespace attest
