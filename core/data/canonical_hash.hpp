#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/sha256.hpp"
#include "core/data/sources/sequences.hpp"

#include <span>
#include <string>
#include <string_view>

namespace attest {

/// SHA-256 of a data set's canonical form, see digest(), fed piece by piece.
class CanonicalHash {
public:
    /// Of a data set's form, of this version, all that comes before the labels.
    CanonicalHash(const SequenceShape& shape, std::span<const Index> query, Index version);

    void add_line(std::string_view text);
    void add(std::span<const Index> integers);
    /// Column after column, −0 as +0.
    void add(const Eigen::Ref<const Matrix>& columns);

    [[nodiscard]] std::string hex() const { return hash_.hex(); }

private:
    Sha256 hash_;
};

}  // namespace attest
