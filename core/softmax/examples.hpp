#pragma once

#include "core/algebra/matrix.hpp"
#include "core/data/dataset.hpp"
#include "core/softmax/attention.hpp"

#include <functional>
#include <optional>
#include <string>

namespace attest {

/// A block of labelled sequences of k tokens: token a of example i is column i·k + a of X (d×B·k),
/// row a of its F(X) is the same column of Y.
struct SoftmaxExamples {
    Index k = 0;
    Matrix X;
    Matrix Y;

    [[nodiscard]] Index d() const { return X.rows(); }

    [[nodiscard]] Index count() const { return k == 0 ? 0 : X.cols() / k; }
};

/// Throws InvalidInput unless X and Y are of the same shape with whole sequences and at least one.
void check(const SoftmaxExamples& examples);

/// Examples first … first+count−1 of a block.
[[nodiscard]] SoftmaxExamples subset(const SoftmaxExamples& examples, Index first, Index count);

/// A fixed sequence of `count` examples that are drawn when asked for: `draw(first, count)` is a
/// pure function, so every pass meets the same examples and memory holds one block of them.
struct SoftmaxSource {
    Index d = 0;
    Index k = 0;
    Index count = 0;
    std::function<SoftmaxExamples(Index first, Index count)> draw;
};

/// The examples of a block as a source, which keeps a copy.
[[nodiscard]] SoftmaxSource source_of(SoftmaxExamples examples);

/// The same source, held in memory when it needs at most `bytes`: faster passes, the same examples.
[[nodiscard]] SoftmaxSource held_in_memory(SoftmaxSource source, double bytes);

/// Calls visit(block, first) for consecutive blocks of about 50 000 tokens. Throws Interrupted
/// between blocks when the user asked to stop.
void for_each_block(const SoftmaxSource& source,
                    const std::function<void(const SoftmaxExamples&, Index)>& visit);

/// One example of each class {X, −X}, in order of first appearance, with x_11 > 0, and the mean of
/// its labels: F(−X) = −F(X), so the others repeat it but for noise. Nothing where an entry is not
/// ±1, or d·k > 62.
[[nodiscard]] std::optional<SoftmaxExamples> distinct_boolean(const SoftmaxSource& source);

/// The examples as the phases pass over them: Boolean sequences once for each class {X, −X} where
/// they repeat often enough to matter, otherwise the source itself, in memory up to 256 MB.
[[nodiscard]] SoftmaxSource prepared_source(const SoftmaxSource& source);

/// Examples with the heads that labelled them, where they are known.
struct SoftmaxData {
    SoftmaxExamples examples;
    std::optional<SoftmaxHeads> truth;
    std::string meta;  ///< JSON text, possibly empty
};

/// Writes an .npz data set (docs/formats.md) with Z (N,d,k) and y (N,k·d), row a of F(X) after row
/// a−1, and truth_Theta and truth_W (m,d,d). Throws EnvironmentFailure, leaving no file behind.
void write_softmax_data(const std::string& path, const SoftmaxData& data);

/// The examples of a data set that a softmax layer may have labelled, with k·d label entries for
/// each sequence of k tokens. Throws InvalidInput, one line with `name`, for any other.
[[nodiscard]] SoftmaxExamples softmax_examples(Dataset set, const std::string& name);

/// Reads such a file; other keys are left alone. Throws InvalidInput, one line, when lengths
/// differ, labels are not k·d for each sequence, or the truth has another shape.
[[nodiscard]] SoftmaxData read_softmax_data(const std::string& path);

/// Writes learned heads under Theta and W (m,d,d), with meta.
void write_softmax_model(const std::string& path,
                         const SoftmaxHeads& heads,
                         const std::string& meta);

}  // namespace attest
