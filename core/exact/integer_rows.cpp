#include "core/exact/integer_rows.hpp"

#include "core/base/error.hpp"
#include "core/base/progress_scope.hpp"
#include "core/exact/row_basis.hpp"

#include <algorithm>

namespace attest {

ModularMatrix select_rows(const Modulus& p,
                          const IntegerRows& rows,
                          const std::vector<Index>& numbers) {
    std::vector<std::pair<Index, Index>> wanted;  // (row, position in the result), by row
    wanted.reserve(numbers.size());
    for (const Index number : numbers) {
        wanted.emplace_back(number, static_cast<Index>(wanted.size()));
    }
    std::sort(wanted.begin(), wanted.end());
    ModularMatrix selected(static_cast<Index>(numbers.size()), rows.num_columns());
    auto next = wanted.begin();
    for (Index b = 0; b < rows.num_blocks() && next != wanted.end(); ++b) {
        if (next->first >= rows.first_row(b + 1)) {
            continue;
        }
        const ModularMatrix block = rows.block(p, b);
        for (; next != wanted.end() && next->first < rows.first_row(b + 1); ++next) {
            std::copy_n(block.row(next->first - rows.first_row(b)),
                        block.cols(),
                        selected.row(next->second));
        }
    }
    require(next == wanted.end(), "select_rows: a row number is out of range");
    return selected;
}

RankProfile rank_profile(const Modulus& p, const IntegerRows& rows) {
    // Each block reads and writes the whole basis once, which for a large one is a third of the
    // time.
    const Index block_rows = rows.num_columns() < 4000 ? 256 : 512;
    ModularRowBasis basis(
        p, rows.num_columns(), {.block_rows = block_rows, .screens = screens_for(p)});
    for (Index b = 0; b < rows.num_blocks() && basis.rank() < rows.num_columns(); ++b) {
        const ModularMatrix block = rows.block(p, b);
        basis.append(block, ModularMatrix(block.rows(), 0));
        note_progress("rank", basis.rank(), rows.num_columns());
    }
    basis.flush();
    return {p.prime(), basis.pivot_rows(), basis.pivots()};
}

RankProfile higher_rank_profile(const IntegerRows& rows,
                                const Modulus& first,
                                const Modulus& second,
                                Index full) {
    RankProfile profile = rank_profile(first, rows);
    if (profile.rank() >= full) {
        return profile;
    }
    RankProfile other = rank_profile(second, rows);
    return other.rank() >= profile.rank() ? other : profile;
}

}  // namespace attest
