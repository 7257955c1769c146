#include "core/train/train.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/train/minibatches.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr Choices<TrainStatus, 2> kTrainStatusNames{
    {{TrainStatus::finished, "finished"}, {TrainStatus::diverged, "diverged"}}};

template <class Scalar>
void end_as_diverged(TrainResult<Scalar>& result, const char* what) {
    result.status = TrainStatus::diverged;
    result.note =
        formatted("diverged: the {} after {} updates is not finite", what, result.updates);
}

/// Appends the loss to the curve; a loss that is not finite ends the training instead.
template <class Scalar>
void keep_loss(TrainResult<Scalar>& result,
               const TrainedModel<Scalar>& model,
               const PrefixData<Scalar>& held_out) {
    const double loss = model.loss(result.theta, held_out);
    if (std::isfinite(loss)) {
        result.curve.push_back({result.updates, loss, result.seconds});
    } else {
        end_as_diverged(result, "loss");
    }
}

}  // namespace

std::string_view to_string(TrainStatus status) {
    return name_of(kTrainStatusNames, status);
}

std::vector<Index> curve_updates(Index total, Index points) {
    require(total >= 1 && points >= 1,
            "curve_updates: expected at least one update and at least one point");
    std::vector<Index> updates;
    for (Index k = 0; k <= points; ++k) {
        const double part = static_cast<double>(k) / static_cast<double>(points);
        const auto update =
            static_cast<Index>(std::llround(static_cast<double>(total) * part * part));
        if (updates.empty() || update > updates.back()) {
            updates.push_back(update);
        }
    }
    return updates;
}

template <class Scalar>
TrainResult<Scalar> train(const TrainedModel<Scalar>& model,
                          const PrefixData<Scalar>& held_out,
                          const TrainOptions& options,
                          const Stream& stream) {
    Minibatches batches(model.num_sequences(), options.batch_size, stream.child("batches"));
    Optimiser<Scalar> optimiser(options.optimiser, model.num_parameters());
    TrainResult<Scalar> result;
    result.theta = model.start(stream.child("start"));
    for (const Index stop : curve_updates(options.updates, options.curve_points)) {
        const Timer timer;
        while (result.updates < stop && result.status == TrainStatus::finished) {
            throw_if_interrupted("train");
            note_progress("updates", result.updates, options.updates);
            const VectorOf<Scalar> gradient =
                model.gradient(result.theta, batches.of_update(result.updates));
            if (!gradient.allFinite()) {
                end_as_diverged(result, "gradient");
                break;
            }
            const double factor = rate_factor(options.schedule, result.updates, options.updates);
            result.theta = optimiser.step(std::move(result.theta), gradient, factor);
            ++result.updates;
        }
        result.seconds += timer.seconds();
        if (result.status == TrainStatus::finished) {
            keep_loss(result, model, held_out);
        }
        if (result.status != TrainStatus::finished) {
            break;
        }
    }
    return result;
}

template TrainResult<float> train<float>(const TrainedModel<float>&,
                                         const PrefixData<float>&,
                                         const TrainOptions&,
                                         const Stream&);
template TrainResult<double> train<double>(const TrainedModel<double>&,
                                           const PrefixData<double>&,
                                           const TrainOptions&,
                                           const Stream&);

}  // namespace attest
