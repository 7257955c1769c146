#pragma once

#include "core/algebra/matrix.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/data/dataset.hpp"
#include "core/data/sources/sequences.hpp"
#include "core/layers/arithmetic.hpp"
#include "core/layers/layer_state.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace attest {

/// Moments (s, u, y) of B examples, one a column. Everything a layer sees of an example.
template <class Scalar>
struct MomentBatchOf {
    MatrixOf<Scalar> S;  ///< q×B, the states; pack(Z Zᵀ) for the paper's layer
    MatrixOf<Scalar> u;  ///< m×B, the query features; the query columns for the paper's layer
    MatrixOf<Scalar> y;  ///< o×B, the labels; 0×B without labels

    [[nodiscard]] Index size() const { return u.cols(); }
};

using MomentBatch = MomentBatchOf<double>;

struct SourceShape {
    FeatureLayout layout;
    Index o = 0;  ///< 0 without labels
    Index num_examples = 0;
    Index num_blocks = 0;

    [[nodiscard]] Index q() const { return layout.q(); }

    [[nodiscard]] Index m() const { return layout.m(); }

    [[nodiscard]] Index psi() const { return layout.psi(); }
};

/// Examples as moments, in a fixed partition into blocks. `block(b)` is a pure function of b: it
/// may be called again, in any order and from several threads, and always returns the same batch.
class MomentSource {
public:
    MomentSource() = default;
    MomentSource(const MomentSource&) = delete;
    MomentSource& operator=(const MomentSource&) = delete;
    MomentSource(MomentSource&&) = delete;
    MomentSource& operator=(MomentSource&&) = delete;
    virtual ~MomentSource() = default;

    [[nodiscard]] virtual SourceShape shape() const = 0;
    [[nodiscard]] virtual MomentBatch block(Index b) const = 0;

    /// The data set whose examples these are, where its tokens are at hand; else null.
    [[nodiscard]] virtual const Dataset* dataset() const { return nullptr; }

    /// The sequences whose examples these are, at hand in parts at least; else null.
    [[nodiscard]] virtual const SequenceSource* sequences() const { return nullptr; }
};

/// Examples in a block.
inline constexpr Index kMomentBlock = 256;

/// First sequence of every block of prefixes that stay together, then their number: whole sequences
/// with at least kMomentBlock tokens in all, but for the last block.
[[nodiscard]] std::vector<Index> sequence_blocks(std::span<const Index> offsets);

/// Moments of a data set in memory by its layer, prefixes included; the data set must outlive it.
/// Blocks hold 256 examples, the last one fewer; a long sequence of prefixes spans several blocks,
/// for which pack(S) at the start of each is kept: (d+1)/512 of the tokens' memory. Prefixes of
/// other layers than the paper's stay together: blocks then hold whole sequences.
class DatasetSource final : public MomentSource {
public:
    explicit DatasetSource(const Dataset& data);

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

    [[nodiscard]] const Dataset* dataset() const override { return &data_; }

    [[nodiscard]] const SequenceSource* sequences() const override { return &sequences_; }

private:
    const Dataset& data_;
    SequencesInMemory sequences_;
    FeatureLayout layout_;
    Matrix carried_;  ///< q×num_blocks: pack(S) before each block's first token; prefixes of the
                      ///< paper's layer only
    std::vector<Index> starts_;  ///< first sequence of every block, then their number; prefixes of
                                 ///< other layers only
};

/// Moments of the sequences first … last−1 by the data's layer, in any scalar; doubles convert
/// exactly into Rational and the multiprecision types. Prefix data sets update S by one rank-one
/// step a token. O(T d²).
template <class Scalar>
[[nodiscard]] MomentBatchOf<Scalar> sequence_moments(const Dataset& data, Index first, Index last);

/// Moments by the paper's layer of the prefixes that end at tokens first … last−1, given s =
/// pack(S) of the tokens before `first` in its sequence; s is zero when a sequence starts there.
/// O((last−first) d²).
template <class Scalar>
[[nodiscard]] MomentBatchOf<Scalar> prefix_moments(const Dataset& data,
                                                   VectorOf<Scalar> s,
                                                   Index first,
                                                   Index last);

extern template MomentBatch sequence_moments<double>(const Dataset&, Index, Index);
extern template MomentBatch prefix_moments<double>(const Dataset&, Vector, Index, Index);

/// All blocks of a source side by side, in order. For small problems and tests. Throws
/// EnvironmentFailure when they do not fit in memory.
[[nodiscard]] MomentBatch collect(const MomentSource& source);

/// The examples of a data set as its layer sees them, (s, u), in any arithmetic: what every route,
/// floating or exact, shares. The data set must outlive it.
template <class Arithmetic>
class LayerExamples {
public:
    using Value = typename Arithmetic::Value;

    LayerExamples(const Dataset& data, Arithmetic arithmetic)
        : data_(data),
          arithmetic_(arithmetic),
          state_(data.layer, data.layer_input(), arithmetic),
          s_(static_cast<std::size_t>(data.layout().q())),
          u_(static_cast<std::size_t>(data.layout().m())) {}

    /// visit(example, s, u) for the examples of sequence i, in order: one, or one a prefix.
    template <class Visit>
    void visit_sequence(Index i, const Visit& visit) {
        if (data_.layer.form == TokenForm::supplied) {
            for (Index e = data_.first_example(i); e < data_.first_example(i + 1); ++e) {
                load(data_.columns.s, e, s_);
                load(data_.columns.u, e, u_);
                visit(e, std::as_const(s_), std::as_const(u_));
            }
            return;
        }
        const bool prefixes = data_.labels == LabelKind::per_prefix;
        const bool delta = data_.layer.form == TokenForm::delta;
        state_.start();
        for (Index t = data_.first_token(i); t < data_.first_token(i + 1); ++t) {
            load(data_.tokens, t, z_);
            load(delta ? data_.columns.keys : data_.columns.phi, t, phi_);
            load(data_.columns.gates, t, gate_);
            load(data_.columns.beta, t, beta_);
            state_.add({z_.data(), phi_.data(), gate_.data(), beta_.data()});
            if (prefixes) {
                show(t, t, visit);
            }
        }
        if (!prefixes) {
            show(i, data_.query_token(i), visit);
        }
    }

private:
    /// Column `at` of A; nothing where A has none.
    template <class Columns>
    void load(const Columns& A, Index at, std::vector<Value>& to) const {
        to.clear();
        for (Index j = 0; A.cols() > 0 && j < A.rows(); ++j) {
            to.push_back(arithmetic_.number(A(j, at)));
        }
    }

    template <class Visit>
    void show(Index example, Index query, const Visit& visit) {
        const Layer& layer = data_.layer;
        if (layer.cross) {
            load(data_.columns.x, example, asking_);
        } else if (layer.form == TokenForm::mapped) {
            load(data_.columns.phi, query, asking_);
        } else {
            load(data_.tokens, query, asking_);
        }
        state_.write_state(s_.data());
        state_.write_query(asking_.data(), u_.data());
        visit(example, std::as_const(s_), std::as_const(u_));
    }

    const Dataset& data_;
    Arithmetic arithmetic_;
    LayerState<Arithmetic> state_;
    std::vector<Value> z_;
    std::vector<Value> phi_;
    std::vector<Value> gate_;
    std::vector<Value> beta_;
    std::vector<Value> asking_;
    std::vector<Value> s_;
    std::vector<Value> u_;
};

// Definitions of sequence_moments and prefix_moments; include core/data/sources/moments.hpp
// instead.

template <class Scalar>
MomentBatchOf<Scalar> prefix_moments(const Dataset& data,
                                     VectorOf<Scalar> s,
                                     Index first,
                                     Index last) {
    MomentBatchOf<Scalar> batch{MatrixOf<Scalar>(packed_dim(data.d()), last - first),
                                data.tokens.middleCols(first, last - first).template cast<Scalar>(),
                                data.y.middleCols(first, last - first).template cast<Scalar>()};
    auto next_start = std::lower_bound(data.offsets.begin(), data.offsets.end(), first);
    for (Index t = first; t < last; ++t) {
        if (t == *next_start) {
            s.setZero();
            ++next_start;
        }
        add_token<Scalar>(s, batch.u.col(t - first));
        batch.S.col(t - first) = s;
    }
    return batch;
}

/// sequence_moments of another layer than the paper's.
template <class Scalar>
MomentBatchOf<Scalar> moments_of_layer(const Dataset& data, Index first, Index last) {
    const FeatureLayout layout = data.layout();
    const Index first_example = data.first_example(first);
    const Index count = data.first_example(last) - first_example;
    MomentBatchOf<Scalar> batch{MatrixOf<Scalar>(layout.q(), count),
                                MatrixOf<Scalar>(layout.m(), count),
                                MatrixOf<Scalar>(data.o(), count)};
    if (data.labels != LabelKind::none) {
        batch.y = data.y.middleCols(first_example, count).template cast<Scalar>();
    }
    LayerExamples examples(data, FieldArithmetic<Scalar>());
    for (Index i = first; i < last; ++i) {
        examples.visit_sequence(i, [&](Index example, const auto& s, const auto& u) {
            std::copy(s.begin(), s.end(), batch.S.col(example - first_example).begin());
            std::copy(u.begin(), u.end(), batch.u.col(example - first_example).begin());
        });
    }
    return batch;
}

template <class Scalar>
MomentBatchOf<Scalar> sequence_moments(const Dataset& data, Index first, Index last) {
    if (!data.layer.is_linear()) {
        return moments_of_layer<Scalar>(data, first, last);
    }
    const Index q = packed_dim(data.d());
    if (data.labels == LabelKind::per_prefix) {
        return prefix_moments<Scalar>(
            data, VectorOf<Scalar>::Zero(q), data.first_token(first), data.first_token(last));
    }
    MomentBatchOf<Scalar> batch{MatrixOf<Scalar>(q, last - first),
                                MatrixOf<Scalar>(data.d(), last - first),
                                MatrixOf<Scalar>(data.o(), last - first)};
    if (data.labels != LabelKind::none) {
        batch.y = data.y.middleCols(first, last - first).template cast<Scalar>();
    }
    for (Index i = first; i < last; ++i) {
        VectorOf<Scalar> s = VectorOf<Scalar>::Zero(q);
        add_tokens<Scalar>(s, data.sequence(i));
        batch.S.col(i - first) = s;
        batch.u.col(i - first) = data.tokens.col(data.query_token(i)).template cast<Scalar>();
    }
    return batch;
}

/// Moments by the paper's layer of sequence i, a column; `all` is the source's shape. Of its tokens
/// a run at a time is read: the bits of sequence_moments. Not for prefixes.
template <class Scalar>
[[nodiscard]] MomentBatchOf<Scalar> moments_of_runs(const SequenceSource& data,
                                                    const SequenceShape& all,
                                                    Index i) {
    MomentBatchOf<Scalar> batch;
    VectorOf<Scalar> s = VectorOf<Scalar>::Zero(packed_dim(all.d));
    const Index query = all.query_token(i);
    const auto add = [&](const TokenRun& run) {
        add_tokens<Scalar>(s, run.tokens);
        if (run.first_token <= query && query < run.end()) {
            batch.u = run.tokens.col(query - run.first_token).template cast<Scalar>();
        }
        if (run.labels.cols() > 0) {
            batch.y = run.labels.template cast<Scalar>();
        }
    };
    for_each_run(data, all.first_token(i), all.first_token(i + 1), add);
    batch.S = s;
    return batch;
}

/// Moments of sequences that need not lie in memory, a run of examples at a time: the blocks, and
/// their bits, are those of DatasetSource on the same data. The sequences must outlive it.
class SlicedSource final : public MomentSource {
public:
    explicit SlicedSource(const SequenceSource& data);

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

    [[nodiscard]] const Dataset* dataset() const override { return data_.whole(); }

    [[nodiscard]] const SequenceSource* sequences() const override { return &data_; }

private:
    [[nodiscard]] Index end_of_run(Index first, Index last) const;
    [[nodiscard]] MomentBatch moments_of(Index b, Index first, Index last) const;

    const SequenceSource& data_;
    SequenceShape all_;
    FeatureLayout layout_;
    std::vector<Index> starts_;  ///< first example of every block, then their number
    Matrix carried_;  ///< q×num_blocks: pack(S) before each block's first token; prefixes of the
                      ///< paper's layer only
};

}  // namespace attest
