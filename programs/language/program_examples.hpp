#pragma once

#include <span>
#include <string_view>

namespace attest {

/// A small program in text form.
struct ProgramExample {
    std::string_view name;
    std::string_view summary;
    std::string_view text;
};

/// Lookup, copy and if-then, the primitives of Algorithms 3–5.
[[nodiscard]] std::span<const ProgramExample> program_examples();

/// The example of that name, or null.
[[nodiscard]] const ProgramExample* find_program_example(std::string_view name);

}  // namespace attest
