#pragma once

#include "programs/machines/turing_machine.hpp"

#include <span>
#include <string_view>

namespace attest {

/// A machine that goes by a name, with an input that shows it.
struct NamedMachine {
    std::string_view name;
    std::string_view summary;
    std::string_view text;  ///< bbchallenge notation, or a table
    std::string_view word;  ///< the input, from the head on; the head starts on its first letter
};

/// All of them, in the order of the list `attest turing list`.
[[nodiscard]] std::span<const NamedMachine> named_machines();

/// The machine behind a name, a notation, or a table's text (recognised by its blanks).
/// `named` machines come first. Throws InvalidInput as the parsers do.
[[nodiscard]] TuringMachine machine_from_text(std::string_view text);

/// The named machine of that name, or null.
[[nodiscard]] const NamedMachine* find_named_machine(std::string_view name);

}  // namespace attest
