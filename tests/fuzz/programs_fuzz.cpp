// Any text is either read as a machine, an automaton or a program, or refused with one line; what
// is read says the same again when it is written and read once more. Input: one byte that chooses
// the form, then the text.
#include "core/base/error.hpp"
#include "tasks/programs/automaton.hpp"
#include "tasks/programs/program_text.hpp"
#include "tasks/programs/turing_notation.hpp"

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
        default:
            (void)parse_automaton(text, AutomatonKind::nondeterministic);
            return;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        read(data[0] % 5, text);
    } catch (const InvalidInput& error) {
        if (std::string_view(error.what()).find('\n') != std::string_view::npos) {
            fail("not one line");
        }
    }
    return 0;
}
