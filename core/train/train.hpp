#pragma once

#include "core/train/optimiser.hpp"
#include "core/train/trained_model.hpp"

#include <string>
#include <vector>

namespace attest {

struct TrainOptions {
    OptimiserOptions optimiser = {};
    Schedule schedule = Schedule::cosine;
    Index updates = 6400;
    Index batch_size = 32;
    Index curve_points = 40;  ///< losses kept on the way, denser at the beginning
};

/// How a training ended.
enum class TrainStatus : std::uint8_t {
    finished,
    diverged,  ///< a gradient or a loss was no longer finite
};

[[nodiscard]] std::string_view to_string(TrainStatus status);

/// The loss after some updates, and the seconds spent on updates so far.
struct LossPoint {
    Index update = 0;
    double loss = 0.0;
    double seconds = 0.0;
};

template <class Scalar>
struct TrainResult {
    VectorOf<Scalar> theta;  ///< after the last update whose gradient was finite
    TrainStatus status = TrainStatus::finished;
    std::string note;      ///< what was not finite, and when; empty if the training finished
    Index updates = 0;     ///< done
    double seconds = 0.0;  ///< of the updates; losses on the way are not counted
    std::vector<LossPoint> curve;  ///< finite losses on `held_out`, the first before any update
};

/// The updates after which the loss is kept: round(total (k/points)²) for k = 0 … points, ascending
/// and distinct.
[[nodiscard]] std::vector<Index> curve_updates(Index total, Index points);

/// Minibatch gradient descent from model.start(stream/"start"), batches from stream/"batches":
/// equal arguments, equal result, but for the seconds. Throws Interrupted when the user asked to
/// stop.
template <class Scalar>
[[nodiscard]] TrainResult<Scalar> train(const TrainedModel<Scalar>& model,
                                        const PrefixData<Scalar>& held_out,
                                        const TrainOptions& options,
                                        const Stream& stream);

extern template TrainResult<float> train<float>(const TrainedModel<float>&,
                                                const PrefixData<float>&,
                                                const TrainOptions&,
                                                const Stream&);
extern template TrainResult<double> train<double>(const TrainedModel<double>&,
                                                  const PrefixData<double>&,
                                                  const TrainOptions&,
                                                  const Stream&);

}  // namespace attest
