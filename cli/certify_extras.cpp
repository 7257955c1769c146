#include "cli/certify_extras.hpp"

#include "core/certify/consistency.hpp"
#include "core/certify/leverage.hpp"
#include "core/certify/null_vector_text.hpp"
#include "core/certify/suggest.hpp"
#include "core/certify/witness.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/heads/split_heads.hpp"
#include "core/solve/orthogonal.hpp"

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

}  // namespace

void report_witness(Report& report,
                    const std::string& output,
                    const Dataset& data,
                    const ExactRank& rank,
                    const Dataset* queries) {
    const Index psi = feature_dim(data.d());
    const bool labelled = data.labels != LabelKind::none;
    const Matrix P = labelled ? fit_svd(triangular_factor(DatasetSource(data)), data.d(), {}).P
                              : Matrix(Matrix::Zero(psi, 1));
    Dataset query;
    if (queries != nullptr) {
        query = subset(*queries, 0, 1);
    }
    const Witness witness = make_witness(rank, P, queries != nullptr ? &query : nullptr);
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
        formatted("the same training loss, yet outputs differ by {} on {}",
                  brief(witness.difference),
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
               formatted("{}: {}", to_string(labels.verdict), labels.reason));
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
    require(model.d == data.d() && data.labels != LabelKind::none && model.o == data.o(),
            "{}: d = {} and o = {} do not match the labelled data",
            path,
            model.d,
            model.o);
    const Matrix P = model.P.size() > 0 ? model.P : coefficients(model.heads);
    const DatasetSource source(data);
    const TriangularFactor factor = triangular_factor(source);
    const Matrix erm = fit_svd(factor, data.d(), {}).P;
    const double risk = empirical_risk(P, source).risk;
    const double least = factor.residual;
    const double excess = std::max(0.0, risk - least);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    double worst = 0.0;
    Index same_token = 0;
    if (queries != nullptr) {
        const DatasetSource inputs(*queries);
        const Vector leverages = NumericalLeverage(factor).of(inputs);
        const Matrix outputs = predict(P, inputs);
        const Matrix distance = outputs - predict(erm, inputs);
        for (Index k = 0; k < leverages.size(); ++k) {
            const double bound = 2.0 * std::sqrt(excess * leverages(k));
            worst = std::max(worst, bound);
            // No entry of an equally good model's output lies on the other side of 1/2.
            const bool same = bound < (outputs.col(k).array() - 0.5).abs().minCoeff();
            same_token += same ? 1 : 0;
            rows.push_back({{"index", k},
                            {"may_differ_by", json_number(bound)},
                            {"same_token", same},
                            {"distance_to_erm", json_number(distance.col(k).norm())}});
        }
    }
    report.add("model",
               {{"risk", json_number(risk)}, {"least_risk", json_number(least)}, {"queries", rows}},
               formatted("risk {}, the least possible {}", brief(risk), brief(least)));
    if (queries != nullptr) {
        report.say(
            formatted("  two models with at most this risk differ on a query by at most {} "
                      "(numerical; 2 sqrt((risk - least) leverage))",
                      brief(worst)));
        report.say(
            formatted("  below every entry's distance from 1/2, so that all round to the same "
                      "token: {} of {}",
                      same_token,
                      rows.size()));
    }
}

void report_ood(Report& report, const std::string& path, double noise, const Dataset& data) {
    const Dataset other = read_dataset(path);
    require(other.d() == data.d(),
            "{}: tokens have {} entries, the data {}",
            path,
            other.d(),
            data.d());
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    const auto N = static_cast<double>(factor.num_examples);
    const auto psi = static_cast<double>(factor.R.cols());
    const auto o = static_cast<double>(std::max<Index>(data.o(), 1));
    if (std::isnan(noise)) {
        require(
            data.labels != LabelKind::none && N > psi,
            "certify: --noise cannot be estimated without labels or with N <= psi; give --noise S");
        noise = std::sqrt(factor.residual * N / ((N - psi) * o));
    }
    const double trace = NumericalLeverage(factor).mean(DatasetSource(other));
    const double risk = noise * noise * o * trace / N;
    report.add("ood",
               {{"sigma", json_number(noise)},
                {"trace", json_number(trace)},
                {"excess_risk", json_number(risk)}},
               formatted("expected excess risk on {} {} (numerical; label noise {})",
                         path,
                         brief(risk),
                         brief(noise)));
}

void report_noise(Report& report, double noise, const Dataset& data, const Dataset& queries) {
    constexpr double kDelta = 0.05;
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    const NumericalLeverage leverage(factor);
    const auto N = static_cast<double>(factor.num_examples);
    const auto o = static_cast<double>(std::max<Index>(data.o(), 1));
    const double energy =
        projected_noise_bound(noise, static_cast<double>(leverage.rank()) * o, kDelta);
    const Vector leverages = leverage.of(DatasetSource(queries));
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (Index k = 0; k < leverages.size(); ++k) {
        rows.push_back(json_number(std::sqrt(energy / N * leverages(k))));
    }
    report.add("noise",
               {{"sigma", noise}, {"confidence", 1.0 - kDelta}, {"truth_within", rows}},
               formatted("with probability 0.95 the minimiser is within {} of the truth on every "
                         "query (numerical; noise {} in each output)",
                         brief(std::sqrt(energy / N * leverages.maxCoeff())),
                         brief(noise)));
}

void report_suggestions(Report& report, Index count, const std::string& pool, const Dataset& data) {
    const Dataset candidates = read_dataset(pool);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const DatasetSource source(candidates);
    for (const Suggestion& one :
         suggest_examples(triangular_factor(DatasetSource(data)), source, count)) {
        list.push_back({{"candidate", one.candidate},
                        {"outside", json_number(one.outside)},
                        {"leverage", json_number(one.leverage)},
                        {"rank", one.rank},
                        {"lambda_min", json_number(one.lambda_min)}});
        report.say(formatted("  add example {} of {}: rank {}, lambda_min {}",
                             one.candidate,
                             pool,
                             one.rank,
                             brief(one.lambda_min)));
    }
    report.add("suggestions", list, formatted("{} (numerical; certify the result)", list.size()));
}

}  // namespace attest::cli
