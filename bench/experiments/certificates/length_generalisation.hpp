#pragma once

#include "core/base/choice.hpp"
#include "core/data/dataset.hpp"
#include "core/data/sources/moments.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <utility>

namespace attest {

/// Which function of a sequence of n standard normal tokens is to be learned.
enum class LengthLabels : std::uint8_t {
    linear,        ///< two planted heads, Σ V S Q z
    linear_noisy,  ///< the same, training labels with noise
    averaged,      ///< the planted heads' output divided by n, with noise
    softmax,       ///< one softmax head, with noise
};

inline constexpr Choices<LengthLabels, 4> kLengthLabels{
    {{LengthLabels::linear, "linear"},
     {LengthLabels::linear_noisy, "linear_noisy"},
     {LengthLabels::averaged, "averaged"},
     {LengthLabels::softmax, "softmax"}}};

/// What the layer sums over the tokens.
enum class LengthFeatures : std::uint8_t {
    sum,   ///< S = Σ z zᵀ
    mean,  ///< S/n
};

inline constexpr Choices<LengthFeatures, 2> kLengthFeatures{
    {{LengthFeatures::sum, "sum"}, {LengthFeatures::mean, "mean"}}};

struct LengthSetting {
    LengthLabels labels = LengthLabels::linear;
    LengthFeatures features = LengthFeatures::sum;
    std::pair<Index, Index> train{4, 4};  ///< lengths are uniform between these
    Index d = 4;                          ///< also the number of outputs
    Index N = 800;
    Index repetition = 0;
    std::uint64_t seed = 0;

    [[nodiscard]] Stream stream() const;
};

/// Training sequences with their labels and the standard deviation of the noise in these: 3 % of
/// their root mean square, 0 for `linear`.
struct LengthTraining {
    Dataset data;
    double sigma = 0.0;
};

/// Depends on seed, repetition, labels and lengths only.
[[nodiscard]] LengthTraining length_training(const LengthSetting& setting);
/// 1000 fresh sequences of n tokens, labels without noise.
[[nodiscard]] Dataset length_test(const LengthSetting& setting, Index n);
/// The planted coefficients of the linear labels, ψ×o.
[[nodiscard]] Matrix length_truth(const LengthSetting& setting);

/// Moments of sequences in one batch; S is divided by the length where the features are means.
class LengthSource final : public MomentSource {
public:
    LengthSource(const Dataset& data, LengthFeatures features);

    [[nodiscard]] SourceShape shape() const override;

    [[nodiscard]] MomentBatch block(Index /*b*/) const override { return batch_; }

private:
    MomentBatch batch_;
};

}  // namespace attest
