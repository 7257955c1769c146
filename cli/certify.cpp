#include "cli/certify_extras.hpp"
#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "core/base/atomic_file.hpp"
#include "core/certify/enclosure.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/leverage.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/certify/proof_file.hpp"
#include "core/data/dataset_file.hpp"

#include <iostream>
#include <limits>
#include <memory>
#include <optional>

namespace attest::cli {

namespace {

struct CertifyOptions {
    std::string data;
    std::string level = "auto";
    std::string queries;
    std::string proof;
    std::string witness;
    std::string model;
    std::string ood;
    std::string pool;
    double noise = std::numeric_limits<double>::quiet_NaN();
    Index suggest = 0;
    bool skip_invalid = false;
};

constexpr const char* kDetermined =
    "determined: every empirical risk minimiser computes the same function (proved)";

void describe_data(Report& report, const Dataset& data) {
    report.add("num_examples", data.num_examples());
    report.add("d", data.d());
    report.add(
        "o", data.o(), data.labels == LabelKind::none ? "no labels" : std::to_string(data.o()));
    report.add("psi", feature_dim(data.d()));
}

nlohmann::ordered_json enclosure(double value) {
    return {{"value", json_number(value)}, {"lo", nullptr}, {"hi", nullptr}};
}

/// Fewer heads than this shrink the set of minimisers, so that a deficiency proves nothing about
/// them.
std::string head_condition(const Dataset& data) {
    const Index d = data.d();
    const Index enough = data.o() > 0 ? std::min(data.o() * d, packed_dim(d)) : packed_dim(d);
    return concat("for models with at least ",
                  enough,
                  " heads",
                  data.o() > 0 ? "" : " (d(d+1)/2; the data set has no labels)");
}

int certify_numerically(Report& report, const Dataset& data) {
    const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(DatasetSource(data)));
    const bool full = spectrum.nullity() == 0;
    report.add("rank", spectrum.rank, concat(spectrum.rank, " (numerical)"));
    report.add("nullity", spectrum.nullity(), concat(spectrum.nullity(), " (numerical)"));
    report.add(
        "lambda_min", enclosure(spectrum.lambda_min), brief(spectrum.lambda_min) + " (numerical)");
    report.add("lambda_max", json_number(spectrum.lambda_max), brief(spectrum.lambda_max));
    report.add("threshold",
               json_number(spectrum.threshold),
               concat(brief(spectrum.threshold),
                      ", below which a singular value of H/sqrt(N) counts as 0"));
    report.add("verdict",
               full ? "numerically_full_rank" : "numerically_deficient",
               full
                   ? "numerically full rank: floating point sees one minimiser; this proves nothing"
                   : "numerically deficient: floating point cannot prove it; use --level exact");
    return full ? kHolds : kUndecided;
}

/// What the exact level found and what it can prove to others.
struct ExactOutcome {
    int code = kUndecided;
    std::optional<std::string> proof;
};

int report_rank(Report& report, const Dataset& data, const ExactRank& rank) {
    const auto of_psi = [&](Index value) { return concat(value, " of ", rank.psi); };
    if (rank.rank_is_exact()) {
        report.add("rank", rank.rank_lower, of_psi(rank.rank_lower) + " (proved over Q)");
        report.add("nullity", rank.psi - rank.rank_lower);
    } else {
        report.add("rank", nullptr, concat("between ", rank.rank_lower, " and ", rank.rank_upper));
        report.add("nullity", nullptr, "undecided");
    }
    report.add_json("rank_lower", rank.rank_lower);
    report.add_json("rank_upper", rank.rank_upper);
    report.add("reason", rank.reason);
    switch (rank.verdict) {
        case RankVerdict::full_rank:
            report.add("verdict", "determined", kDetermined);
            return kHolds;
        case RankVerdict::deficient:
            report.add("verdict",
                       "not_determined",
                       "not determined: minimisers disagree on some input (proved), " +
                           head_condition(data));
            return kDoesNotHold;
        case RankVerdict::undecided:
            report.add("verdict", "undecided", "undecided: neither proved nor refuted");
            return kUndecided;
    }
    return kInternal;
}

/// One line a query. The command's answer is then about the queries: 0 all determined, 1 one is
/// not, else 3.
ExactOutcome report_queries(Report& report,
                            const Dataset& data,
                            const ExactRank& rank,
                            const Dataset& queries) {
    require(queries.d() == data.d(),
            concat("queries: tokens have ", queries.d(), " entries, the data have ", data.d()));
    const std::vector<QuerySpan> spans = certify_span(data, rank, queries);
    const NumericalLeverage leverage(triangular_factor(DatasetSource(data)));
    const Vector leverages = leverage.of(DatasetSource(queries));
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    Index determined = 0;
    Index refuted = 0;
    for (std::size_t k = 0; k < spans.size(); ++k) {
        const double lev = leverages(static_cast<Index>(k));
        determined += spans[k].verdict == Determination::determined ? 1 : 0;
        refuted += spans[k].verdict == Determination::not_determined ? 1 : 0;
        list.push_back({{"index", k},
                        {"verdict", to_string(spans[k].verdict)},
                        {"evidence", to_string(spans[k].evidence)},
                        {"leverage", json_number(lev)}});
        if (k < 20) {
            report.say(concat(
                "  query ", k, ": ", to_string(spans[k].verdict), ", leverage ", brief(lev)));
        }
    }
    report.add("queries",
               list,
               concat(determined, " determined, ", refuted, " not determined, of ", spans.size()));
    if (refuted > 0) {
        return {kDoesNotHold, undetermined_proof(data, rank, queries, spans)};
    }
    const bool all = determined == static_cast<Index>(spans.size());
    return {all ? kHolds : kUndecided, determined_proof(data, rank, queries, spans)};
}

ExactOutcome certify_exactly(Report& report,
                             const CertifyOptions& options,
                             const Dataset& data,
                             const Dataset* queries) {
    const ExactRank rank = certify_rank(data);
    const int code = report_rank(report, data, rank);
    const ExactOutcome outcome = queries == nullptr ? ExactOutcome{code, rank_proof(data, rank)}
                                                    : report_queries(report, data, rank, *queries);
    if (!options.witness.empty()) {
        report_witness(report, options.witness, data, rank, queries);
    }
    return outcome;
}

ExactOutcome certify_rigorously(Report& report, const Dataset& data) {
    const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(data));
    const double lo = to_double(enclosure.lo);
    const double hi = to_double(enclosure.hi);
    report.add("lambda_min",
               {{"value", nullptr}, {"lo", json_number(lo)}, {"hi", json_number(hi)}},
               concat("in [", round_trip(lo), ", ", round_trip(hi), "] (proved; shown rounded)"));
    if (enclosure.proves_full_rank()) {
        report.add("verdict", "determined", kDetermined);
        return {kHolds, lambda_min_proof(data, enclosure)};
    }
    report.add("reason", enclosure.note);
    report.add("verdict", "undecided", "undecided: try --level exact");
    return {kUndecided, lambda_min_proof(data, enclosure)};
}

void write_proof(Report& report, const std::string& path, const std::optional<std::string>& proof) {
    if (path.empty()) {
        return;
    }
    if (proof) {
        write_file_atomically(path, std::string_view(*proof));
        report.add("proof",
                   path,
                   path + "; verify it with attest-check, which shares no code with this program");
    } else {
        report.add("proof",
                   nullptr,
                   "none: the evidence at hand does not prove the answer to a third party");
    }
}

int certify(const CertifyOptions& options, const CommonOptions& common) {
    const Dataset data = read_dataset(
        options.data, options.skip_invalid ? InvalidExamples::skip : InvalidExamples::reject);
    std::optional<Dataset> inputs;
    if (!options.queries.empty()) {
        inputs = read_dataset(options.queries);
    }
    const Dataset* queries = inputs ? &*inputs : nullptr;
    Report report;
    report.add("level", options.level);
    describe_data(report, data);
    ExactOutcome outcome;
    if (options.level == "numerical") {
        outcome.code = certify_numerically(report, data);
    } else if (options.level == "rigorous") {
        outcome = certify_rigorously(report, data);
    } else {
        outcome = certify_exactly(report, options, data, queries);
    }
    if (!options.model.empty()) {
        report_model(report, options.model, data, queries);
    }
    if (!options.ood.empty()) {
        report_ood(report, options.ood, options.noise, data);
    }
    if (options.suggest > 0) {
        report_suggestions(report, options.suggest, options.pool, data);
    }
    write_proof(report, options.proof, outcome.proof);
    report.print(std::cout, common.json);
    return outcome.code;
}

}  // namespace

Command add_certify(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<CertifyOptions>();
    CLI::App* app = program.add_subcommand("certify",
                                           "Is the learned function determined by the data? Exit 0 "
                                           "yes, 1 no (both proved), 3 undecided");
    app->add_option("data", options->data, "Data set (.npz); labels are not needed")->required();
    app->add_option(
           "--level",
           options->level,
           "auto and exact prove over the rationals; numerical looks at singular values and "
           "proves nothing")
        ->check(CLI::IsMember({"auto", "numerical", "rigorous", "exact"}))
        ->capture_default_str();
    app->add_option("--queries",
                    options->queries,
                    "Data set (.npz) of inputs: is the output on each determined? (auto, exact)");
    app->add_option(
        "--proof", options->proof, "Write a proof for attest-check to this file (.cert)");
    app->add_option("--witness",
                    options->witness,
                    "Write two minimisers that disagree: OUT-a.npz, OUT-b.npz and OUT-input.npz");
    app->add_option("--model",
                    options->model,
                    "Your own model: how far may an equally good one differ, on each query?");
    app->add_option(
        "--ood", options->ood, "Other data: expected excess risk there under label noise");
    app->add_option(
           "--noise", options->noise, "Standard deviation of the label noise; else estimated")
        ->check(CLI::NonNegativeNumber);
    CLI::Option* pool =
        app->add_option("--pool", options->pool, "Candidate sequences (.npz) for --suggest");
    app->add_option("--suggest", options->suggest, "Which K examples of the pool to add")
        ->check(CLI::PositiveNumber)
        ->needs(pool);
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_common(*app, common);
    add_examples(*app,
                 "  attest certify data.npz\n"
                 "  attest certify data.npz --proof data.cert && attest-check data.cert data.npz\n"
                 "  attest certify data.npz --queries fresh.npz --json\n"
                 "  attest certify data.npz --level rigorous\n"
                 "  attest certify data.npz --witness witness.npz\n"
                 "  attest certify data.npz --suggest 5 --pool candidates.npz\n");
    return {app, [options, &common] { return certify(*options, common); }};
}

}  // namespace attest::cli
