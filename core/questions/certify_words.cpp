#include "core/base/bitwise.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/certify/witness.hpp"
#include "core/data/dataset_file.hpp"
#include "core/exact/dyadic.hpp"
#include "core/questions/certify.hpp"
#include "core/questions/explanation_words.hpp"
#include "core/questions/express.hpp"
#include "core/questions/proof_file.hpp"

#include <cmath>

namespace attest {

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

/// Whom the answer is about: a model with fewer heads cannot be every minimiser over P, so that a
/// deficiency proves nothing about it. Nothing where the layer has coefficients only.
std::string head_condition(const Certification& found) {
    return found.least_heads == 0
               ? ""
               : formatted(", for models with at least {} heads{}",
                           found.least_heads,
                           found.data.o > 0 ? "" : " (the data set has no labels)");
}

/// A model with few heads that fits its labels exactly is the minimiser over P; one that does not
/// need not be unique.
std::string in_words(const Certification& found) {
    switch (found.verdict) {
        case DataVerdict::determined:
            return "determined: every empirical risk minimiser computes the same function "
                   "(proved)" +
                   head_condition(found) +
                   (found.least_heads == 0 ? ""
                                           : ", or with any number that fit the labels exactly");
        case DataVerdict::not_determined:
            return "not determined: minimisers disagree on some input (proved)" +
                   head_condition(found);
        case DataVerdict::undecided:
            return found.level == CertifyLevel::rigorous ? "undecided: try --level exact"
                   : found.level == CertifyLevel::matrix_free
                       ? "undecided: the iteration has not resolved lambda_min; try --level "
                         "numerical or exact"
                   : !std::holds_alternative<ConsistencyReport>(found.evidence)
                       ? "undecided: neither proved nor refuted"
                       : "undecided: --realisable presumes that a model fits every label exactly";
        case DataVerdict::numerically_full_rank:
            return "numerically full rank: floating point sees one minimiser; this proves nothing";
        case DataVerdict::numerically_deficient:
            return "numerically deficient: floating point cannot prove it; use --level exact";
    }
    return "";
}

void show_condition(Output& output, const NumericalSpectrum& spectrum) {
    const ScaledNumber largest{spectrum.lambda_max, 2 * spectrum.exponent};
    output.add("lambda_max", number_or_null(largest), brief(largest));
    output.add("condition",
               number_or_null(spectrum.condition()),
               brief(spectrum.condition()) + " (of H on its numerical row space)");
}

void show_level(Output& output, const NumericalSpectrum& spectrum) {
    output.add("rank", spectrum.rank, formatted("{} (numerical)", spectrum.rank));
    output.add("nullity", spectrum.nullity(), formatted("{} (numerical)", spectrum.nullity()));
    describe_lambda_min(output, &spectrum, nullptr);
    show_condition(output, spectrum);
    const ScaledNumber threshold{spectrum.threshold, spectrum.exponent};
    output.add(
        "threshold",
        number_or_null(threshold),
        formatted("{}, below which a singular value of H/sqrt(N) counts as 0", brief(threshold)));
}

void show_level(Output& output, const OperatorSpectrum& spectrum) {
    const auto scaled = [&](double value) { return ScaledNumber{value, 2 * spectrum.exponent}; };
    NumericalSpectrum least;
    least.lambda_min = spectrum.least.value;
    least.exponent = spectrum.exponent;
    describe_lambda_min(output, &least, nullptr);
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

void show_level(Output& output, const LambdaMinEnclosure& enclosure) {
    describe_lambda_min(output, nullptr, &enclosure);
    if (!enclosure.proves_full_rank()) {
        output.add("reason", enclosure.note);
    }
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

void show_level(Output& output, const GroupedRank& rank) {
    show_rank(output, rank);
    output.add("groups", rank.groups.size());
}

void show_level(Output& output, const ConsistencyReport& labels) {
    output.add("labels",
               to_string(labels.verdict),
               formatted("{}: {}", to_string(labels.verdict), labels.reason));
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

std::string_view in_words(Determination verdict) {
    switch (verdict) {
        case Determination::determined:
            return "determined";
        case Determination::not_determined:
            return "not determined";
        case Determination::undecided:
            return "undecided";
    }
    return "";
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
                "  query {}: {}, leverage {}", k, in_words(span.verdict), brief(leverage)));
        }
    }
    output.add("queries",
               list,
               formatted("{} determined, {} not determined, of {}",
                         queries.determined,
                         queries.not_determined,
                         queries.spans.size()));
}

void show_level(Output& output, const ExactEvidence& found) {
    if (found.labels) {
        show_level(output, *found.labels);
    }
    show_rank(output, found.rank);
    if (found.structure) {
        show_structure(output, *found.structure, found.rank);
    }
    if (found.coverage) {
        show_coverage(output, *found.coverage);
    }
}

nlohmann::ordered_json sizes_json(const std::optional<HeadSizes>& sizes) {
    return sizes ? nlohmann::ordered_json{sizes->key, sizes->value} : nlohmann::ordered_json();
}

std::string in_words(const LocalDetermination& found) {
    const std::string layers = family_in_words(found);
    switch (found.verdict) {
        case LocalVerdict::determined:
            return formatted(
                "locally determined: the layers of {} near the model that have its "
                "outputs on the data compute its function",
                layers);
        case LocalVerdict::not_determined:
            return formatted(
                "not locally determined: however near the model, other layers of {} "
                "have its outputs on the data and compute other functions",
                layers);
        case LocalVerdict::singular:
            return "locally undecided: the model is a special point, such as one with a head of "
                   "zeros";
        case LocalVerdict::undecided:
            return "locally undecided: the rank of the data is not proved, or it is not known "
                   "which combinations of the layer's features vanish on every input";
    }
    return "";
}

/// A number that depends on the leverage, which is infinite outside the row space of the data.
std::string or_unbounded(double value) {
    return std::isfinite(value) ? brief(value)
                                : "any amount, for inputs that the data do not span,";
}

void show_model(Output& output, const ModelAudit& model, bool on_queries) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const ModelOnQuery& query : model.queries) {
        rows.push_back({{"index", rows.size()},
                        {"may_differ_by", number_or_null(query.may_differ_by)},
                        {"same_token", query.same_token()},
                        {"distance_to_erm", number_or_null(query.distance_to_minimiser)}});
    }
    output.add(
        "model",
        {{"risk", number_or_null(model.risk)},
         {"least_risk", number_or_null(model.least_risk)},
         {"queries", rows}},
        formatted("risk {}, the least possible {}", brief(model.risk), brief(model.least_risk)));
    if (on_queries) {
        output.say(
            formatted("  two models with at most this risk differ on a query by at most {} "
                      "(numerical; 2 sqrt((risk - least) leverage))",
                      or_unbounded(model.may_differ_by_at_most())));
        output.say(
            formatted("  below every entry's distance from 1/2, so that all round to the same "
                      "token: {} of {}",
                      model.same_tokens(),
                      model.queries.size()));
    }
}

void show_few_heads(Output& output, const LocalDetermination& found) {
    output.add("few_heads",
               {{"verdict", to_string(found.verdict)},
                {"heads", found.heads},
                {"parameters", found.parameters},
                {"dimension", found.dimension},
                {"rank", found.rank},
                {"examples_needed", found.examples},
                {"head_size", sizes_json(found.sizes)},
                {"head_ranks", sizes_json(found.ranks)},
                {"rounded_by", found.sizes ? nlohmann::ordered_json(found.rounded_by) : nullptr}},
               in_words(found));
    output.say(formatted(
        "  locally {} parameters{} make functions of {} dimensions, of which the data see "
        "{}; at least {} examples are needed, seldom one more{}",
        found.parameters,
        found.sizes ? "" : ", every V_h and Q_h free,",
        found.dimension,
        found.rank,
        found.examples,
        found.sizes || found.ranks ? ""
                                   : ". Heads of lower rank by construction are a smaller family"));
    if (found.ranks) {
        output.say(formatted(
            "  these numbers are of heads of full size; the model's have ranks {} and {}: "
            "--head-size {},{} asks about heads of these sizes",
            found.ranks->key,
            found.ranks->value,
            found.ranks->key,
            found.ranks->value));
    }
    if (found.sizes) {
        output.say(
            formatted("  of the model with its heads rounded to these sizes, by {} of the "
                      "largest entry",
                      brief(found.rounded_by)));
    }
}

void show_elsewhere(Output& output, const std::string& path, const OutOfDistribution& found) {
    output.add("ood",
               {{"sigma", number_or_null(found.sigma)},
                {"trace", number_or_null(found.trace)},
                {"excess_risk", number_or_null(found.excess_risk)}},
               formatted("expected excess risk on {} {} (numerical; label noise {})",
                         path,
                         or_unbounded(found.excess_risk),
                         brief(found.sigma)));
}

void show_truth(Output& output, const TruthDistance& found) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const double within : found.within) {
        rows.push_back(number_or_null(within));
    }
    output.add("noise",
               {{"sigma", found.sigma}, {"confidence", found.confidence}, {"truth_within", rows}},
               formatted("with probability {} the minimiser is within {} of the truth on every "
                         "query (numerical; noise {} in each output)",
                         brief(found.confidence),
                         or_unbounded(found.at_most),
                         brief(found.sigma)));
}

void show_suggestions(Output& output,
                      const std::string& pool,
                      const std::vector<Suggestion>& suggestions) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Suggestion& one : suggestions) {
        const ScaledNumber lambda_min{one.lambda_min, one.exponent};
        list.push_back({{"candidate", one.candidate},
                        {"outside", number_or_null(one.outside)},
                        {"leverage", number_or_null(one.leverage)},
                        {"rank", one.rank},
                        {"lambda_min", number_or_null(lambda_min)}});
        output.say(formatted("  add example {} of {}: rank {}, lambda_min {}",
                             one.candidate,
                             pool,
                             one.rank,
                             brief(lambda_min)));
    }
    output.add("suggestions", list, formatted("{} (numerical; certify the result)", list.size()));
}

constexpr Index kTokensShown = 8;
constexpr double kLargestShown = 999.0;

/// "[1 1; 0 1]", a column a token, where that is few small whole numbers; else nothing.
std::string small_matrix(const Eigen::Ref<const Matrix>& Z) {
    if (Z.cols() > kTokensShown || Z.rows() > kTokensShown) {
        return "";
    }
    std::string text = "[";
    for (Index i = 0; i < Z.rows(); ++i) {
        text += i == 0 ? "" : "; ";
        for (Index t = 0; t < Z.cols(); ++t) {
            const double entry = Z(i, t);
            if (std::abs(entry) > kLargestShown || !is_zero(entry - std::round(entry))) {
                return "";
            }
            text += (t == 0 ? "" : " ") + std::to_string(static_cast<Index>(entry));
        }
    }
    return text + "]";
}

bool is_short(const Rational& value) {
    return abs(numerator(value)) < 1000000 && denominator(value) < 1000000;
}

/// Two minimisers of the same training loss, as files; by hand, where the numbers are small.
void show_witness(Output& output, const WitnessAudit& found, const WitnessFiles& files) {
    const Witness& witness = found.witness;
    nlohmann::ordered_json json{{"models", files.models},
                                {"input", files.input},
                                {"difference", number_or_null(witness.difference)}};
    const std::string input =
        witness.input.tokens.size() > 0 ? small_matrix(witness.input.tokens.view()) : std::string();
    const FeatureWords words(witness.input.layer, witness.input.layer_input());
    if (!input.empty()) {
        json["Z"] = input;
    }
    if (is_short(witness.scale)) {
        json["factor"] = witness.scale.str();
    }
    output.add("witness",
               json,
               formatted("the same training loss, yet outputs differ by {} on {}{}",
                         brief(witness.difference),
                         files.input,
                         input.empty() ? "" : ", Z = " + input));
    output.add("not_determined",
               describe_combination(witness.null_vector, words, words.layout().psi()),
               describe_combination(witness.null_vector, words) + " = 0 on every training example");
    if (is_short(witness.scale)) {
        output.say(formatted("  the second model is the first plus {} times that in output 1",
                             witness.scale.str()));
    }
}

/// A proof is about the numbers in the file, which may not be the numbers that are meant.
void show_lower_rank(Output& output, const LowerRankSeen& seen) {
    output.add_json("numerical_rank", seen.rank);
    output.add("warning",
               formatted("double precision sees rank {}: {}",
                         seen.rank,
                         seen.looks_rounded()
                             ? formatted("the data look like a rounding of data of rank {}; give "
                                         "them exactly, as whole numbers with a common scale an "
                                         "example, or go by --level numerical",
                                         seen.rank)
                             : "what is learned in floating point may be another function; bring "
                               "the coordinates to one size, or record more varied inputs"));
}

/// How many roundings away data of lower rank are: beside every proof of full rank.
void show_roundings(Output& output, const ExactEvidence& found) {
    if (found.rank.verdict != RankVerdict::full_rank) {
        return;
    }
    if (!found.roundings) {
        output.add("roundings_to_lower_rank", nullptr, "not computed: see --level numerical");
        return;
    }
    output.add("roundings_to_lower_rank",
               number_or_null(*found.roundings),
               brief(*found.roundings) +
                   (*found.roundings < 1.0
                        ? " (numerical): the proof is about the numbers in the file, not about "
                          "what they were rounded from"
                        : " (numerical; of the features, relative to the largest)"));
}

/// What the verdict stands beside: queries, the margin, reasons, the least risk, a witness.
void show_beside(Output& output, const ExactEvidence& found, const Certification& whole) {
    if (found.queries) {
        show_queries(output, *found.queries);
    }
    if (found.margin) {
        const std::optional<LambdaMinEnclosure>& enclosure = found.margin->enclosure;
        describe_lambda_min(output, &found.margin->spectrum, enclosure ? &*enclosure : nullptr);
        show_condition(output, found.margin->spectrum);
    }
    if (found.explanation) {
        describe(output, *found.explanation);
    }
    if (found.least_risk) {
        describe(output, whole.data.layer, *found.least_risk);
    }
    if (found.witness && whole.witness_files) {
        show_witness(output, *found.witness, *whole.witness_files);
    }
    if (!found.no_witness.empty()) {
        output.add("witness", nullptr, "none: " + found.no_witness);
    }
}

/// "out.npz" and "-a" give "out-a.npz".
std::string beside(const std::string& path, std::string_view suffix) {
    constexpr std::string_view kExtension = ".npz";
    std::string stem = path;
    if (stem.ends_with(kExtension)) {
        stem.resize(stem.size() - kExtension.size());
    }
    return formatted("{}{}{}", stem, suffix, kExtension);
}

}  // namespace

void describe_lambda_min(Output& output,
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

void describe(Output& output, const SequenceShape& data) {
    output.add("layer", to_string(data.layer));
    output.add("num_examples", data.num_examples());
    output.add("d", data.d);
    output.add("o", data.o, data.labels == LabelKind::none ? "no labels" : std::to_string(data.o));
    output.add("psi", data.layout().psi());
}

Output describe(const Certification& found) {
    Output output;
    output.add("level", to_string(found.level));
    describe(output, found.data);
    std::visit([&](const auto& evidence) { show_level(output, evidence); }, found.evidence);
    output.add("verdict", to_string(found.verdict), in_words(found));
    if (!found.unanswered.empty()) {
        output.add(
            "not_answered", found.unanswered, found.unanswered + ": ask without --realisable");
    }
    const ExactEvidence* const exact = found.exact();
    if (exact != nullptr) {
        show_roundings(output, *exact);
        if (exact->lower_seen) {
            show_lower_rank(output, *exact->lower_seen);
        }
        show_beside(output, *exact, found);
    }
    if (found.model) {
        show_model(output, *found.model, exact != nullptr && exact->queries);
    }
    if (exact != nullptr && exact->few_heads) {
        show_few_heads(output, *exact->few_heads);
    }
    if (found.elsewhere) {
        show_elsewhere(output, found.other_name, *found.elsewhere);
    }
    if (found.truth) {
        show_truth(output, *found.truth);
    }
    if (found.suggestions) {
        show_suggestions(output, found.pool_name, *found.suggestions);
    }
    if (found.proof_file) {
        describe_proof(output,
                       *found.proof_file,
                       found.proof,
                       "the evidence at hand does not prove the answer to a third party");
    }
    return output;
}

void keep_proof(Certification& found, const std::string& path) {
    write_proof(path, found.proof);
    found.proof_file = path;
}

WitnessFiles witness_files(const std::string& path) {
    return {{beside(path, "-a"), beside(path, "-b")}, beside(path, "-input")};
}

void keep_witness(Certification& found, const std::string& path) {
    const ExactEvidence* const exact = found.exact();
    if (exact == nullptr || !exact->witness) {
        return;
    }
    WitnessFiles files = witness_files(path);
    for (std::size_t k = 0; k < files.models.size(); ++k) {
        Model model = exact->witness->models.at(k);
        model.meta = R"({"entries": "nearest doubles, each off by at most 2^-53 of its size"})";
        write_model(files.models.at(k), model);
    }
    write_dataset(files.input, exact->witness->witness.input);
    found.witness_files = std::move(files);
}

}  // namespace attest
