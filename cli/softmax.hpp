#pragma once

#include "cli/command.hpp"
#include "core/base/shape.hpp"

#include <string>

namespace attest::cli {

/// Options of `attest softmax learn`.
struct SoftmaxLearnCommand {
    std::string data;
    std::string output;
    Index heads = 0;            ///< 0: found
    double largest_norm = 0.0;  ///< 0: unknown
    Index held_out = 0;         ///< 0: a fifth of the examples, at most 2000
    Index net_points = 0;
    double most_tuples = 2e7;
    bool polish = true;
};

/// Learns, prints what each phase found and writes the model. Exit code 0 when the six phases
/// succeeded, 3 when they did not, also where the polish found the heads all the same.
int softmax_learn(const SoftmaxLearnCommand& command, const CommonOptions& common);

}  // namespace attest::cli
