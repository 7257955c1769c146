#include "cli/mpi/mpi_command.hpp"

#include "core/base/text.hpp"
#include "core/layers/parse_layer.hpp"

#include <iostream>
#include <new>

namespace attest::cli {

namespace {

ExitCode exit_code_of(FailureKind kind) {
    switch (kind) {
        case FailureKind::none:
            return kHolds;
        case FailureKind::unavailable:
        case FailureKind::environment:
            return kEnvironment;
        case FailureKind::usage:
            return kUsage;
        case FailureKind::input:
            return kBadInput;
        case FailureKind::internal:
            return kInternal;
    }
    return kInternal;
}

/// Every rank for itself: the others wait for a message that will not come.
[[noreturn]] void give_up(const Communicator& ranks,
                          const std::string& name,
                          const std::string& message,
                          ExitCode code) {
    std::cerr << formatted("attest-mpi {}: {} (rank {} of {})\n",
                           name,
                           message,
                           ranks.rank(),
                           ranks.size())
              << std::flush;
    Communicator::abort(code);
}

}  // namespace

void add_shards(CLI::App& app, std::vector<std::string>& shards) {
    app.add_option("data", shards, "Shards of one data set (.npz), in this order")->required();
}

Layer layer_of_all_ranks(const std::string& text) {
    try {
        return layer_named(text);
    } catch (const UnknownName& error) {
        throw AgreedFailure(FailureKind::usage, error.what());
    } catch (const InvalidInput& error) {
        throw AgreedFailure(FailureKind::input, error.what());
    }
}

ShardedData open_shards(const Communicator& ranks,
                        const std::vector<std::string>& paths,
                        const Layer& layer) {
    return shared_out(ranks, read_shard_table(ranks, paths, layer));
}

void require_labels(const ShardTable& table) {
    if (table.labels == LabelKind::none) {
        throw AgreedFailure(FailureKind::input,
                            table.paths.front() + ": no labels (key y or y_prefix)");
    }
}

void tell_memory(const Communicator& ranks, const std::string& command, double bytes) {
    if (ranks.rank() == 0) {
        std::cerr << formatted("attest-mpi {}: {} rank{}, up to {} of memory on each\n",
                               command,
                               ranks.size(),
                               ranks.size() == 1 ? "" : "s",
                               format_bytes(bytes))
                  << std::flush;
    }
}

void on_rank_0(const Communicator& ranks, const std::function<void()>& write) {
    together(ranks, [&] {
        if (ranks.rank() == 0) {
            write();
        }
    });
}

int run_agreed(const Communicator& ranks, const Command& command) {
    const std::string name = command.app->get_name();
    try {
        const int code = command.run();
        on_rank_0(ranks, [] {
            std::cout.flush();
            if (!std::cout) {
                throw EnvironmentFailure("standard output could not be written");
            }
        });
        return code;
    } catch (const AgreedFailure& failure) {
        if (ranks.rank() == 0) {
            std::cerr << formatted("attest-mpi {}: {}\n", name, failure.what());
        }
        return exit_code_of(failure.kind());
    } catch (const InvalidInput& error) {
        give_up(ranks, name, error.what(), kBadInput);
    } catch (const NotAvailable& error) {
        give_up(ranks, name, error.what(), kEnvironment);
    } catch (const EnvironmentFailure& error) {
        give_up(ranks, name, error.what(), kEnvironment);
    } catch (const std::bad_alloc&) {
        give_up(ranks, name, "out of memory; take more ranks or fewer examples", kEnvironment);
    } catch (const std::exception& error) {
        give_up(ranks, name, formatted("internal error: {}", error.what()), kInternal);
    }
}

}  // namespace attest::cli
