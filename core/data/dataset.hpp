#pragma once

#include "core/algebra/matrix.hpp"
#include "core/data/token_matrix.hpp"
#include "core/layers/layer.hpp"
#include "core/model/parameters.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What some layers read beside the tokens; 0×0 where a data set has none.
struct LayerColumns {
    Matrix x;      ///< d_x×num_examples: what asks in `cross`
    Matrix phi;    ///< m×T: every token mapped, for `mapped`
    Matrix gates;  ///< 1×T, or one row for each coordinate of the key: `gates`
    Matrix s;      ///< q×num_examples, with u: `moments`
    Matrix u;      ///< m×num_examples
    Matrix keys;   ///< K×T, with beta: `delta`
    Matrix beta;   ///< 1×T

    [[nodiscard]] bool empty() const {
        return x.size() == 0 && phi.size() == 0 && gates.size() == 0 && s.size() == 0 &&
               u.size() == 0 && keys.size() == 0 && beta.size() == 0;
    }
};

/// What the columns of Dataset::y belong to.
enum class LabelKind : std::uint8_t {
    none,
    per_sequence,  ///< one label for each sequence
    per_prefix,    ///< one label for each prefix: after every token
};

[[nodiscard]] std::string_view to_string(LabelKind kind);

/// What generated the labels, where it is known.
struct GroundTruth {
    std::optional<Parameters> heads;  ///< keys truth_V, truth_Q
    std::optional<Matrix> P;          ///< ψ×o, key truth_P (stored transposed)
};

/// Sequences and labels in memory. Sequence i is the d×n_i block of columns offsets[i] …
/// offsets[i+1]−1 of `tokens`; lengths may differ. For the layer `moments` tokens have no entries
/// and sequences one of them. An *example* is a sequence (LabelKind none, per_sequence) or a
/// prefix.
struct Dataset {
    TokenMatrix tokens;          ///< d×T, the columns of all sequences in order
    std::vector<Index> offsets;  ///< num_sequences + 1 entries, from 0 to T, strictly increasing
    LabelKind labels = LabelKind::none;
    Matrix y;                  ///< o×num_examples; 0×0 without labels
    std::vector<Index> query;  ///< query column within each sequence; empty: the last one
    LayerColumns columns;
    Layer layer;  ///< what reads the examples: their features are its own
    GroundTruth truth;
    std::string meta;  ///< JSON text, possibly empty

    [[nodiscard]] Index d() const { return tokens.rows(); }

    [[nodiscard]] Index o() const { return y.rows(); }

    /// The features that the layer makes of an example. Throws InvalidInput where the data lack
    /// what it needs.
    [[nodiscard]] FeatureLayout layout() const { return layout_of(layer, layer_input()); }

    [[nodiscard]] LayerInput layer_input() const {
        const Matrix& keys = layer.form == TokenForm::delta ? columns.keys : columns.phi;
        return {d(), columns.x.rows(), keys.rows(), columns.s.rows(), columns.u.rows()};
    }

    [[nodiscard]] Index num_sequences() const { return static_cast<Index>(offsets.size()) - 1; }

    [[nodiscard]] Index num_examples() const {
        return labels == LabelKind::per_prefix ? tokens.cols() : num_sequences();
    }

    [[nodiscard]] Index first_token(Index i) const { return offsets[static_cast<std::size_t>(i)]; }

    /// First example of sequence i; num_examples() for i = num_sequences().
    [[nodiscard]] Index first_example(Index i) const {
        return labels == LabelKind::per_prefix ? first_token(i) : i;
    }

    [[nodiscard]] Index length(Index i) const { return first_token(i + 1) - first_token(i); }

    /// Z of sequence i, d×n_i.
    [[nodiscard]] auto sequence(Index i) const {
        return tokens.middleCols(first_token(i), length(i));
    }

    /// Column of `tokens` that holds sequence i's query.
    [[nodiscard]] Index query_token(Index i) const {
        return query.empty() ? first_token(i + 1) - 1
                             : first_token(i) + query[static_cast<std::size_t>(i)];
    }
};

/// Throws InvalidInput with the first violated invariant: empty set or sequence, offsets, shapes,
/// query range, ground truth of another shape, NaN or infinity ("Z[17] holds a NaN at (2,5)").
void check(const Dataset& data);

/// "a NaN" or "an infinity", for messages about a number that is not finite.
[[nodiscard]] std::string_view name_of_non_finite(double value);

/// The numbers of the sequences whose tokens and labels are all finite, ascending. O(T d).
[[nodiscard]] std::vector<Index> finite_sequences(const Dataset& data);

/// The sequences listed in `chosen`, in that order, with all that belongs to them; ground truth,
/// meta and layer are kept. Throws InvalidInput when one is out of range.
[[nodiscard]] Dataset select_sequences(const Dataset& data, std::span<const Index> chosen);

/// The sequences `first` … `first + count − 1` with their labels. Throws InvalidInput when out of
/// range.
[[nodiscard]] Dataset subset(const Dataset& data, Index first, Index count);

/// One data set after the other; d, o, label kind and layer must agree, else InvalidInput. Ground
/// truth and meta are those of `a`.
[[nodiscard]] Dataset concatenate(const Dataset& a, const Dataset& b);

/// SHA-256, in hex, of the canonical form: the line "attest-dataset-1\n"; then as int64 d, o, label
/// kind (0 none, 1 per_sequence, 2 per_prefix), N, T, the N+1 offsets, 0 or 1 for the presence of
/// `query` and its N entries; then as float64 the labels, example by example, and the tokens, one
/// after the other. All little-endian, −0 written as +0. Where a layer's columns are there the
/// first line is "attest-dataset-2\n", and x, phi, gates, s, u follow in this order, each as its
/// int64 numbers of rows and columns and its float64 entries, column after column; where keys and
/// beta are there it is "attest-dataset-3\n", and they follow too. It depends neither on file
/// format nor on compression, ground truth or meta. O(T d).
[[nodiscard]] std::string digest(const Dataset& data);

/// The two halves of check(), for tokens that do not lie in a data set. All of `data` but its
/// tokens, which are num_tokens of d entries.
void check_but_tokens(const Dataset& data, Index d, Index num_tokens);

/// The tokens of consecutive sequences, the first of which is number `before`.
void check_tokens(const Dataset& part, Index before);

}  // namespace attest
