#pragma once

#include "programs/learning/learn_traces.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace attest {

/// Two words of null functionals, then two of weighted outputs: residues modulo word_moduli().
using FormWords = std::array<Residue, 4>;

inline void add_words(FormWords& sum,
                      const FormWords& words,
                      const std::array<Modulus, 2>& moduli) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] = moduli[i % moduli.size()].add(sum[i], words[i]);
    }
}

/// Tokens by number and, for a query z and a token t, what t adds to the functionals of a row whose
/// query is z: a row is pack(Σ t tᵀ) ⊗ z. Values are tabulated as they are asked for.
class TokenForms {
public:
    explicit TokenForms(const LearnedProgram& learned);

    /// Gives the token a number; equal tokens given twice get two.
    Index add(Token token);

    [[nodiscard]] Index size() const { return static_cast<Index>(tokens_.size()); }

    [[nodiscard]] const FormWords& form(Index query, Index token) {
        Column& column = columns_[static_cast<std::size_t>(query)];
        const auto at = static_cast<std::size_t>(token);
        if (at >= column.size() || !column[at].known) {
            fill(query, token);
        }
        return columns_[static_cast<std::size_t>(query)][at].words;
    }

    /// What words 2 and 3 must be for the model to print this token.
    [[nodiscard]] const Words& printed(Index token) const {
        return printed_[static_cast<std::size_t>(token)];
    }

private:
    struct Cell {
        FormWords words{};
        bool known = false;
    };

    using Column = std::vector<Cell>;

    void fill(Index query, Index token);

    Index d_;
    std::int64_t denominator_;
    std::vector<FormWords> functional_;  ///< one a feature
    std::vector<Words> weights_;         ///< one an output
    std::vector<Token> tokens_;
    std::vector<Words> printed_;
    std::vector<Column> columns_;
};

}  // namespace attest
