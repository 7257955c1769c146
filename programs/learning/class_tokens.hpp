#pragma once

#include "programs/learning/token_forms.hpp"
#include "programs/machines/turing_class.hpp"

#include <utility>
#include <vector>

namespace attest {

/// Numbers of the tokens of a class; each is made once.
class ClassTokens {
public:
    ClassTokens(const LearnedProgram& learned, const Utm2& program, const TuringClass& machines)
        : forms_(learned),
          program_(program),
          symbols_(machines.shape().symbols),
          cells_(machines.shape().cells),
          targets_(machines.shape().states + machines.shape().halting) {}

    [[nodiscard]] TokenForms& forms() { return forms_; }

    /// Numbers of the prompt's tokens; a table token is known by its place and transition.
    [[nodiscard]] Index prompt_token(Index slot, const Token& token) {
        std::vector<std::pair<Token, Index>>& known = prompt_[static_cast<std::size_t>(slot)];
        for (const auto& [other, number] : known) {
            if (other == token) {
                return number;
            }
        }
        known.emplace_back(token, forms_.add(token));
        return known.back().second;
    }

    void reserve_prompt(std::size_t slots) {
        if (prompt_.size() < slots) {
            prompt_.resize(slots);
        }
    }

    /// The E of a step; its C, if there is one, is the next number.
    [[nodiscard]] Index step_token(const TuringMachine& machine, const TuringStep& step) {
        const Index code =
            (((((static_cast<Index>(step.done.move) * targets_ + step.done.next) * symbols_ +
                step.done.write) *
                   symbols_ +
               step.read) *
                  cells_ +
              step.position) *
                 (symbols_ + 1) +
             step.left + 1) *
                (symbols_ + 1) +
            step.right + 1;
        if (code >= static_cast<Index>(steps_.size())) {
            steps_.resize(static_cast<std::size_t>(code) + 1, -1);
        }
        Index& number = steps_[static_cast<std::size_t>(code)];
        if (number < 0) {
            number = forms_.add(program_.printed_step(machine, step));
            (void)forms_.add(program_.printed_configuration(machine, step));
        }
        return number;
    }

private:
    TokenForms forms_;
    const Utm2& program_;
    Index symbols_;
    Index cells_;
    Index targets_;
    std::vector<std::vector<std::pair<Token, Index>>> prompt_;
    std::vector<Index> steps_;
};

/// What the table of one machine adds to rows, for each query.
class TableForms {
public:
    void start(std::vector<Index> tokens) {
        tokens_ = std::move(tokens);
        ++stamp_;
    }

    [[nodiscard]] const FormWords& sum(TokenForms& forms, Index query) {
        if (query >= static_cast<Index>(sums_.size())) {
            sums_.resize(static_cast<std::size_t>(forms.size()));
            stamps_.resize(static_cast<std::size_t>(forms.size()), 0);
        }
        FormWords& sum = sums_[static_cast<std::size_t>(query)];
        if (stamps_[static_cast<std::size_t>(query)] != stamp_) {
            stamps_[static_cast<std::size_t>(query)] = stamp_;
            sum = {};
            for (const Index token : tokens_) {
                add_words(sum, forms.form(query, token), word_moduli());
            }
        }
        return sum;
    }

private:
    std::vector<Index> tokens_;
    std::vector<FormWords> sums_;
    std::vector<Index> stamps_;
    Index stamp_ = 0;
};

}  // namespace attest
