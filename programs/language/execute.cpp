#include "programs/language/execute.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"

namespace attest {

namespace {

/// sum + a·b, refusing to wrap around.
std::int64_t fused(std::int64_t sum, std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    std::int64_t total = 0;
    const bool wraps =
        __builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(sum, product, &total);
    require(!wraps,
            "IntegerAttention: a sum exceeds 64 bits; the counts of this run are too large");
    return total;
}

}  // namespace

IntegerAttention::IntegerAttention(const SparseCoefficients& coefficients)
    : d_(coefficients.d),
      denominator_(coefficients.denominator),
      terms_(static_cast<std::size_t>(coefficients.d)),
      S_(static_cast<std::size_t>(packed_dim(coefficients.d)), 0) {
    require(denominator_ >= 1, "IntegerAttention: the denominator must be positive");
    for (const Coefficient& c : coefficients.entries) {
        terms_[static_cast<std::size_t>(c.e)].push_back(
            {c.output, pack_index(d_, c.b, c.k), c.value});
    }
}

void IntegerAttention::append(const Token& token) {
    for (std::size_t i = 0; i < token.size(); ++i) {
        require(token[i].row < d_, "IntegerAttention: the token has more than d rows");
        for (std::size_t j = i; j < token.size(); ++j) {
            auto& S = S_[static_cast<std::size_t>(pack_index(d_, token[i].row, token[j].row))];
            S = fused(S, token[i].value, token[j].value);
        }
    }
    last_ = token;
}

std::optional<Token> IntegerAttention::next() const {
    std::vector<std::int64_t> y(static_cast<std::size_t>(d_), 0);
    for (const TokenEntry& source : last_) {
        for (const Term& term : terms_[static_cast<std::size_t>(source.row)]) {
            const std::int64_t S = S_[static_cast<std::size_t>(term.pair)];
            if (S != 0) {
                std::int64_t& to = y[static_cast<std::size_t>(term.output)];
                to = fused(to, fused(0, term.value, source.value), S);
            }
        }
    }
    Token token;
    for (Index a = 0; a < d_; ++a) {
        const std::int64_t value = y[static_cast<std::size_t>(a)];
        if (value % denominator_ != 0) {
            return std::nullopt;
        }
        if (value != 0) {
            token.push_back({a, value / denominator_});
        }
    }
    return token;
}

std::int64_t IntegerAttention::moment(Index j, Index k) const {
    return S_[static_cast<std::size_t>(pack_index(d_, j, k))];
}

Index only_one(const Token& token, const Block& block) {
    Index found = -1;
    for (const TokenEntry& entry : token) {
        if (block.offset <= entry.row && entry.row < block.offset + block.size) {
            if (found >= 0 || entry.value != 1) {
                return -2;
            }
            found = entry.row - block.offset;
        }
    }
    return found;
}

AttentionRun run_attention(
    const SparseCoefficients& coefficients,
    const std::vector<Token>& prompt,
    Index token_limit,
    const std::function<Continue(const IntegerAttention&, const Token&)>& rule) {
    require(!prompt.empty(), "run_attention: the prompt has no token");
    IntegerAttention model(coefficients);
    for (const Token& token : prompt) {
        model.append(token);
    }
    AttentionRun run{AttentionEnding::token_limit, {prompt, {}}};
    while (static_cast<Index>(run.trace.generated.size()) < token_limit) {
        const std::optional<Token> token = model.next();
        if (!token) {
            run.ending = AttentionEnding::fraction;
            break;
        }
        run.trace.generated.push_back(*token);
        if (rule(model, *token) == Continue::stop) {
            run.ending = AttentionEnding::stopped;
            break;
        }
        model.append(*token);
    }
    return run;
}

}  // namespace attest
