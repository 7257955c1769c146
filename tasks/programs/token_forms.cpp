#include "tasks/programs/token_forms.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/exact/split_mix.hpp"

namespace attest {

TokenForms::TokenForms(const LearnedProgram& learned)
    : d_(learned.coefficients.d),
      denominator_(learned.coefficients.denominator),
      functional_(learned.null_words.size(), FormWords{}) {
    std::uint64_t draws = std::uint64_t{1} << 63U;  // apart from those of the null words
    for (Index a = 0; a < d_; ++a) {
        weights_.push_back({split_mix(++draws), split_mix(++draws)});
    }
    for (std::size_t j = 0; j < functional_.size(); ++j) {
        functional_[j] = {learned.null_words[j][0], learned.null_words[j][1], 0, 0};
    }
    for (const Coefficient& c : learned.coefficients.entries) {
        FormWords& to = functional_[static_cast<std::size_t>(pack_index(d_, c.b, c.k) * d_ + c.e)];
        const auto& weight = weights_[static_cast<std::size_t>(c.output)];
        to[2] += static_cast<std::uint64_t>(c.value) * weight[0];
        to[3] += static_cast<std::uint64_t>(c.value) * weight[1];
    }
}

Index TokenForms::add(Token token) {
    std::array<std::uint64_t, 2> words{};
    for (const TokenEntry& entry : token) {
        const auto& weight = weights_[static_cast<std::size_t>(entry.row)];
        const auto value = static_cast<std::uint64_t>(denominator_ * entry.value);
        words[0] += value * weight[0];
        words[1] += value * weight[1];
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
                const auto value = static_cast<std::uint64_t>(t[i].value * t[j].value * e.value);
                for (std::size_t w = 0; w < f.size(); ++w) {
                    cell.words[w] += value * f[w];
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
