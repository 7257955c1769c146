#pragma once

#include "core/questions/output.hpp"
#include "core/questions/verdict.hpp"
#include "core/softmax/examples.hpp"
#include "core/softmax/pipeline.hpp"

#include <optional>
#include <string>

namespace attest {

/// What is asked of labelled sequences: a softmax layer, and how it is looked for.
struct SoftmaxRequest {
    SoftmaxLearnOptions options;
    Index held_out = 0;  ///< examples at the end, for validation; 0: a fifth, at most 2000
};

/// The layer that was found, phase by phase, and what the truth says of it where that is known.
struct LearnedSoftmax {
    SoftmaxResult result;
    SoftmaxOutcome outcome = SoftmaxOutcome::failed;
    std::optional<SoftmaxHeads> truth;
};

/// What the six phases are estimated to take, in seconds of the machine of AuditSize.
[[nodiscard]] double softmax_seconds(Index num_examples, const SoftmaxLearnOptions& options);

/// The six phases on all examples but the last, which validate. Throws InvalidInput, one line with
/// `name`, where no example would be left, and what learn_softmax throws.
[[nodiscard]] LearnedSoftmax learn_softmax_layer(SoftmaxData data,
                                                 const SoftmaxRequest& request,
                                                 const std::string& name);

/// Yes where the six phases succeeded; undecided where they did not, also where the polish found
/// the heads all the same.
[[nodiscard]] Decision decision(SoftmaxOutcome found);

/// What each phase found, with errors against the truth where that is known.
[[nodiscard]] Output describe(const LearnedSoftmax& found);

/// The meta of a learned layer, JSON: how it was learned.
[[nodiscard]] std::string learned_meta(const LearnedSoftmax& found);

}  // namespace attest
