#include "cli/turing_input.hpp"

#include "cli/numbers.hpp"
#include "core/base/text_file.hpp"
#include "programs/language/symbols.hpp"
#include "programs/machines/named_machines.hpp"

#include <filesystem>

namespace attest::cli {

namespace {

constexpr Index kMostCells = 4096;

}  // namespace

void add_machine_options(CLI::App& app, MachineOptions& options) {
    app.add_option("machine",
                   options.machine,
                   "A name (attest turing list), bbchallenge notation, or a file with a table")
        ->required();
    app.add_option("--tape", options.tape, "Letters from the head on, or from cell 0 with --cells")
        ->each([&options](const std::string& /*word*/) { options.has_tape = true; });
    app.add_option("--steps", options.steps, "Budget of steps")
        ->check(integer_within(0, Index{1} << 40))
        ->capture_default_str();
    app.add_option("--cells", options.cells, "Cells of the tape; else as many as the run needs")
        ->check(integer_within(1, kMostCells));
    app.add_option("--head", options.head, "Cell the head starts on, with --cells");
}

TuringMachine read_machine(const MachineOptions& options) {
    const std::string& text = options.machine;
    if (find_named_machine(text) == nullptr && std::filesystem::is_regular_file(text)) {
        return machine_from_text(read_text_file(text) + "\n");
    }
    return machine_from_text(text);
}

TuringTape tape_of(const MachineOptions& options, const TuringMachine& machine) {
    const NamedMachine* const named = find_named_machine(options.machine);
    const std::string word =
        options.has_tape || named == nullptr ? options.tape : std::string(named->word);
    const std::vector<Index> letters = parse_word("tape", word, machine.symbols);
    if (options.cells == 0) {
        require(options.head == 0, "tape: --head needs --cells");
        return fitting_tape(machine, letters, options.steps, kMostCells);
    }
    return padded_tape(letters, options.cells, options.head);
}

}  // namespace attest::cli
