#include "cli/show_findings.hpp"

#include "cli/output.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/certify/witness.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/questions/learn.hpp"

#include <cmath>

namespace attest::cli {

namespace {

/// "out.npz" and "-a" give "out-a.npz".
std::string beside(const std::string& path, const std::string& suffix) {
    const std::string extension = ".npz";
    const bool ends =
        path.size() > extension.size() &&
        path.compare(path.size() - extension.size(), extension.size(), extension) == 0;
    const std::string stem = ends ? path.substr(0, path.size() - extension.size()) : path;
    return stem + suffix + extension;
}

std::string in_words(const LocalDetermination& found) {
    const std::string layers = formatted("{} head{}", found.heads, found.heads == 1 ? "" : "s");
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
            return "locally undecided: the rank of the data is not proved";
    }
    return "";
}

/// What hangs on the leverage, which is infinite outside the row space of the data.
std::string or_unbounded(double value) {
    return std::isfinite(value) ? brief(value)
                                : "any amount, for inputs that the data do not span,";
}

}  // namespace

void write_witness(Output& output, const std::string& path, const WitnessAudit& found) {
    const Witness& witness = found.witness;
    const std::array<std::string, 2> suffixes{"-a", "-b"};
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < 2; ++k) {
        const std::string file = beside(path, suffixes.at(k));
        Model model = found.models.at(k);
        model.meta = R"({"entries": "nearest doubles, each off by at most 2^-53 of its size"})";
        write_model(file, model);
        files.push_back(file);
    }
    const std::string input = beside(path, "-input");
    write_dataset(input, witness.input);
    output.add(
        "witness",
        {{"models", files}, {"input", input}, {"difference", number_or_null(witness.difference)}},
        formatted("the same training loss, yet outputs differ by {} on {}",
                  brief(witness.difference),
                  input));
    const FeatureWords words(witness.input.layer, witness.input.layer_input());
    output.add("not_determined",
               describe_combination(witness.null_vector, words, words.layout().psi()),
               describe_combination(witness.null_vector, words) + " = 0 on every training example");
}

void show_model(Output& output, const ModelAudit& model, const Dataset* queries) {
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
    if (queries != nullptr) {
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
                {"examples_needed", found.examples}},
               in_words(found));
    output.say(
        formatted("  locally {} parameters make functions of {} dimensions, of which the data "
                  "see {}; at least {} examples are needed, seldom one more",
                  found.parameters,
                  found.dimension,
                  found.rank,
                  found.examples));
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
               formatted("with probability 0.95 the minimiser is within {} of the truth on every "
                         "query (numerical; noise {} in each output)",
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

void show_extras(Output& output,
                 const Certification& found,
                 const CertifyRequest& request,
                 const std::string& pool) {
    if (found.model) {
        show_model(output, *found.model, request.queries);
    }
    if (found.few_heads) {
        show_few_heads(output, *found.few_heads);
    }
    if (found.elsewhere) {
        show_elsewhere(output, request.other_name, *found.elsewhere);
    }
    if (found.truth) {
        show_truth(output, *found.truth);
    }
    if (request.pool != nullptr) {
        show_suggestions(output, pool, found.suggestions);
    }
}

namespace {

std::string in_words(const Layer& layer, LabelConsistency verdict) {
    const std::string models = has_heads(layer) ? "heads, however many," : "coefficients";
    switch (verdict) {
        case LabelConsistency::consistent:
            return formatted("yes: some {} give every label exactly (proved)", models);
        case LabelConsistency::inconsistent:
            return formatted("no: no {} give every label (proved)", models);
        case LabelConsistency::undecided:
            return "undecided";
    }
    return "";
}

std::string with_value(const Rational& value) {
    const std::string text = fraction_text(value);
    const std::string digits = brief(value.convert_to<double>());
    return text == digits ? text : formatted("{} = {}", text.size() > 60 ? "about" : text, digits);
}

}  // namespace

std::string expressible_word(LabelConsistency verdict) {
    return verdict == LabelConsistency::consistent     ? "expressible"
           : verdict == LabelConsistency::inconsistent ? "inexpressible"
                                                       : "undecided";
}

std::string fraction_text(const Rational& value) {
    return value.str();
}

std::string risk_text(const LeastRisk& found) {
    return found.verdict == LabelConsistency::undecided ? "undecided" : fraction_text(found.risk);
}

void show_least_risk(Output& output, const Layer& layer, const LeastRisk& found) {
    output.add("expressible", expressible_word(found.verdict), in_words(layer, found.verdict));
    if (found.verdict == LabelConsistency::undecided) {
        output.add("least_risk", nullptr, "undecided: " + found.reason);
        output.add_json("least_risk_value", nullptr);
    } else {
        output.add("least_risk",
                   fraction_text(found.risk),
                   with_value(found.risk) + ", the mean squared error of the best model (exact)");
        output.add_json("least_risk_value", number_or_null(found.risk.convert_to<double>()));
    }
    output.add("power",
               fraction_text(found.power),
               with_value(found.power) + ", that of the model that is always 0");
}

void write_risk_proof(Output& output,
                      const std::string& path,
                      const std::optional<std::string>& proof) {
    if (!proof) {
        output.add("proof", nullptr, "none: a proof says that no model does better than its risk");
        return;
    }
    write_file_atomically(path, std::string_view(*proof));
    output.add("proof",
               path,
               path + "; verify it with attest-check, which shares no code with this program");
}

void write_best_model(Output& output,
                      const std::string& path,
                      const Dataset& data,
                      const LeastRisk& found) {
    require(found.verdict != LabelConsistency::undecided,
            "--model: the best model is undecided: {}",
            found.reason);
    const BestModel best = best_model(data, found);
    write_model(path, best.model);
    output.add("model", path);
    output.add(
        "denominator", best.denominator.str(), best.denominator.str() + " of all coefficients");
    output.add("model_is_exact",
               best.is_exact,
               best.is_exact ? "yes: its doubles are the exact coefficients"
                             : "no: its doubles are the nearest ones to fractions");
}

}  // namespace attest::cli
