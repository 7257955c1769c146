#pragma once

#include "core/exact/annihilation.hpp"

#include <utility>

namespace attest::test {

/// A matrix of big integers as IntegerRows with small blocks, so that few rows make several.
class PlainRows final : public MatrixRows {
public:
    explicit PlainRows(MatrixOf<Integer> A, Index block_rows = 3)
        : MatrixRows(std::move(A), block_rows) {}
};

}  // namespace attest::test
