#include "cli/certify_extras.hpp"

#include "cli/model_coefficients.hpp"
#include "cli/scaled_number.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "core/certify/consistency.hpp"
#include "core/certify/leverage.hpp"
#include "core/certify/null_vector_text.hpp"
#include "core/certify/suggest.hpp"
#include "core/certify/witness.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/features/predict.hpp"
#include "core/heads/split_heads.hpp"
#include "core/moments/scaled_factor.hpp"
#include "core/solve/solvers.hpp"

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

/// What hangs on the leverage, which is infinite outside the row space of the data.
std::string or_unbounded(double value) {
    return std::isfinite(value) ? brief(value)
                                : "any amount, for inputs that the data do not span,";
}

/// The minimiser of least norm at the numerical rank.
LeastSquaresFit minimum_norm(const Dataset& data) {
    return fit_least_squares(DatasetSource(data), "svd", {});
}

/// σ², where a double holds it.
double squared_noise(double noise) {
    const double square = noise * noise;
    require(is_zero(noise) || std::isnormal(square),
            concat("certify: the square of the noise ",
                   round_trip(noise),
                   " leaves the range of doubles; bring the labels nearer to 1 by a power of two"));
    return square;
}

}  // namespace

void report_witness(Report& report,
                    const std::string& output,
                    const Dataset& data,
                    const ExactRank& rank,
                    const Dataset* queries) {
    const Index psi = feature_dim(data.d());
    const bool labelled = data.labels != LabelKind::none;
    const Matrix P = labelled ? minimum_norm(data).P : Matrix(Matrix::Zero(psi, 1));
    Dataset query;
    if (queries != nullptr) {
        query = subset(*queries, 0, 1);
    }
    const Witness witness = make_witness(rank, P, queries != nullptr ? &query : nullptr);
    require(std::isnormal(witness.difference) && witness.P[1].allFinite(),
            "certify: --witness: the difference on the input leaves the range of doubles; bring "
            "tokens and labels nearer to 1 by powers of two");
    const std::array<std::string, 2> suffixes{"-a", "-b"};
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < 2; ++k) {
        const std::string file = beside(output, suffixes.at(k));
        const Matrix& coefficients_k = witness.P.at(k);
        write_model(file,
                    {data.d(),
                     coefficients_k.cols(),
                     coefficients_k,
                     split_heads(coefficients_k, data.d()).heads,
                     R"({"entries": "nearest doubles, each off by at most 2^-53 of its size"})"});
        files.push_back(file);
    }
    const std::string input = beside(output, "-input");
    write_dataset(input, witness.input);
    report.add(
        "witness",
        {{"models", files}, {"input", input}, {"difference", json_number(witness.difference)}},
        concat("the same training loss, yet outputs differ by ",
               brief(witness.difference),
               " on ",
               input));
    report.add(
        "not_determined",
        describe_combination(witness.null_vector, data.d(), psi),
        describe_combination(witness.null_vector, data.d()) + " = 0 on every training example");
}

bool report_realisable(Report& report, const Dataset& data, const ExactRank& rank) {
    const ConsistencyReport labels = consistent_labels(data, rank);
    report.add("labels",
               to_string(labels.verdict),
               concat(to_string(labels.verdict), ": ", labels.reason));
    if (labels.verdict == LabelConsistency::consistent) {
        return true;
    }
    report.add("verdict",
               "undecided",
               "undecided: --realisable presumes that a model fits every label exactly");
    return false;
}

void report_model(Report& report,
                  const std::string& path,
                  const Dataset& data,
                  const Dataset* queries) {
    const Model model = read_model(path);
    require(
        model.d == data.d() && data.labels != LabelKind::none && model.o == data.o(),
        concat(path, ": d = ", model.d, " and o = ", model.o, " do not match the labelled data"));
    const Matrix P = model_coefficients(path, model);
    const DatasetSource source(data);
    const ScaledFactor scaled = scaled_factor(data);
    const Matrix erm = minimum_norm(data).P;
    const Risk seen = empirical_risk(P, source);
    const double risk = std::ldexp(seen.risk, seen.exponent);
    const double least = std::ldexp(scaled.factor.residual, 2 * scaled.scale.labels);
    require(
        std::isfinite(risk) && std::isfinite(least) && (is_zero(seen.risk) || std::isnormal(risk)),
        concat("certify: --model: the risk of ",
               path,
               " is ",
               brief(ScaledNumber{seen.risk, seen.exponent}),
               "; bring the labels nearer to 1 by a power of two"));
    const double excess = std::max(0.0, risk - least);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    double worst = 0.0;
    Index same_token = 0;
    if (queries != nullptr) {
        const DatasetSource inputs(*queries);
        const Vector leverages =
            NumericalLeverage(scaled.factor).of(*scaled_source(*queries, scaled.scale));
        const Matrix distance = predict(P, inputs) - predict(erm, inputs);
        for (Index k = 0; k < leverages.size(); ++k) {
            const double bound = 2.0 * std::sqrt(excess * leverages(k));
            worst = std::max(worst, bound);
            same_token += bound < 0.5 ? 1 : 0;
            rows.push_back({{"index", k},
                            {"may_differ_by", json_number(bound)},
                            {"same_token", bound < 0.5},
                            {"distance_to_erm", json_number(distance.col(k).stableNorm())}});
        }
    }
    report.add("model",
               {{"risk", json_number(risk)}, {"least_risk", json_number(least)}, {"queries", rows}},
               concat("risk ", brief(risk), ", the least possible ", brief(least)));
    if (queries != nullptr) {
        report.say(concat("  two models with at most this risk differ on a query by at most ",
                          or_unbounded(worst),
                          " (numerical; 2 sqrt((risk - least) leverage))"));
        report.say(concat("  below 1/2, so that one-hot outputs round to the same token: ",
                          same_token,
                          " of ",
                          rows.size()));
    }
}

void report_ood(Report& report, const std::string& path, double noise, const Dataset& data) {
    const Dataset other = read_dataset(path);
    require(other.d() == data.d(),
            concat(path, ": tokens have ", other.d(), " entries, the data ", data.d()));
    const ScaledFactor scaled = scaled_factor(data);
    const TriangularFactor& factor = scaled.factor;
    const auto N = static_cast<double>(factor.num_examples);
    const auto psi = static_cast<double>(factor.R.cols());
    const auto o = static_cast<double>(std::max<Index>(data.o(), 1));
    if (std::isnan(noise)) {
        require(
            data.labels != LabelKind::none && N > psi,
            "certify: --noise cannot be estimated without labels or with N <= psi; give --noise S");
        noise = std::ldexp(std::sqrt(factor.residual * N / ((N - psi) * o)), scaled.scale.labels);
    }
    const double trace = NumericalLeverage(factor).mean(*scaled_source(other, scaled.scale));
    const double risk = squared_noise(noise) * o * trace / N;
    report.add("ood",
               {{"sigma", json_number(noise)},
                {"trace", json_number(trace)},
                {"excess_risk", json_number(risk)}},
               concat("expected excess risk on ",
                      path,
                      " ",
                      or_unbounded(risk),
                      " (numerical; label noise ",
                      brief(noise),
                      ")"));
}

void report_noise(Report& report, double noise, const Dataset& data, const Dataset& queries) {
    constexpr double kDelta = 0.05;
    const ScaledFactor scaled = scaled_factor(data);
    const TriangularFactor& factor = scaled.factor;
    const NumericalLeverage leverage(factor);
    (void)squared_noise(noise);
    const auto N = static_cast<double>(factor.num_examples);
    const auto o = static_cast<double>(std::max<Index>(data.o(), 1));
    const double energy =
        projected_noise_bound(noise, static_cast<double>(leverage.rank()) * o, kDelta);
    const Vector leverages = leverage.of(*scaled_source(queries, scaled.scale));
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (Index k = 0; k < leverages.size(); ++k) {
        rows.push_back(json_number(std::sqrt(energy / N * leverages(k))));
    }
    report.add("noise",
               {{"sigma", noise}, {"confidence", 1.0 - kDelta}, {"truth_within", rows}},
               concat("with probability 0.95 the minimiser is within ",
                      or_unbounded(std::sqrt(energy / N * leverages.maxCoeff())),
                      " of the truth on every query (numerical; noise ",
                      brief(noise),
                      " in each output)"));
}

void report_suggestions(Report& report, Index count, const std::string& pool, const Dataset& data) {
    const Dataset candidates = read_dataset(pool);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const ScaledFactor scaled = scaled_factor(data);
    const auto source = scaled_source(candidates, scaled.scale);
    for (const Suggestion& one : suggest_examples(scaled.factor, *source, count)) {
        const ScaledNumber lambda_min{one.lambda_min, 2 * scaled.features()};
        list.push_back({{"candidate", one.candidate},
                        {"outside", json_number(one.outside)},
                        {"leverage", json_number(one.leverage)},
                        {"rank", one.rank},
                        {"lambda_min", json_number(lambda_min)}});
        report.say(concat("  add example ",
                          one.candidate,
                          " of ",
                          pool,
                          ": rank ",
                          one.rank,
                          ", lambda_min ",
                          brief(lambda_min)));
    }
    report.add("suggestions", list, concat(list.size(), " (numerical; certify the result)"));
}

}  // namespace attest::cli
