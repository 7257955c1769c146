#include "core/distil/contenders.hpp"

#include "core/audit/verdict.hpp"
#include "core/base/choice.hpp"
#include "core/distil/coefficient_model.hpp"
#include "core/train/heads_residual.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr Choices<ContenderForm, 2> kForms{
    {{ContenderForm::heads, "heads"}, {ContenderForm::coefficients, "coefficients"}}};
constexpr double kAdamRate = 0.01;
constexpr double kSgdRateOfHeads = 0.001;
constexpr double kShareOfInverseTrace = 0.2;

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
            Contender contender = trained(model, data, options, stream);
            contender.form = form;
            contender.start = start;
            contenders.push_back(std::move(contender));
        }
    }
    return contenders;
}

}  // namespace

std::string_view to_string(ContenderForm form) {
    return name_of(kForms, form);
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
