#include "programs/learning/trace_rows.hpp"

#include "core/algebra/symmetric_pack.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace attest {

namespace {

std::vector<Index> block_of_rows(const Schema& schema) {
    std::vector<Index> number;
    for (std::size_t i = 0; i < schema.blocks().size(); ++i) {
        number.insert(
            number.end(), static_cast<std::size_t>(schema.blocks()[i].size), static_cast<Index>(i));
    }
    return number;
}

}  // namespace

FeatureMask typed_features(const Program& program) {
    const std::vector<Index> block = block_of_rows(program.schema);
    const auto of = [&](Index row) { return block[static_cast<std::size_t>(row)]; };
    std::set<std::tuple<Index, Index, Index>> types;  // smaller block, larger block, source block
    for (const ProgramHead& head : program.heads) {
        for (const MatrixTerm& v : head.V) {
            for (const MatrixTerm& q : head.Q) {
                const auto [first, second] = std::minmax({of(v.from), of(q.to)});
                types.emplace(first, second, of(q.from));
            }
        }
    }
    const Index d = program.schema.dim();
    FeatureMask mask;
    mask.reserve(static_cast<std::size_t>(feature_dim(d)));
    for (Index pair = 0; pair < packed_dim(d); ++pair) {
        const auto [b, k] = packed_pair(d, pair);
        const auto [first, second] = std::minmax({of(b), of(k)});
        for (Index e = 0; e < d; ++e) {
            mask.push_back(types.contains({first, second, of(e)}) ? 1 : 0);
        }
    }
    return mask;
}

TraceRows::TraceRows(Index d, const FeatureMask* mask)
    : d_(d),
      mask_(mask),
      S_(static_cast<std::size_t>(packed_dim(d)), 0),
      touched_(static_cast<std::size_t>(packed_dim(d)), 0) {
    require(mask == nullptr || static_cast<Index>(mask->size()) == feature_dim(d),
            "TraceRows: the mask does not have one flag a feature");
}

void TraceRows::start_again() {
    for (const Index pair : pairs_) {
        S_[static_cast<std::size_t>(pair)] = 0;
        touched_[static_cast<std::size_t>(pair)] = 0;
    }
    pairs_.clear();
}

void TraceRows::append(const Token& token) {
    for (std::size_t i = 0; i < token.size(); ++i) {
        for (std::size_t j = i; j < token.size(); ++j) {
            const Index pair = pack_index(d_, token[i].row, token[j].row);
            if (touched_[static_cast<std::size_t>(pair)] == 0) {
                touched_[static_cast<std::size_t>(pair)] = 1;
                pairs_.push_back(pair);
            }
            S_[static_cast<std::size_t>(pair)] += token[i].value * token[j].value;
        }
    }
}

std::span<const IntegerEntry> TraceRows::row_of(const Token& query) {
    row_.clear();
    for (const Index pair : pairs_) {
        const std::int64_t S = S_[static_cast<std::size_t>(pair)];
        if (S != 0) {
            for (const TokenEntry& entry : query) {
                const Index feature = pair * d_ + entry.row;
                if (mask_ == nullptr || (*mask_)[static_cast<std::size_t>(feature)] != 0) {
                    row_.push_back({feature, S * entry.value});
                }
            }
        }
    }
    return row_;
}

void TraceRows::visit(const Trace& trace, const VisitRow& visit_row) {
    require(!trace.prompt.empty(), "TraceRows: the prompt has no token");
    start_again();
    for (const Token& token : trace.prompt) {
        append(token);
    }
    const Token* last = &trace.prompt.back();
    for (const Token& token : trace.generated) {
        label_.clear();
        for (const TokenEntry& entry : token) {
            label_.push_back({entry.row, entry.value});
        }
        visit_row(row_of(*last), label_);
        append(token);
        last = &token;
    }
}

std::vector<IntegerEntry> to_row(const Token& token) {
    std::vector<IntegerEntry> row;
    for (const TokenEntry& entry : token) {
        row.push_back({entry.row, entry.value});
    }
    return row;
}

}  // namespace attest
