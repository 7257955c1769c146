#include "tasks/softmax_attention.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

Matrix draw_tokens(TokenLaw law, Index d, Index k, const Stream& stream) {
    if (law == TokenLaw::boolean) {
        static const GridLaw signs = rademacher();
        return grid_matrix(signs, d, k, stream);
    }
    Matrix X = grid_matrix(grid_normal(), d, k, stream);
    if (law == TokenLaw::sphere) {
        for (Index j = 0; j < k; ++j) {
            double square = 0.0;
            for (Index v = 0; v < d; ++v) {
                square += X(v, j) * X(v, j);
            }
            ensure(square > 0.0, "softmax-attention: a Gaussian token is zero");
            X.col(j) *= std::sqrt(static_cast<double>(d) / square);
        }
    }
    return X;
}

}  // namespace

SoftmaxAttention::SoftmaxAttention(const SoftmaxAttentionOptions& options, const Stream& stream)
    : SoftmaxAttention(options, softmax_teacher(options.teacher, stream.child("teacher")), stream) {
}

SoftmaxAttention::SoftmaxAttention(const SoftmaxAttentionOptions& options,
                                   SoftmaxHeads heads,
                                   const Stream& stream)
    : options_(options), stream_(stream), heads_(std::move(heads)) {
    require(options.k >= 1, "softmax-attention: got k below 1, expected at least one token");
}

TaskTraits SoftmaxAttention::traits() const {
    TaskTraits traits;
    traits.d = options_.teacher.d;
    traits.o = options_.k * options_.teacher.d;
    traits.realisable = false;  // by linear attention
    traits.bitwise = options_.law != TokenLaw::sphere;
    traits.max_length = options_.k;
    return traits;
}

TaskDescription SoftmaxAttention::description() const {
    const SoftmaxTeacherOptions& teacher = options_.teacher;
    return {"softmax-attention",
            {{"d", std::to_string(teacher.d)},
             {"k", std::to_string(options_.k)},
             {"heads", std::to_string(teacher.heads)},
             {"law", std::string(name_of(kTokenLaws, options_.law))},
             {"theta", std::string(name_of(kThetaKinds, teacher.theta))},
             {"rank", std::to_string(teacher.rank)},
             {"value", std::string(name_of(kValueKinds, teacher.value))},
             {"norm", round_trip(teacher.norm)}},
            stream_.path()};
}

Sequence SoftmaxAttention::draw(Index i) const {
    require(i >= 0, "softmax-attention: got sequence {}, expected at least 0", i);
    Sequence sequence;
    sequence.Z = draw_tokens(
        options_.law, options_.teacher.d, options_.k, stream_.child("example").child(i));
    sequence.y = softmax_attention(heads_, sequence.Z, options_.k).reshaped();
    return sequence;
}

SoftmaxSource softmax_source(const Task& task, Index first, Index count) {
    const TaskTraits traits = task.traits();
    const Index k = traits.max_length;
    require(first >= 0 && count >= 1 && traits.labels == LabelKind::per_sequence &&
                traits.o == k * traits.d && task.length(0) == k,
            "softmax_source: expected sequences of one length k with k·d labels each");
    return {traits.d, k, count, [&task, first, k, d = traits.d](Index from, Index number) {
                SoftmaxExamples block{k, Matrix(d, number * k), Matrix(d, number * k)};
                for (Index i = 0; i < number; ++i) {
                    const Sequence sequence = task.draw(first + from + i);
                    block.X.middleCols(i * k, k) = sequence.Z;
                    block.Y.middleCols(i * k, k) = sequence.y.reshaped(d, k);
                }
                return block;
            }};
}

std::vector<TaskParameter> softmax_attention_parameters() {
    return {{"d", "6", "entries of a token"},
            {"k", "2", "tokens in a sequence"},
            {"heads", "2", "planted softmax heads"},
            {"law", "gaussian", "boolean, gaussian or sphere"},
            {"theta", "dense", "dense, diagonal, block, low_rank, symmetric or transformer_init"},
            {"rank", "1", "rank of low_rank"},
            {"value", "conditioned", "orthogonal, conditioned, singular or transformer_init"},
            {"norm", "3", "Frobenius norm of every Theta"}};
}

SoftmaxAttentionOptions softmax_attention_options(const ParameterReader& reader) {
    SoftmaxAttentionOptions options;
    options.teacher.d = reader.integer("d", 1, kLargestDimension);
    options.k = reader.integer("k", 1, kLargestDimension);
    options.teacher.heads = reader.integer("heads", 1, kLargestDimension);
    options.law = reader.choice("law", kTokenLaws);
    options.teacher.theta = reader.choice("theta", kThetaKinds);
    options.teacher.rank = reader.integer("rank", 1, options.teacher.d);
    options.teacher.value = reader.choice("value", kValueKinds);
    options.teacher.norm = reader.real("norm", 0x1p-20, 0x1p20);
    return options;
}

std::unique_ptr<Task> read_softmax_attention(const ParameterReader& reader, const Stream& stream) {
    return std::make_unique<SoftmaxAttention>(softmax_attention_options(reader), stream);
}

}  // namespace attest
