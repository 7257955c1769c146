#include "cli/mpi/mpi_command.hpp"
#include "core/algebra/blas_core.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/memory.hpp"
#include "core/moments/gram_kernel.hpp"

#include <iostream>

namespace {

using namespace attest;
using namespace attest::cli;

std::string joined(int argc, char** argv) {
    std::string text;
    for (int k = 1; k < argc; ++k) {
        text += (k > 1 ? " " : "") + std::string(argv[k]);
    }
    return text;
}

/// Ranks that compute otherwise would drift apart, those with other options wait for each other.
void require_alike(const Communicator& ranks, const std::string& arguments) {
    require_same(ranks, "program", version_line());
    require_same(ranks, "arguments", arguments);
    require_same(ranks,
                 "processor",
                 lapack_info().core + " " + std::string(to_string(resolve_isa(Isa::automatic))));
}

int usage_error(const CLI::App& program, const CLI::ParseError& error, const Communicator& ranks) {
    if (error.get_exit_code() == 0) {
        if (ranks.rank() == 0) {
            program.exit(error);
        }
        return kHolds;
    }
    if (ranks.rank() == 0) {
        std::cerr << "attest-mpi: " << error.what() << "; see attest-mpi --help\n";
    }
    return kUsage;
}

int run(int argc, char** argv, const Communicator& ranks) {
    CLI::App program("Learn and certify over several machines, started by mpirun.", "attest-mpi");
    program.require_subcommand(1);
    program.set_version_flag("--version", [] { return version_text(); });
    CommonOptions common;
    const std::vector<Command> commands{add_mpi_learn(program, common, ranks),
                                        add_mpi_certify(program, common, ranks),
                                        add_mpi_predict(program, common, ranks),
                                        add_mpi_bench(program, common, ranks)};
    add_examples(program,
                 "  mpirun -n 4 attest-mpi learn data-*.npz -o model.npz\n"
                 "  mpirun -n 4 attest-mpi certify data-*.npz\n"
                 "  mpirun -n 2 attest-mpi bench --d 16 --solver kron\n");
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return usage_error(program, error, ranks);
    }
    for (const Command& command : commands) {
        if (command.app->parsed()) {
            return run_agreed(ranks, {command.app, [&] {
                                          require_alike(ranks, joined(argc, argv));
                                          return command.run();
                                      }});
        }
    }
    return kInternal;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        start_again_with_better_blas(argv);
    } catch (const InvalidInput& error) {
        std::cerr << "attest-mpi: " << error.what() << '\n';
        return kBadInput;
    }
    keep_freed_memory();
    const MpiScope mpi(argc, argv);
    try {
        return run(argc, argv, Communicator());
    } catch (const std::exception& error) {
        std::cerr << "attest-mpi: " << error.what() << '\n';
        Communicator::abort(kInternal);
    }
}
