#include "tasks/softmax_attention.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/orthogonal.hpp"
#include "core/rng/sample.hpp"
#include "core/softmax/diagnostics.hpp"

#include <Eigen/LU>

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

constexpr double kConditioned = 0.25;
constexpr Index kMostDraws = 2000;

// Plain loops in products: Eigen's order of additions depends on the machine.
Matrix product(const Matrix& A, const Matrix& B) {
    Matrix C = Matrix::Zero(A.rows(), B.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < B.cols(); ++j) {
            for (Index l = 0; l < A.cols(); ++l) {
                C(i, j) += A(i, l) * B(l, j);
            }
        }
    }
    return C;
}

Matrix scaled_to(const Matrix& A, double norm) {
    double square = 0.0;
    for (Index i = 0; i < A.size(); ++i) {
        square += A(i) * A(i);
    }
    ensure(square > 0.0, "softmax_teacher: a draw of Theta is zero");
    return A * (norm / std::sqrt(square));
}

Matrix normal(Index rows, Index cols, const Stream& stream) {
    return grid_matrix(grid_normal(), rows, cols, stream);
}

/// A·B/√cols(A) with entries of variance 1/d: what a layer of `heads` heads starts from.
Matrix initial_product(Index d, Index heads, const Stream& stream) {
    const Index inner = std::max<Index>(1, d / heads);
    return product(normal(d, inner, stream.child("left")),
                   normal(inner, d, stream.child("right"))) *
           (1.0 / static_cast<double>(d));
}

Matrix draw_theta(const SoftmaxTeacherOptions& options, const Stream& stream) {
    const Index d = options.d;
    switch (options.theta) {
        case ThetaKind::dense:
            return normal(d, d, stream);
        case ThetaKind::diagonal:
            return Vector(normal(d, 1, stream)).asDiagonal();
        case ThetaKind::block: {
            Matrix Theta = normal(d, d, stream);
            for (Index i = 0; i < d; ++i) {
                for (Index j = 0; j < d; ++j) {
                    Theta(i, j) = i / 2 == j / 2 ? Theta(i, j) : 0.0;
                }
            }
            return Theta;
        }
        case ThetaKind::low_rank:
            return product(normal(d, options.rank, stream.child("left")),
                           normal(options.rank, d, stream.child("right")));
        case ThetaKind::symmetric: {
            const Matrix A = normal(d, d, stream);
            return A + A.transpose();
        }
        case ThetaKind::transformer_init:
            break;
    }
    return initial_product(d, options.heads, stream);
}

std::vector<Matrix> draw_values(const SoftmaxTeacherOptions& options, const Stream& stream) {
    std::vector<Matrix> values;
    for (Index i = 0; i < options.heads; ++i) {
        values.push_back(options.value == ValueKind::transformer_init
                             ? initial_product(options.d, options.heads, stream.child(i))
                             : random_orthogonal(options.d, stream.child(i)));
    }
    if (options.value == ValueKind::singular &&
        (values[0].transpose() * values[1]).determinant() > 0.0) {
        values[1].col(0) = -values[1].col(0);
    }
    return values;
}

bool well_conditioned(const std::vector<Matrix>& values) {
    Matrix sum = values.front();
    for (std::size_t i = 1; i < values.size(); ++i) {
        sum += values[i];
    }
    return scaled_least_sigma(sum) >= kConditioned;
}

}  // namespace

SoftmaxAttention::SoftmaxAttention(const SoftmaxAttentionOptions& options, const Stream& stream)
    : SoftmaxAttention(options, softmax_teacher(options.teacher, stream.child("teacher")), stream) {
}

SoftmaxAttention::SoftmaxAttention(const SoftmaxAttentionOptions& options,
                                   SoftmaxHeads heads,
                                   Stream stream)
    : options_(options), stream_(std::move(stream)), heads_(std::move(heads)) {
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

SoftmaxHeads softmax_teacher(const SoftmaxTeacherOptions& options, const Stream& stream) {
    require(options.d >= 1 && options.heads >= 1 && options.norm > 0.0 && options.rank >= 1 &&
                options.rank <= options.d,
            "softmax_teacher: expected d, heads and norm above 0 and rank from 1 to d");
    require(options.value != ValueKind::singular || options.heads == 2,
            "softmax_teacher: got {} heads, expected 2 for singular values",
            options.heads);
    std::vector<Matrix> values;
    for (Index draw = 0;; ++draw) {
        require(draw < kMostDraws,
                "softmax_teacher: no conditioned values in {} draws; use another d or another kind "
                "of values",
                kMostDraws);
        values = draw_values(options, stream.child("W").child(draw));
        if (options.value != ValueKind::conditioned || well_conditioned(values)) {
            break;
        }
    }
    SoftmaxHeads heads;
    for (Index i = 0; i < options.heads; ++i) {
        heads.push_back(
            {scaled_to(draw_theta(options, stream.child("Theta").child(i)), options.norm),
             values[static_cast<std::size_t>(i)]});
    }
    return heads;
}

SoftmaxHeads parity_heads(Index d, const std::vector<Index>& S, double beta) {
    require(beta > 0.0, "parity_heads: expected beta above 0");
    const auto n = static_cast<Index>(S.size());
    SoftmaxHeads heads;
    for (Index t = 0; t < 2 * n; ++t) {
        SoftmaxHead head{Matrix::Zero(d, d), Matrix::Zero(d, d)};
        Index previous = 0;
        for (const Index v : S) {
            require(v > previous && v < d,
                    "parity_heads: got coordinate {}, expected S ascending in 1 to d-1",
                    v);
            head.Theta(0, v) = beta / 2.0;
            previous = v;
        }
        head.Theta(0, 0) = -beta / 2.0 * (0.5 + static_cast<double>(t - n));
        head.W(0, 0) = t % 2 == 0 ? 1.0 : -1.0;
        heads.push_back(std::move(head));
    }
    return heads;
}

Matrix parity_target(const Matrix& X, const std::vector<Index>& S) {
    require(X.cols() == 2, "parity_target: got {} tokens, expected 2", X.cols());
    double parity = S.size() % 2 == 0 ? 1.0 : -1.0;
    for (const Index v : S) {
        parity *= X(v, 0) * X(v, 1);
    }
    Matrix Y = Matrix::Zero(X.rows(), 2);
    Y(0, 0) = (X(0, 0) - X(0, 1)) / 2.0 * (1.0 - parity);
    Y(0, 1) = -Y(0, 0);
    return Y;
}

}  // namespace attest
