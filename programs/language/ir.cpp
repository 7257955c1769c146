#include "programs/language/ir.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cctype>

namespace attest {

namespace {

bool is_word(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '_';
    });
}

}  // namespace

Index Block::at(Index i) const {
    // For every entry of every trace: the message is made only when it is needed.
    if (i < 0 || size <= i) {
        throw InvalidInput(formatted("block {}: got row {}, it has {}", name, i, size));
    }
    return offset + i;
}

Block Block::part(Index first, Index count) const {
    require(0 <= first && 0 <= count && first + count <= size,
            "block {}: got rows from {}, {}, it has {}",
            name,
            first,
            count,
            size);
    return {name, offset + first, count};
}

Block Schema::add(std::string name, Index size) {
    require(
        is_word(name), "schema: got block name {}, expected letters, digits or _", in_quotes(name));
    require(size >= 1, "schema: block {} got size {}, expected at least 1", name, size);
    for (const Block& block : blocks_) {
        require(block.name != name, "schema: block {} is defined twice", name);
    }
    blocks_.push_back({std::move(name), dim_, size});
    dim_ += size;
    return blocks_.back();
}

const Block& Schema::block(std::string_view name) const {
    const auto found = std::find_if(
        blocks_.begin(), blocks_.end(), [&](const Block& block) { return block.name == name; });
    require(found != blocks_.end(), "schema: there is no block {}", in_quotes(name));
    return *found;
}

std::string Schema::row_name(Index row) const {
    for (const Block& block : blocks_) {
        if (block.offset <= row && row < block.offset + block.size) {
            return block.size == 1 ? block.name
                                   : formatted("{}[{}]", block.name, row - block.offset);
        }
    }
    throw InvalidInput(formatted("schema: got row {}, expected 0 … {}", row, dim_ - 1));
}

std::vector<MatrixTerm> map_block(const Block& to, const Block& from, std::int64_t coefficient) {
    require(to.size == from.size,
            "map_block: {} has {} rows, {} {}",
            to.name,
            to.size,
            from.name,
            from.size);
    std::vector<MatrixTerm> terms;
    for (Index i = 0; i < to.size; ++i) {
        terms.push_back({to.at(i), from.at(i), coefficient});
    }
    return terms;
}

std::vector<MatrixTerm> sum_block(Index to, const Block& from, std::int64_t coefficient) {
    std::vector<MatrixTerm> terms;
    for (Index i = 0; i < from.size; ++i) {
        terms.push_back({to, from.at(i), coefficient});
    }
    return terms;
}

std::vector<MatrixTerm> join_terms(const std::vector<std::vector<MatrixTerm>>& lists) {
    std::vector<MatrixTerm> all;
    for (const std::vector<MatrixTerm>& list : lists) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

}  // namespace attest
