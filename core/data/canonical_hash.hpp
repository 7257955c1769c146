#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/sha256.hpp"
#include "core/data/sources/sequences.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace attest {

/// What a layer reads beside the tokens; the number of the canonical form's version.
enum class HashedColumns : std::uint8_t { none = 1, some = 2, with_keys = 3 };

/// SHA-256 of a data set's canonical form, see digest(), fed piece by piece.
class CanonicalHash {
public:
    /// Of a data set's form all that comes before the labels.
    CanonicalHash(const SequenceShape& shape, HashedColumns columns);

    void add_line(std::string_view text);
    void add(std::span<const Index> integers);
    /// Column after column, −0 as +0.
    void add(const Eigen::Ref<const Matrix>& columns);

    [[nodiscard]] std::string hex() const { return hash_.hex(); }

private:
    Sha256 hash_;
};

}  // namespace attest
