#pragma once

#include "cli/command.hpp"
#include "distributed/agreement.hpp"
#include "distributed/shards.hpp"

#include <string>
#include <vector>

namespace attest::cli {

// One per subcommand of attest-mpi; every rank runs it, rank 0 prints.
Command add_mpi_learn(CLI::App& program, CommonOptions& common, const Communicator& ranks);
Command add_mpi_certify(CLI::App& program, CommonOptions& common, const Communicator& ranks);
Command add_mpi_predict(CLI::App& program, CommonOptions& common, const Communicator& ranks);
Command add_mpi_bench(CLI::App& program, CommonOptions& common, const Communicator& ranks);

/// Adds the files that make up the data set.
void add_shards(CLI::App& app, std::vector<std::string>& shards);

/// layer_named of a text that all ranks have from their command line, so that all fail alike.
[[nodiscard]] Layer layer_of_all_ranks(const std::string& text);

/// The table of the shards, nothing read yet. Throws AgreedFailure without labels where they are
/// needed.
[[nodiscard]] ShardedData open_shards(const Communicator& ranks,
                                      const std::vector<std::string>& paths,
                                      const Layer& layer);
void require_labels(const ShardTable& table);

/// Says on standard error, before it is taken, how much memory a rank needs.
void tell_memory(const Communicator& ranks, const std::string& command, double bytes);

/// Rank 0 does it, all fail if it does.
void on_rank_0(const Communicator& ranks, const std::function<void()>& write);

/// Runs a command; an agreed failure is one line of rank 0 and the same exit code on every rank,
/// any other exception ends all ranks at once with its code.
int run_agreed(const Communicator& ranks, const Command& command);

}  // namespace attest::cli
