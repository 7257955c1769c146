#include "core/data/canonical_hash.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"

#include <array>
#include <bit>

namespace attest {

static_assert(std::endian::native == std::endian::little, "numbers are hashed as they lie");
static_assert(sizeof(Index) == 8, "the canonical form has 64-bit integers");

void CanonicalHash::add_line(std::string_view text) {
    hash_.update(std::as_bytes(std::span(text.data(), text.size())));
}

void CanonicalHash::add(std::span<const Index> integers) {
    hash_.update(std::as_bytes(integers));
}

void CanonicalHash::add(const Eigen::Ref<const Matrix>& columns) {
    std::array<double, 512> piece{};
    std::size_t filled = 0;
    const auto flush = [&] {
        hash_.update(std::as_bytes(std::span(piece).first(filled)));
        filled = 0;
    };
    for (Index t = 0; t < columns.cols(); ++t) {  // borrowed columns need not adjoin
        for (Index j = 0; j < columns.rows(); ++j) {
            piece[filled++] = is_zero(columns(j, t)) ? 0.0 : columns(j, t);
            if (filled == piece.size()) {
                flush();
            }
        }
    }
    flush();
}

CanonicalHash::CanonicalHash(const SequenceShape& shape, HashedColumns columns) {
    add_line(formatted("attest-dataset-{}\n", static_cast<int>(columns)));
    add(std::array<Index, 5>{shape.d,
                             shape.o,
                             static_cast<Index>(shape.labels),
                             shape.num_sequences(),
                             shape.num_tokens()});
    add(shape.offsets);
    add(std::array<Index, 1>{shape.query.empty() ? 0 : 1});
    add(shape.query);
}

}  // namespace attest
