#include "cli/certify_levels.hpp"

#include "cli/certify_extras.hpp"
#include "cli/certify_margin.hpp"
#include "cli/command.hpp"
#include "core/base/text.hpp"
#include "core/certify/enclosure.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/leverage.hpp"
#include "core/certify/proof_file.hpp"

#include <algorithm>

namespace attest::cli {

namespace {

/// Whom the answer is about: a model with fewer heads cannot be every minimiser over P, so that a
/// deficiency proves nothing about it.
std::string head_condition(const Dataset& data) {
    const Index d = data.d();
    const Index enough = data.o() > 0 ? std::min(data.o() * d, packed_dim(d)) : packed_dim(d);
    return concat("for models with at least ",
                  enough,
                  " heads",
                  data.o() > 0 ? "" : " (d(d+1)/2; the data set has no labels)");
}

/// A model with few heads that fits its labels exactly is the minimiser over P; one that does not
/// need not be unique.
std::string determined(const Dataset& data) {
    return "determined: every empirical risk minimiser computes the same function (proved), " +
           head_condition(data) + ", or with any number that fit the labels exactly";
}

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
            report.add("verdict", "determined", determined(data));
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
CertifyOutcome report_queries(Report& report,
                              const Dataset& data,
                              const ExactRank& rank,
                              const Dataset& queries) {
    require(queries.d() == data.d(),
            concat("queries: tokens have ", queries.d(), " entries, the data have ", data.d()));
    const std::vector<QuerySpan> spans = certify_span(data, rank, queries);
    const ScaledFactor scaled = scaled_factor(data);
    const Vector leverages =
        NumericalLeverage(scaled.factor).of(*scaled_source(queries, scaled.scale));
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

}  // namespace

void describe_data(Report& report, const Dataset& data) {
    report.add("num_examples", data.num_examples());
    report.add("d", data.d());
    report.add(
        "o", data.o(), data.labels == LabelKind::none ? "no labels" : std::to_string(data.o()));
    report.add("psi", feature_dim(data.d()));
}

CertifyOutcome certify_numerically(Report& report, const Dataset& data) {
    const ScaledSpectrum scaled = scaled_spectrum(data);
    const NumericalSpectrum& spectrum = scaled.spectrum;
    const ScaledNumber least{spectrum.lambda_min, 2 * scaled.features};
    const ScaledNumber threshold{spectrum.threshold, scaled.features};
    const bool full = spectrum.nullity() == 0;
    report.add("rank", spectrum.rank, concat(spectrum.rank, " (numerical)"));
    report.add("nullity", spectrum.nullity(), concat(spectrum.nullity(), " (numerical)"));
    report.add("lambda_min", lambda_min_json(least), brief(least) + " (numerical)");
    report_condition(report, scaled);
    report.add("threshold",
               json_number(threshold),
               concat(brief(threshold), ", below which a singular value of H/sqrt(N) counts as 0"));
    report.add("verdict",
               full ? "numerically_full_rank" : "numerically_deficient",
               full
                   ? "numerically full rank: floating point sees one minimiser; this proves nothing"
                   : "numerically deficient: floating point cannot prove it; use --level exact");
    return {full ? kHolds : kUndecided, std::nullopt};
}

CertifyOutcome certify_exactly(Report& report, const Dataset& data, const ExactRequest& request) {
    // A witness is made of null vectors, also where N < psi has proved the verdict without one.
    const ExactRank rank = certify_rank(
        data, {request.witness.empty() ? NullVectors::as_needed : NullVectors::all, {}});
    if (request.presume == Presume::realisable && !report_realisable(report, data, rank)) {
        return {kUndecided, std::nullopt};
    }
    CertifyOutcome outcome{report_rank(report, data, rank), std::nullopt};
    if (request.queries == nullptr) {
        outcome.proof = rank_proof(data, rank);
    } else {
        outcome = report_queries(report, data, rank, *request.queries);
    }
    if (request.margin == Margin::where_cheap) {
        report_margin(report, data, rank);
    }
    if (!request.witness.empty()) {
        report_witness(report, request.witness, data, rank, request.queries);
    }
    return outcome;
}

CertifyOutcome certify_rigorously(Report& report, const Dataset& data) {
    const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(data));
    report.add("lambda_min",
               {{"value", nullptr},
                {"lo", json_number(scaled_number(enclosure.lo))},
                {"hi", json_number(scaled_number(enclosure.hi))}},
               enclosure_text(enclosure));
    if (enclosure.proves_full_rank()) {
        report.add("verdict", "determined", determined(data));
        return {kHolds, lambda_min_proof(data, enclosure)};
    }
    report.add("reason", enclosure.note);
    report.add("verdict", "undecided", "undecided: try --level exact");
    return {kUndecided, lambda_min_proof(data, enclosure)};
}

}  // namespace attest::cli
