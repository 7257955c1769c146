#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/data/dataset_file.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct CertifyOptions {
    std::string data;
    std::string level = "auto";
    bool skip_invalid = false;
};

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

int certify_exactly(Report& report, const Dataset& data) {
    const ExactRank rank = certify_rank(data);
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
            report.add(
                "verdict",
                "determined",
                "determined: every empirical risk minimiser computes the same function (proved)");
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

int certify(const CertifyOptions& options, const CommonOptions& common) {
    const Dataset data = read_dataset(
        options.data, options.skip_invalid ? InvalidExamples::skip : InvalidExamples::reject);
    Report report;
    report.add("level", options.level);
    describe_data(report, data);
    const int code = options.level == "numerical" ? certify_numerically(report, data)
                                                  : certify_exactly(report, data);
    report.print(std::cout, common.json);
    return code;
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
        ->check(CLI::IsMember({"auto", "numerical", "exact"}))
        ->capture_default_str();
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_common(*app, common);
    add_examples(*app,
                 "  attest certify data.npz\n"
                 "  attest certify data.npz --level numerical --json\n");
    return {app, [options, &common] { return certify(*options, common); }};
}

}  // namespace attest::cli
