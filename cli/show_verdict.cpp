#include "cli/show_verdict.hpp"

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "core/base/text.hpp"
#include "core/exact/dyadic.hpp"

#include <cmath>

namespace attest::cli {

namespace {

/// Whom the answer is about: a model with fewer heads cannot be every minimiser over P, so that a
/// deficiency proves nothing about it. Nothing where the layer has coefficients only.
std::string head_condition(const Certification& found, Index o) {
    return found.heads == 0 ? ""
                            : formatted(", for models with at least {} heads{}",
                                        found.heads,
                                        o > 0 ? "" : " (the data set has no labels)");
}

/// A model with few heads that fits its labels exactly is the minimiser over P; one that does not
/// need not be unique.
std::string in_words(const Certification& found, CertifyLevel level, Index o) {
    switch (found.verdict) {
        case DataVerdict::determined:
            return "determined: every empirical risk minimiser computes the same function "
                   "(proved)" +
                   head_condition(found, o) +
                   (found.heads == 0 ? "" : ", or with any number that fit the labels exactly");
        case DataVerdict::not_determined:
            return "not determined: minimisers disagree on some input (proved)" +
                   head_condition(found, o);
        case DataVerdict::undecided:
            return level == CertifyLevel::rigorous ? "undecided: try --level exact"
                   : level == CertifyLevel::matrix_free
                       ? "undecided: the iteration has not resolved lambda_min; try --level "
                         "numerical or exact"
                   : found.rank || found.grouped
                       ? "undecided: neither proved nor refuted"
                       : "undecided: --realisable presumes that a model fits every label exactly";
        case DataVerdict::numerically_full_rank:
            return "numerically full rank: floating point sees one minimiser; this proves nothing";
        case DataVerdict::numerically_deficient:
            return "numerically deficient: floating point cannot prove it; use --level exact";
    }
    return "";
}

void show_spectrum(Output& output, const NumericalSpectrum& spectrum) {
    output.add("rank", spectrum.rank, formatted("{} (numerical)", spectrum.rank));
    output.add("nullity", spectrum.nullity(), formatted("{} (numerical)", spectrum.nullity()));
    show_lambda_min(output, &spectrum, nullptr);
    show_condition(output, spectrum);
    const ScaledNumber threshold{spectrum.threshold, spectrum.exponent};
    output.add(
        "threshold",
        number_or_null(threshold),
        formatted("{}, below which a singular value of H/sqrt(N) counts as 0", brief(threshold)));
}

/// What is proved of the rank: an ExactRank or a GroupedRank.
template <class Rank>
void show_rank(Output& output, const Rank& rank) {
    const auto of_psi = [&](Index value) { return formatted("{} of {}", value, rank.psi); };
    if (rank.rank_is_exact()) {
        output.add("rank", rank.rank_lower, of_psi(rank.rank_lower) + " (proved over Q)");
        output.add("nullity", rank.psi - rank.rank_lower);
    } else {
        output.add(
            "rank", nullptr, formatted("between {} and {}", rank.rank_lower, rank.rank_upper));
        output.add("nullity", nullptr, "undecided");
    }
    output.add_json("rank_lower", rank.rank_lower);
    output.add_json("rank_upper", rank.rank_upper);
    output.add("reason", rank.reason);
}

std::string share(double probability) {
    return probability < 1.0 ? formatted("at most {}", brief(probability)) : "no bound below 1";
}

/// How much of the future is determined; assumes that it has the data's law.
void show_coverage(Output& output, const Coverage& coverage) {
    output.add("not_determined_expected",
               number_or_null(coverage.expected),
               formatted("{} of fresh examples, in the mean over such data (exchangeable)",
                         share(coverage.expected)));
    output.add("not_determined_at_most",
               number_or_null(coverage.at_most),
               formatted("{} of fresh examples, with confidence {} (independent, one law)",
                         share(coverage.at_most),
                         brief(coverage.confidence)));
    output.add_json("confidence", number_or_null(coverage.confidence));
    if (coverage.outside) {
        output.add("leave_one_out",
                   *coverage.outside,
                   formatted("{} of {} examples are not determined by the others",
                             *coverage.outside,
                             coverage.draws));
    } else {
        output.add_json("leave_one_out", nullptr);
    }
}

/// What of the nullity is the layer's own.
void show_structure(Output& output, const StructureAudit& structure, const ExactRank& rank) {
    const std::string lengths =
        structure.shortest == structure.longest
            ? formatted("{} token{}", structure.longest, structure.longest == 1 ? "" : "s")
            : formatted("the lengths seen, {} to {} tokens", structure.shortest, structure.longest);
    if (!structure.seen) {
        output.add("structural_rank",
                   nullptr,
                   "not computed: too many features, lengths or terms; ask by --queries");
        return;
    }
    const bool all = structure.determined_on_all(rank);
    const std::string meaning =
        all ? "the rest vanishes on every input and changes no output"
        : structure.determined_on_seen(rank)
            ? "on such inputs every minimiser computes the same function (proved)"
        : rank.rank_upper < structure.seen->rank
            ? "the data leave more open than the layer does"
            : "whether the data leave more open than the layer does is undecided";
    output.add("structural_rank",
               structure.seen->rank,
               formatted("{}{} of {} on inputs of {}: {}",
                         structure.seen->is_exact ? "" : "at least ",
                         structure.seen->rank,
                         rank.psi,
                         lengths,
                         meaning));
    output.add_json("structural_rank_is_exact", structure.seen->is_exact);
    output.add_json("determined_on_lengths_seen", structure.determined_on_seen(rank));
    if (rank.rank_is_exact() && structure.seen->is_exact) {
        output.add("nullity_beyond_structure", structure.seen->rank - rank.rank_lower);
    }
}

/// One line a query, of the first twenty.
void show_queries(Output& output, const QueryAudit& queries) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < queries.spans.size(); ++k) {
        const QuerySpan& span = queries.spans[k];
        const double leverage = queries.leverages(static_cast<Index>(k));
        list.push_back({{"index", k},
                        {"verdict", to_string(span.verdict)},
                        {"evidence", to_string(span.evidence)},
                        {"leverage", number_or_null(leverage)}});
        if (k < 20) {
            output.say(formatted(
                "  query {}: {}, leverage {}", k, to_string(span.verdict), brief(leverage)));
        }
    }
    output.add("queries",
               list,
               formatted("{} determined, {} not determined, of {}",
                         queries.determined,
                         queries.not_determined,
                         queries.spans.size()));
}

void show_labels(Output& output, const ConsistencyReport& labels) {
    output.add("labels",
               to_string(labels.verdict),
               formatted("{}: {}", to_string(labels.verdict), labels.reason));
}

}  // namespace

void describe_data(Output& output, const SequenceShape& data) {
    output.add("layer", to_string(data.layer));
    output.add("num_examples", data.num_examples());
    output.add("d", data.d);
    output.add("o", data.o, data.labels == LabelKind::none ? "no labels" : std::to_string(data.o));
    output.add("psi", data.layout().psi());
}

void show_verdict(Output& output, const Certification& found, CertifyLevel level, Index o) {
    const NumericalSpectrum* const spectrum = found.spectrum ? &*found.spectrum : nullptr;
    const LambdaMinEnclosure* const enclosure = found.enclosure ? &*found.enclosure : nullptr;
    if (level == CertifyLevel::numerical) {
        show_spectrum(output, *found.spectrum);
    }
    if (level == CertifyLevel::matrix_free) {
        show_operator_spectrum(output, *found.operator_spectrum);
    }
    if (level == CertifyLevel::rigorous) {
        show_lambda_min(output, nullptr, enclosure);
        if (!enclosure->proves_full_rank()) {
            output.add("reason", enclosure->note);
        }
    }
    if (found.labels) {
        show_labels(output, *found.labels);
    }
    if (found.rank) {
        show_rank(output, *found.rank);
    }
    if (found.grouped) {
        show_rank(output, *found.grouped);
        output.add("groups", found.grouped->groups.size());
    }
    if (found.structure) {
        show_structure(output, *found.structure, *found.rank);
    }
    if (found.coverage) {
        show_coverage(output, *found.coverage);
    }
    output.add("verdict", to_string(found.verdict), in_words(found, level, o));
    if (found.queries) {
        show_queries(output, *found.queries);
    }
    if (level == CertifyLevel::automatic && spectrum != nullptr) {
        show_lambda_min(output, spectrum, enclosure);
        show_condition(output, *spectrum);
    }
}

int exit_code(DataVerdict answer) {
    switch (answer) {
        case DataVerdict::determined:
        case DataVerdict::numerically_full_rank:
            return kHolds;
        case DataVerdict::not_determined:
            return kDoesNotHold;
        case DataVerdict::undecided:
        case DataVerdict::numerically_deficient:
            return kUndecided;
    }
    return kInternal;
}

namespace {

/// The end of an enclosure as a number that may lie outside the range of doubles.
ScaledNumber scaled_number(const BigDyadic& value) {
    const auto bits = static_cast<int>(bit_length(value.mantissa));
    return {to_double({value.mantissa, -bits}), value.mantissa == 0 ? 0 : value.exponent + bits};
}

std::string end_in_words(const BigDyadic& value) {
    const double nearest = to_double(value);
    return value.mantissa == 0 || std::isnormal(nearest) ? round_trip(nearest)
                                                         : brief(scaled_number(value));
}

}  // namespace

void show_lambda_min(Output& output,
                     const NumericalSpectrum* spectrum,
                     const LambdaMinEnclosure* enclosure) {
    nlohmann::ordered_json lambda_min{{"value", nullptr}, {"lo", nullptr}, {"hi", nullptr}};
    std::string text;
    if (spectrum != nullptr) {
        const ScaledNumber least{spectrum->lambda_min, 2 * spectrum->exponent};
        lambda_min["value"] = number_or_null(least);
        text = brief(least) + " (numerical)";
    }
    if (enclosure != nullptr) {
        lambda_min["lo"] = number_or_null(scaled_number(enclosure->lo));
        lambda_min["hi"] = number_or_null(scaled_number(enclosure->hi));
        text += formatted("{}in [{}, {}] (proved; shown rounded)",
                          text.empty() ? "" : ", ",
                          end_in_words(enclosure->lo),
                          end_in_words(enclosure->hi));
    }
    output.add("lambda_min", lambda_min, text);
}

void show_condition(Output& output, const NumericalSpectrum& spectrum) {
    const ScaledNumber largest{spectrum.lambda_max, 2 * spectrum.exponent};
    output.add("lambda_max", number_or_null(largest), brief(largest));
    output.add("condition",
               number_or_null(spectrum.condition()),
               brief(spectrum.condition()) + " (of H on its numerical row space)");
}

void show_operator_spectrum(Output& output, const OperatorSpectrum& spectrum) {
    const auto scaled = [&](double value) { return ScaledNumber{value, 2 * spectrum.exponent}; };
    NumericalSpectrum least;
    least.lambda_min = spectrum.least.value;
    least.exponent = spectrum.exponent;
    show_lambda_min(output, &least, nullptr);
    const ScaledNumber error = scaled(spectrum.least.error);
    output.add("lambda_min_error",
               number_or_null(error),
               formatted("{}: an eigenvalue lies as near{}",
                         brief(error),
                         spectrum.least.converged ? "" : " (not converged)"));
    const ScaledNumber largest = scaled(spectrum.lambda_max);
    output.add("lambda_max", number_or_null(largest), brief(largest));
    const ScaledNumber threshold = scaled(spectrum.threshold);
    output.add("threshold",
               number_or_null(threshold),
               formatted("{}, below which an eigenvalue counts as 0", brief(threshold)));
    output.add("iterations", spectrum.least.iterations);
    output.add_json("converged", spectrum.least.converged);
}

}  // namespace attest::cli
