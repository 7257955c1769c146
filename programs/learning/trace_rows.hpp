#pragma once

#include "core/exact/column_classes.hpp"
#include "programs/language/compile.hpp"
#include "programs/language/ir.hpp"
#include "programs/language/token.hpp"

#include <functional>
#include <span>
#include <vector>

namespace attest {

/// One flag a feature, in Algorithm 2's order: whether a learner may use it.
using FeatureMask = std::vector<char>;

/// Features that heads with the types of this program's heads can read: S(b,k)·z(e) is kept if some
/// head takes values from b's block, keys from k's block (or the other way round) and its source
/// from e's block. Nothing else of the program is told.
[[nodiscard]] FeatureMask typed_features(const Program& program);

/// A printed token as training data: the cubic features of everything before it, sparse, in
/// Algorithm 2's order, and the token as label.
using VisitRow =
    std::function<void(std::span<const IntegerEntry> row, std::span<const IntegerEntry> label)>;

/// Makes the rows pack(S) ⊗ z of traces. S is updated by one token after the other, so a row costs
/// its nonzero entries.
class TraceRows {
public:
    /// Features outside the mask are left out of rows; it must outlive this. None: all are kept.
    explicit TraceRows(Index d, const FeatureMask* mask = nullptr);

    /// Visits one row for each generated token, in order. The spans live during the call.
    void visit(const Trace& trace, const VisitRow& visit_row);

private:
    void start_again();
    void append(const Token& token);
    [[nodiscard]] std::span<const IntegerEntry> row_of(const Token& query);

    Index d_;
    const FeatureMask* mask_;
    std::vector<std::int64_t> S_;  ///< packed
    std::vector<char> touched_;
    std::vector<Index> pairs_;  ///< the touched positions of S
    std::vector<IntegerEntry> row_;
    std::vector<IntegerEntry> label_;
};

/// The token as a sparse row.
[[nodiscard]] std::vector<IntegerEntry> to_row(const Token& token);

}  // namespace attest
