// Any text is either read as a machine, an automaton, a program or a prompt, or refused with one
// line; what is read says the same again when it is written and read once more. Input: one byte
// that chooses the form, then the text.
#include "core/base/error.hpp"
#include "programs/language/program_text.hpp"
#include "programs/machines/automaton.hpp"
#include "programs/machines/turing_notation.hpp"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): POSIX names

#include <cstdint>
#include <iostream>
#include <string_view>

namespace {

using namespace attest;

[[noreturn]] void fail(std::string_view why) {
    std::cerr << "programs: " << why << '\n';
    abort();
}

/// Tokens of a small schema: what is read is written and read again, then judged.
void read_prompt(std::string_view text) {
    const Program program = parse_program(
        "block one 1\nblock P 4\nblock letter 2\nhead read: letter <- letter ; P <- P\n");
    const std::vector<Token> prompt = parse_prompt(text, program.schema);
    for (const Token& token : prompt) {
        if (!token.empty() &&
            parse_prompt(token_text(token, program.schema), program.schema).front() != token) {
            fail("the text of a token reads as another one");
        }
    }
    check_prompt(program, prompt);
}

void read(int form, std::string_view text) {
    switch (form) {
        case 0: {
            const std::string written = machine_notation(parse_machine_notation(text));
            if (machine_notation(parse_machine_notation(written)) != written) {
                fail("the notation of a machine reads as another one: " + written);
            }
            return;
        }
        case 1:
            (void)parse_machine_table(text);
            return;
        case 2: {
            const std::string written = program_text(parse_program(text));
            if (program_text(parse_program(written)) != written) {
                fail("the text of a program reads as another one: " + written);
            }
            return;
        }
        case 3:
            (void)parse_automaton(text, AutomatonKind::deterministic);
            return;
        case 5:
            read_prompt(text);
            return;
        default:
            (void)parse_automaton(text, AutomatonKind::nondeterministic);
            return;
    }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        read(data[0] % 6, text);
    } catch (const InvalidInput& error) {
        if (std::string_view(error.what()).find('\n') != std::string_view::npos) {
            fail("not one line");
        }
    }
    return 0;
}
