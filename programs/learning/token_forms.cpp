#include "programs/learning/token_forms.hpp"

#include "core/algebra/symmetric_pack.hpp"

namespace attest {

TokenForms::TokenForms(const LearnedProgram& learned)
    : d_(learned.coefficients.d),
      denominator_(learned.coefficients.denominator),
      functional_(learned.null_words.size(), FormWords{}) {
    const std::uint64_t first_draw = std::uint64_t{1} << 60U;  // apart from those of the null words
    for (Index a = 0; a < d_; ++a) {
        weights_.push_back(random_words(first_draw + static_cast<std::uint64_t>(a)));
    }
    for (std::size_t j = 0; j < functional_.size(); ++j) {
        functional_[j] = {learned.null_words[j][0], learned.null_words[j][1], 0, 0};
    }
    for (const Coefficient& c : learned.coefficients.entries) {
        FormWords& to = functional_[static_cast<std::size_t>(pack_index(d_, c.b, c.k) * d_ + c.e)];
        const Words& weight = weights_[static_cast<std::size_t>(c.output)];
        for (std::size_t w = 0; w < weight.size(); ++w) {
            const Modulus& p = word_moduli()[w];
            to[w + 2] = p.add(to[w + 2], p.multiply(p.reduce(c.value), weight[w]));
        }
    }
}

Index TokenForms::add(Token token) {
    Words words{};
    for (const TokenEntry& entry : token) {
        const Words& weight = weights_[static_cast<std::size_t>(entry.row)];
        for (std::size_t w = 0; w < words.size(); ++w) {
            const Modulus& p = word_moduli()[w];
            const Residue value = p.multiply(p.reduce(denominator_), p.reduce(entry.value));
            words[w] = p.add(words[w], p.multiply(value, weight[w]));
        }
    }
    tokens_.push_back(std::move(token));
    printed_.push_back(words);
    columns_.emplace_back();
    return size() - 1;
}

void TokenForms::fill(Index query, Index token) {
    const Token& z = tokens_[static_cast<std::size_t>(query)];
    const Token& t = tokens_[static_cast<std::size_t>(token)];
    Cell cell{{}, true};
    for (std::size_t i = 0; i < t.size(); ++i) {
        for (std::size_t j = i; j < t.size(); ++j) {
            const Index pair = pack_index(d_, t[i].row, t[j].row) * d_;
            for (const TokenEntry& e : z) {
                const FormWords& f = functional_[static_cast<std::size_t>(pair + e.row)];
                const std::int64_t value = t[i].value * t[j].value * e.value;
                for (std::size_t w = 0; w < f.size(); ++w) {
                    const Modulus& p = word_moduli()[w % 2];
                    cell.words[w] = p.add(cell.words[w], p.multiply(p.reduce(value), f[w]));
                }
            }
        }
    }
    Column& column = columns_[static_cast<std::size_t>(query)];
    if (token >= static_cast<Index>(column.size())) {
        column.resize(tokens_.size());
    }
    column[static_cast<std::size_t>(token)] = cell;
}

}  // namespace attest
