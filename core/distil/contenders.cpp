#include "core/distil/contenders.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/features/predict.hpp"
#include "core/questions/verdict.hpp"
#include "core/rng/sample.hpp"
#include "core/train/heads_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {

namespace {

/// Examples whose features stand in memory at a time.
constexpr Index kBlock = 256;

constexpr Choices<ContenderForm, 2> kForms{
    {{ContenderForm::heads, "heads"}, {ContenderForm::coefficients, "coefficients"}}};
constexpr double kAdamRate = 0.01;
constexpr double kSgdRateOfHeads = 0.001;
constexpr double kShareOfInverseTrace = 0.2;
// Products a second: of examples with features, measured 1.7e10 to 2.1e10; of heads into
// coefficients and back, 1e10; of tokens into sums, 1 ns each.
constexpr double kProducts = 1.7e10;
constexpr double kHeadProducts = 1e10;
constexpr double kTokenProducts = 8e8;
/// Of the usual rate, where that fails: most diverge or stay far off for too large a one.
constexpr std::array kOtherRates{0.1, 10.0, 0.01};

bool of_one_length(const Dataset& data, Index length) {
    for (Index i = 0; i < data.num_sequences(); ++i) {
        if (data.length(i) != length) {
            return false;
        }
    }
    return true;
}

/// What the trainer of heads reads: the last token asks, sequences of one length.
bool suits_heads(const Dataset& data) {
    return data.layer.is_linear() && data.query.empty() && of_one_length(data, data.length(0));
}

/// Training data and held-out data in the trainers' form.
struct ContenderData {
    PrefixData<double> train;
    std::optional<PrefixData<double>> held_out;
};

Contender trained(const TrainedModel<double>& model,
                  const ContenderData& data,
                  TrainOptions options,
                  const Stream& stream) {
    const TrainResult<double> result = train(model, data.train, options, stream);
    Contender contender;
    contender.optimiser = options.optimiser.kind;
    contender.rate = options.optimiser.rate;
    contender.status = result.status;
    contender.note = result.note;
    if (result.status == TrainStatus::finished) {
        contender.relative_risk = result.curve.back().loss;
        if (data.held_out) {
            contender.held_out_relative = model.loss(result.theta, *data.held_out);
        }
    }
    return contender;
}

bool is_better(const Contender& a, const Contender& b) {
    return a.relative_risk && (!b.relative_risk || *a.relative_risk < *b.relative_risk);
}

/// The first training that does not fail, else the best of all rates.
Contender trained_at_a_fitting_rate(const TrainedModel<double>& model,
                                    const ContenderData& data,
                                    TrainOptions options,
                                    const Stream& stream) {
    Contender best = trained(model, data, options, stream);
    const double usual = options.optimiser.rate;
    Index tried = 1;
    for (const double factor : kOtherRates) {
        if (!best.failed()) {
            break;
        }
        options.optimiser.rate = factor * usual;
        Contender other = trained(model, data, options, stream);
        ++tried;
        if (is_better(other, best)) {
            best = std::move(other);
        }
    }
    best.rates_tried = tried;
    return best;
}

std::vector<Contender> from_all_starts(ContenderForm form,
                                       const TrainedModel<double>& model,
                                       const ContenderData& data,
                                       double sgd_rate,
                                       const ContenderRequest& request) {
    std::vector<Contender> contenders;
    for (const OptimiserKind kind : {OptimiserKind::adam, OptimiserKind::sgd}) {
        TrainOptions options;
        options.optimiser.kind = kind;
        options.optimiser.rate = kind == OptimiserKind::adam ? kAdamRate : sgd_rate;
        options.updates = request.updates;
        options.batch_size = std::min(request.batch_size, data.train.num_sequences);
        options.curve_points = 1;
        for (Index start = 0; start < request.starts; ++start) {
            const Stream stream =
                Stream(request.seed).child("contender").child(to_string(kind)).child(start);
            Contender contender = trained_at_a_fitting_rate(model, data, options, stream);
            contender.form = form;
            contender.start = start;
            contenders.push_back(std::move(contender));
        }
    }
    return contenders;
}

}  // namespace

PrefixData<double> moment_data(const MomentSource& source) {
    const MomentBatch batch = collect(source);
    PrefixData<double> data;
    data.d = batch.S.rows() + batch.u.rows();
    data.o = batch.y.rows();
    data.length = 1;
    data.num_sequences = batch.size();
    data.labelled = 1;
    data.tokens.resize(data.d, batch.size());
    data.tokens.topRows(batch.S.rows()) = batch.S;
    data.tokens.bottomRows(batch.u.rows()) = batch.u;
    data.y = batch.y;
    data.label_power = batch.y.squaredNorm() / static_cast<double>(batch.size());
    require(data.label_power > 0.0, "moment_data: every label is zero, nothing can be learned");
    return data;
}

CoefficientModel::CoefficientModel(const PrefixData<double>& data, const FeatureLayout& layout)
    : TrainedModel<double>(data), layout_(layout), o_(data.o) {
    require(data.d == layout.q() + layout.m() && data.length == 1,
            "coefficient model: got {} rows and {} tokens a sequence, expected {} and 1",
            data.d,
            data.length,
            layout.q() + layout.m());
    units_ =
        (data.tokens.rowwise().squaredNorm() / static_cast<double>(data.num_sequences)).cwiseSqrt();
    units_ = units_.unaryExpr([](double unit) { return is_zero(unit) ? 1.0 : unit; });
    for (Index first = 0; first < data.num_sequences; first += kBlock) {
        const Index count = std::min(kBlock, data.num_sequences - first);
        const MomentBatch block = in_units(data.tokens.middleCols(first, count));
        feature_power_ += feature_columns(block, layout_).squaredNorm();
    }
    feature_power_ /= static_cast<double>(data.num_sequences);
}

MomentBatch CoefficientModel::in_units(const Matrix& tokens) const {
    const Matrix scaled = units_.cwiseInverse().asDiagonal() * tokens;
    return {scaled.topRows(layout_.q()), scaled.bottomRows(layout_.m()), {}};
}

Vector CoefficientModel::start(const Stream& stream) const {
    const Matrix entries = grid_matrix(grid_normal(), num_parameters(), 1, stream);
    return entries.col(0) / std::sqrt(static_cast<double>(layout_.psi()));
}

Vector CoefficientModel::gradient(const Vector& theta, std::span<const Index> sequences) const {
    const Eigen::Map<const Matrix> P(theta.data(), layout_.psi(), o_);
    const auto size = static_cast<Index>(sequences.size());
    Matrix tokens(data().d, size);
    Matrix residual(o_, size);
    for (Index k = 0; k < size; ++k) {
        tokens.col(k) = data().tokens.col(sequences[static_cast<std::size_t>(k)]);
        residual.col(k) = -data().y.col(sequences[static_cast<std::size_t>(k)]);
    }
    const Matrix H = feature_columns(in_units(tokens), layout_);
    residual += P.transpose() * H;
    residual *= 2.0 / (static_cast<double>(size) * data().label_power);
    const Matrix sum = H * residual.transpose();
    return sum.reshaped();
}

double CoefficientModel::loss(const Vector& theta, const PrefixData<double>& data) const {
    const Matrix P = theta.reshaped(layout_.psi(), o_);
    const Matrix residual = predict(P, in_units(data.tokens), layout_) - data.y;
    return residual.squaredNorm() / (static_cast<double>(data.num_sequences) * data.label_power);
}

std::string_view to_string(ContenderForm form) {
    return name_of(kForms, form);
}

double training_seconds(const Dataset& data, const ContenderRequest& request) {
    const auto real = [](Index n) { return static_cast<double>(n); };
    const double updates = 2.0 * real(request.starts) * real(request.updates);
    const double examples = real(std::min(request.batch_size, data.num_examples()));
    const double coefficients = real(data.layout().psi()) * real(data.o());
    double update = 6.0 * examples * coefficients / kProducts;
    if (suits_heads(data)) {
        const double sums = real(data.length(0)) * real(packed_dim(data.d()));
        update += examples * sums / kTokenProducts +
                  6.0 * real(heads_for_every_function(data)) * coefficients / kHeadProducts;
    }
    return updates * update;
}

std::vector<Contender> train_contenders(const Dataset& data,
                                        const Dataset* held_out,
                                        const ContenderRequest& request) {
    if (request.starts == 0) {
        return {};
    }
    const bool heads =
        suits_heads(data) && (held_out == nullptr ||
                              (suits_heads(*held_out) && of_one_length(*held_out, data.length(0))));
    if (heads) {
        ContenderData prefixes{prefix_data<double>(data), std::nullopt};
        if (held_out != nullptr) {
            prefixes.held_out = prefix_data<double>(*held_out);
        }
        const HeadsResidual<double> model(prefixes.train, heads_for_every_function(data));
        return from_all_starts(ContenderForm::heads, model, prefixes, kSgdRateOfHeads, request);
    }
    ContenderData moments{moment_data(DatasetSource(data)), std::nullopt};
    if (held_out != nullptr) {
        moments.held_out = moment_data(DatasetSource(*held_out));
    }
    const CoefficientModel model(moments.train, data.layout());
    const double rate = kShareOfInverseTrace * moments.train.label_power / model.feature_power();
    return from_all_starts(ContenderForm::coefficients, model, moments, rate, request);
}

}  // namespace attest
