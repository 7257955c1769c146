#include "core/questions/certify.hpp"

#include "cli/mpi/bench.hpp"
#include "cli/mpi/mpi_command.hpp"
#include "core/base/memory.hpp"
#include "core/certify/proof.hpp"
#include "distributed/block_moments.hpp"
#include "distributed/distributed_fit.hpp"
#include "distributed/distributed_groups.hpp"
#include "distributed/distributed_rank.hpp"

#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace attest::cli {

namespace {

struct MpiCertifyOptions {
    std::vector<std::string> shards;
    std::string layer = "linear";
    std::string level = "numerical";
    std::string proof;
};

/// How many ranks read how many files.
void show_ranks(Output& output, const Communicator& ranks, const ShardTable& table) {
    output.add("ranks", ranks.size());
    output.add("shards", table.paths.size());
}

int certify_numerically(const Communicator& ranks, ShardedData& data, const CommonOptions& common) {
    const Measure measure;
    const SourceShape shape = data.table.shape();
    EigenvalueEstimate found;
    double bytes = 0.0;
    if (shape.num_examples >= shape.psi()) {
        (void)distributed_chain(ranks, data, "gram64");  // refuses what does not fit
        bytes = rank_bytes(distributed_solver_named("gram64"), data.table, data.partition);
        tell_memory(ranks, "certify", bytes);
        read_own_blocks(ranks, data);
        require_ordinary_sizes(ranks, data);
        found = distributed_minimum_eigenvalue(ranks, data, common.threads);
    }
    Output output;
    output.add("level", "numerical");
    show_ranks(output, ranks, data.table);
    output.add("layer", to_string(data.table.layer));
    output.add("num_examples", shape.num_examples);
    output.add("d", data.table.input.d);
    output.add("psi", shape.psi());
    nlohmann::ordered_json lambda_min{{"value", nullptr}, {"lo", nullptr}, {"hi", nullptr}};
    if (found.converged) {
        lambda_min["value"] = number_or_null(found.value);
    }
    output.add("lambda_min",
               lambda_min,
               found.converged ? brief(found.value) + " (numerical)" : "not resolved");
    output.add_json("lambda_min_error", found.error);
    output.add("verdict",
               found.converged ? "numerically_full_rank" : "numerically_deficient",
               found.converged
                   ? "numerically full rank: floating point sees one minimiser; this proves nothing"
                   : "numerically deficient: floating point cannot prove it; use --level exact");
    output.add("predicted_bytes", bytes, format_bytes(bytes) + " on a rank");
    measure.show(ranks, output);
    on_rank_0(ranks, [&] { output.print(std::cout, common.json); });
    return found.converged ? kHolds : kUndecided;
}

/// Where each sequence begins, as far as an answer shows it: the numbers of examples and tokens.
std::vector<Index> offsets_for_counting(const ShardTable& table) {
    if (table.labels == LabelKind::per_prefix) {
        return {0, table.num_tokens};
    }
    std::vector<Index> offsets(static_cast<std::size_t>(table.num_examples) + 1);
    std::iota(offsets.begin(), offsets.end(), Index{0});
    return offsets;
}

/// What one of the two ways to prove a rank found.
struct Proved {
    CertifyEvidence evidence;
    RankVerdict verdict = RankVerdict::undecided;
};

Proved decide_exactly(const Communicator& ranks, const ShardedData& data) {
    ExactEvidence exact;
    exact.rank = distributed_exact_rank(ranks, data);
    // A deficiency of another layer may be its own, which is attest certify's to say.
    const bool own = exact.rank.verdict == RankVerdict::deficient && !data.table.layer.is_linear();
    const RankVerdict verdict = own ? RankVerdict::undecided : exact.rank.verdict;
    return {std::move(exact), verdict};
}

Proved decide_by_groups(const Communicator& ranks, const ShardedData& data) {
    GroupedRank rank = distributed_grouped_rank(ranks, data);
    const RankVerdict verdict = rank.verdict;
    return {std::move(rank), verdict};
}

std::optional<std::string> proof_of(const CertifyEvidence& evidence, const SequenceSource& data) {
    const auto* const grouped = std::get_if<GroupedRank>(&evidence);
    return grouped != nullptr ? grouped_proof(data, *grouped)
                              : rank_proof(data, std::get<ExactEvidence>(evidence).rank);
}

int certify_over_q(const MpiCertifyOptions& options,
                   const Communicator& ranks,
                   ShardedData& data,
                   const CommonOptions& common) {
    const Measure measure;
    const ShardTable& table = data.table;
    const bool grouped = options.level == "grouped";
    const double bytes = grouped ? grouped_rank_bytes(table, data.partition)
                                 : share_bytes(table, data.partition) +
                                       exact_rank_bytes(table.shape(), ranks.size());
    require_rank_memory(ranks, bytes, "exact elimination", "--level numerical");
    tell_memory(ranks, "certify", bytes);
    read_own_blocks(ranks, data);
    Proved proved = grouped ? decide_by_groups(ranks, data) : decide_exactly(ranks, data);
    const DataVerdict verdict = data_verdict(proved.verdict);
    Output output;
    on_rank_0(ranks, [&] {
        const std::vector<Index> offsets = offsets_for_counting(table);
        Certification found;
        found.level = certify_level_from_string(options.level);
        found.data = {table.input.d, table.o, table.labels, table.layer, table.input, offsets};
        found.least_heads = heads_for_every_function(found.data);
        found.verdict = verdict;
        found.answer = verdict;
        found.evidence = std::move(proved.evidence);
        if (!options.proof.empty()) {
            found.proof = proof_of(found.evidence, StreamedDataset(table.paths, table.layer));
            keep_proof(found, options.proof);
        }
        output = describe(found);
    });
    show_ranks(output, ranks, table);
    output.add("predicted_bytes", bytes, format_bytes(bytes) + " on a rank");
    measure.show(ranks, output);
    on_rank_0(ranks, [&] { output.print(std::cout, common.json); });
    return exit_code(decision(verdict));
}

int certify_shards(const MpiCertifyOptions& options,
                   const CommonOptions& common,
                   const Communicator& ranks) {
    const bool numerical = options.level == "numerical";
    if (numerical && !options.proof.empty()) {
        throw AgreedFailure(FailureKind::input,
                            "--proof: level numerical proves nothing; add --level exact");
    }
    ShardedData data = open_shards(ranks, options.shards, layer_of_all_ranks(options.layer));
    return numerical ? certify_numerically(ranks, data, common)
                     : certify_over_q(options, ranks, data, common);
}

}  // namespace

Command add_mpi_certify(CLI::App& program, CommonOptions& common, const Communicator& ranks) {
    const auto options = std::make_shared<MpiCertifyOptions>();
    CLI::App* app = program.add_subcommand(
        "certify",
        "Do the data of all shards determine the learned function? Exit 0 yes, 1 no, 3 undecided");
    add_shards(*app, options->shards);
    add_layer_option(*app, options->layer);
    app->add_option(
           "--level",
           options->level,
           "numerical: the least eigenvalue of the second moment; exact: the rank over the "
           "rationals, proved; grouped: the same by examples with one query token")
        ->check(CLI::IsMember({"numerical", "exact", "grouped"}))
        ->capture_default_str();
    app->add_option("--proof",
                    options->proof,
                    "With --level exact or grouped: rank 0 writes a proof for attest-check to this "
                    "file (.cert)");
    add_common(*app, common);
    add_examples(*app,
                 "  mpirun -n 4 attest-mpi certify data-*.npz\n"
                 "  mpirun -n 4 attest-mpi certify data-*.npz --level exact --proof data.cert\n"
                 "  mpirun -n 4 attest-mpi certify data-*.npz --layer \"decay=1,31/32\"\n");
    return {app, [options, &common, &ranks] { return certify_shards(*options, common, ranks); }};
}

}  // namespace attest::cli
