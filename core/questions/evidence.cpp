#include "core/questions/evidence.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/certify/proof.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/certify/rank/row_scale.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/questions/learn.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

Index count_of(const std::vector<QuerySpan>& spans, Determination verdict) {
    return std::count_if(
        spans.begin(), spans.end(), [&](const QuerySpan& span) { return span.verdict == verdict; });
}

}  // namespace

QueryAudit query_verdicts(const FactoredSource& data,
                          const ExactRank& rank,
                          const Dataset& queries) {
    const Dataset& training = data.dataset();
    require(queries.d() == training.d(),
            "queries: tokens have {} entries, the data have {}",
            queries.d(),
            training.d());
    require(queries.layout() == training.layout(),
            "queries: examples have {} features, the data {}",
            queries.layout().psi(),
            training.layout().psi());
    QueryAudit found;
    found.spans = certify_span(training, rank, queries);
    found.determined = count_of(found.spans, Determination::determined);
    found.not_determined = count_of(found.spans, Determination::not_determined);
    found.verdict = found.not_determined > 0                      ? DataVerdict::not_determined
                    : found.determined == std::ssize(found.spans) ? DataVerdict::determined
                                                                  : DataVerdict::undecided;
    return found;
}

QueryAudit audit_queries(const FactoredSource& data,
                         const ExactRank& rank,
                         const Dataset& queries) {
    QueryAudit found = query_verdicts(data, rank, queries);
    found.leverages = data.leverage().of(*data.in_its_units(queries));
    found.proof = found.verdict == DataVerdict::not_determined
                      ? undetermined_proof(data.dataset(), rank, queries, found.spans)
                      : determined_proof(data.dataset(), rank, queries, found.spans);
    return found;
}

namespace {

constexpr Index kMostFeatures = 600;
constexpr std::size_t kMostKinds = 64;

bool reaches(const std::optional<StructuralRank>& structure, const ExactRank& rank) {
    return structure && structure->is_exact && rank.rank_is_exact() &&
           rank.rank_lower == structure->rank;
}

}  // namespace

bool StructureAudit::determined_on_seen(const ExactRank& rank) const {
    return reaches(seen, rank);
}

bool StructureAudit::determined_on_all(const ExactRank& rank) const {
    return reaches(all, rank);
}

StructureAudit audit_structure(const SequenceSource& data) {
    const SequenceShape shape = data.shape();
    StructureAudit found;
    const std::vector<InputKind> kinds = input_kinds(data);
    found.shortest = kinds.front().length;
    found.longest = kinds.back().length;
    if (shape.layout().psi() > kMostFeatures ||
        enough_kinds(shape.layer, kinds).size() > kMostKinds) {
        return found;
    }
    found.seen = structural_rank(shape.layer, shape.input, kinds);
    found.all = structural_rank_of_all(shape.layer, shape.input, kinds);
    return found;
}

namespace {

WitnessAudit audit_witness(const FactoredSource& data,
                           const ExactRank& rank,
                           const Dataset* query) {
    const SourceShape shape = data.source().shape();
    const Matrix P = shape.o > 0 ? data.minimiser().P : Matrix(Matrix::Zero(shape.psi(), 1));
    WitnessAudit found{make_witness(data.dataset(), rank, P, query), {}};
    require(std::isnormal(found.witness.difference) && found.witness.P[1].allFinite(),
            "certify: --witness: the difference on the input leaves the range of doubles; bring "
            "tokens and labels nearer to 1 by powers of two");
    for (std::size_t k = 0; k < found.models.size(); ++k) {
        const Matrix& P_k = found.witness.P.at(k);
        found.models.at(k) = model_of(data.source(), P_k);
    }
    return found;
}

}  // namespace

WitnessSearch search_witness(const FactoredSource& data,
                             const ExactRank& rank,
                             const Dataset* queries) {
    Dataset first;
    if (queries != nullptr) {
        first = subset(*queries, 0, 1);
    }
    const Dataset* const query = queries != nullptr ? &first : nullptr;
    WitnessSearch search{{}, why_no_witness(rank, query)};
    if (search.none.empty()) {
        search.found = audit_witness(data, rank, query);
    }
    return search;
}

double ModelAudit::may_differ_by_at_most() const {
    double worst = 0.0;
    for (const ModelOnQuery& query : queries) {
        worst = std::max(worst, query.may_differ_by);
    }
    return worst;
}

Index ModelAudit::same_tokens() const {
    return std::count_if(queries.begin(), queries.end(), [](const ModelOnQuery& query) {
        return query.same_token();
    });
}

namespace {

/// The least risk of the layer: the factor's residual where R has full row rank; below that, R does
/// not reach all of C, and the risk is that of a minimiser.
double least_risk_of(const FactoredSource& data) {
    constexpr double kFull = 1e-10;  // far above the roundings of R
    const TriangularFactor& factor = data.factor();
    const PowerScale& scale = data.scaled().scale;
    const Index r = factor.R.rows();
    if (triangular_rcond(factor.R.leftCols(r)) > kFull || data.leverage().rank() == r) {
        return std::ldexp(factor.residual, 2 * scale.labels);
    }
    const Matrix& P = data.minimiser().P;
    if (scale.is_identity()) {
        return factor.residual + (factor.R * P - factor.C).squaredNorm();
    }
    const Risk least = empirical_risk(P, data.source());
    return std::ldexp(least.risk, least.exponent);
}

}  // namespace

ModelAudit audit_model(const FactoredSource& data,
                       const Model& model,
                       std::string_view name,
                       const Dataset* queries) {
    const SourceShape shape = data.source().shape();
    const SequenceSource* const sequences = data.source().sequences();
    const bool same_layer = sequences == nullptr || sequences->shape().layer == model.layer;
    require(same_layer && model.layout() == shape.layout && shape.o > 0 && model.o == shape.o,
            "{}: layer {}, d = {} and o = {} do not match the labelled data",
            name,
            to_string(model.layer),
            model.d,
            model.o);
    const Matrix P = coefficients(model, name);
    ModelAudit found;
    const Risk seen = empirical_risk(P, data.source());
    found.risk = std::ldexp(seen.risk, seen.exponent);
    const double floor = least_risk_of(data);
    // The model is one of those that the least is taken over; only rounding puts the floor above.
    found.least_risk = std::min(floor, found.risk);
    require(std::isfinite(found.risk) && std::isfinite(floor) &&
                (is_zero(seen.risk) || std::isnormal(found.risk)),
            "certify: --model: the risk of {}, {} * 2^{}, leaves the range of doubles; bring the "
            "labels nearer to 1 by a power of two",
            name,
            seen.risk,
            seen.exponent);
    if (queries == nullptr) {
        return found;
    }
    const double excess = found.risk - found.least_risk;
    const DatasetSource inputs(*queries);
    const Vector leverages = data.leverage().of(*data.in_its_units(*queries));
    const Matrix outputs = predict(P, inputs);
    const Matrix distance = outputs - predict(data.minimiser().P, inputs);
    for (Index k = 0; k < leverages.size(); ++k) {
        // Infinite outside the row space also where the excess is 0.
        const double leverage = leverages(k);
        found.queries.push_back(
            {std::isfinite(leverage) ? 2.0 * std::sqrt(excess * leverage) : leverage,
             distance.col(k).stableNorm(),
             (outputs.col(k).array() - 0.5).abs().minCoeff()});
    }
    return found;
}

namespace {

// What λ_min may cost beside the proof, in multiplications N ψ².
constexpr double kSpectrumWork = 1e10;
constexpr double kEnclosureWork = 1e7;
constexpr double kRounding = 0x1p-53;

double spectrum_work(Index num_examples, Index psi) {
    return static_cast<double>(num_examples) * static_cast<double>(psi) * static_cast<double>(psi);
}

/// Of an enclosure. With recorded gates or keys every token makes the exact entries longer, and
/// each of the primes that this takes forms all states anew, an entry of a token some fifty
/// products.
double enclosure_work(const SequenceSource& data) {
    const SequenceShape shape = data.shape();
    const double products = spectrum_work(shape.num_examples(), shape.layout().psi());
    if (shape.layer.gates == GateForm::none && shape.layer.form != TokenForm::delta) {
        return products;
    }
    constexpr double kEntry = 50.0;
    constexpr double kUsualBits = 500.0;
    const double states =
        kEntry * static_cast<double>(shape.num_tokens()) * static_cast<double>(shape.layout().q());
    const auto bits = static_cast<double>(FeatureRows(data).entry_bits());
    return (products + states) * std::max(1.0, bits / kUsualBits);
}

}  // namespace

std::optional<LowerRankSeen> lower_rank_seen(const NumericalSpectrum& spectrum,
                                             const ExactRank& rank) {
    if (spectrum.rank >= rank.rank_lower) {
        return std::nullopt;
    }
    const double last = spectrum.rank > 0 ? spectrum.sigma(spectrum.rank - 1) : 0.0;
    return LowerRankSeen{spectrum.rank, last / spectrum.sigma(spectrum.rank)};
}

double roundings_to_lower_rank(const NumericalSpectrum& spectrum, Index rank) {
    require(rank >= 0 && rank <= spectrum.sigma.size(),
            "roundings_to_lower_rank: got rank {}, expected one from 0 to {}",
            rank,
            spectrum.sigma.size());
    return rank > 0 ? spectrum.sigma(rank - 1) / (kRounding * spectrum.sigma(0)) : 0.0;
}

std::optional<double> roundings_where_cheap(const FactoredSource& data) {
    const SourceShape shape = data.source().shape();
    if (!is_spectrum_cheap(shape.num_examples, shape.psi())) {
        return std::nullopt;
    }
    const std::optional<ExtremeSingularValues> sigma = extreme_singular_values(data.factor());
    return sigma ? std::optional(sigma->smallest / (kRounding * sigma->largest)) : std::nullopt;
}

bool is_spectrum_cheap(Index num_examples, Index psi) {
    return spectrum_work(num_examples, psi) <= kSpectrumWork;
}

std::optional<NumericalSpectrum> spectrum_where_cheap(const FactoredSource& data) {
    const SourceShape shape = data.source().shape();
    const bool cheap =
        is_spectrum_cheap(shape.num_examples, shape.psi()) && shape.num_examples >= shape.psi();
    return cheap ? std::optional(data.spectrum()) : std::nullopt;
}

std::optional<Margin> margin_where_cheap(const FactoredSource& data, const ExactRank& rank) {
    const SourceShape shape = data.source().shape();
    if (!is_spectrum_cheap(shape.num_examples, shape.psi())) {
        return std::nullopt;
    }
    Margin margin{data.spectrum(), std::nullopt};
    const bool dyadic = odd_base(data.sequences().shape().layer) == 1;  // what an enclosure needs
    if (rank.verdict == RankVerdict::full_rank && dyadic &&
        enclosure_work(data.sequences()) <= kEnclosureWork) {
        margin.enclosure = enclose_lambda_min(exact_second_moment(data.sequences()));
    }
    return margin;
}

namespace {

/// Without labels: one output.
double outputs(const FactoredSource& data) {
    return static_cast<double>(std::max<Index>(data.source().shape().o, 1));
}

/// σ², where a double holds it.
double squared_noise(double sigma) {
    const double square = sigma * sigma;
    require(is_zero(sigma) || std::isnormal(square),
            "certify: the square of the noise {} leaves the range of doubles; bring the labels "
            "nearer to 1 by a power of two",
            round_trip(sigma));
    return square;
}

double estimated_noise(const FactoredSource& data) {
    const std::optional<double> sigma = noise_estimate(data);
    require(sigma.has_value(),
            "certify: --noise cannot be estimated without labels or with N <= psi; give --noise S");
    return *sigma;
}

}  // namespace

void require_noise(double noise) {
    require(noise >= 0.0 && std::isfinite(noise),
            "noise: got {}, expected a standard deviation, a finite number from 0",
            round_trip(noise));
}

std::optional<double> noise_estimate(const FactoredSource& data) {
    const SourceShape shape = data.source().shape();
    const auto N = static_cast<double>(shape.num_examples);
    const auto psi = static_cast<double>(shape.psi());
    if (shape.o == 0 || N <= psi) {
        return std::nullopt;
    }
    return std::ldexp(std::sqrt(data.factor().residual * N / ((N - psi) * outputs(data))),
                      data.scaled().scale.labels);
}

OutOfDistribution risk_elsewhere(const FactoredSource& data,
                                 const Dataset& other,
                                 std::string_view name,
                                 std::optional<double> sigma) {
    const SourceShape shape = data.source().shape();
    const SequenceSource* const tokens = data.source().sequences();
    const Index d = tokens == nullptr ? other.d() : tokens->shape().d;
    require(other.d() == d, "{}: tokens have {} entries, the data {}", name, other.d(), d);
    require(other.layout() == shape.layout,
            "{}: examples have {} features, the data {}",
            name,
            other.layout().psi(),
            shape.psi());
    const auto N = static_cast<double>(shape.num_examples);
    const double noise = sigma ? *sigma : estimated_noise(data);
    const double trace = data.leverage().mean(*data.in_its_units(other));
    return {noise, trace, squared_noise(noise) * outputs(data) * trace / N};
}

TruthDistance distance_to_truth(const FactoredSource& data, const Dataset& queries, double sigma) {
    constexpr double kDelta = 0.05;
    (void)squared_noise(sigma);
    const auto N = static_cast<double>(data.source().shape().num_examples);
    const double degrees = static_cast<double>(data.leverage().rank()) * outputs(data);
    const double energy = projected_noise_bound(sigma, degrees, kDelta);
    const Vector leverages = data.leverage().of(*data.in_its_units(queries));
    return {sigma,
            1.0 - kDelta,
            (energy / N * leverages.array()).sqrt(),
            std::sqrt(energy / N * leverages.maxCoeff())};
}

}  // namespace attest
