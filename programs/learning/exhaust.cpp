#include "programs/learning/exhaust.hpp"

#include "core/base/parallel.hpp"
#include "programs/learning/token_forms.hpp"
#include "programs/machines/turing_class.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace attest {

namespace {

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

/// `inside` says of each printed token whether its row is in the span over Z; empty: not asked.
void count_run(TokenForms& forms,
               TableForms& table,
               const std::vector<Index>& history,
               Index prompt_length,
               const std::vector<bool>& inside,
               ExhaustReport& report) {
    const std::array<Modulus, 2>& moduli = word_moduli();
    bool run_certified = true;
    bool run_exact = true;
    for (auto next = static_cast<std::size_t>(prompt_length); next < history.size(); ++next) {
        const Index query = history[next - 1];
        FormWords sum = table.sum(forms, query);
        for (std::size_t t = 0; t < next; ++t) {
            add_words(sum, forms.form(query, history[t]), moduli);
        }
        const std::size_t printed_before = next - static_cast<std::size_t>(prompt_length);
        const bool certified =
            sum[0] == 0 && sum[1] == 0 && (inside.empty() || inside[printed_before]);
        const auto& printed = forms.printed(history[next]);
        const bool exact = sum[2] == printed[0] && sum[3] == printed[1];
        report.tokens_certified += certified ? 1 : 0;
        report.tokens_exact += exact ? 1 : 0;
        report.tokens_certified_but_wrong += certified && !exact ? 1 : 0;
        run_certified = run_certified && certified;
        run_exact = run_exact && exact;
    }
    report.tokens_total += static_cast<Index>(history.size()) - prompt_length;
    report.runs_certified += run_certified ? 1 : 0;
    report.runs_exact += run_exact ? 1 : 0;
    ++report.runs_total;
}

/// Numbers of a prompt's tokens, apart from those of the table.
struct PromptNumbers {
    std::vector<Index> rules;
    std::vector<Index> others;
};

PromptNumbers number_prompt(ClassTokens& tokens, const std::vector<Token>& prompt, Index cells) {
    tokens.reserve_prompt(prompt.size());
    PromptNumbers numbers;
    for (std::size_t slot = 0; slot < prompt.size(); ++slot) {
        // A prompt is BOS, the table, one token a cell, the start.
        const bool is_rule = slot > 0 && slot + static_cast<std::size_t>(cells) + 1 < prompt.size();
        (is_rule ? numbers.rules : numbers.others)
            .push_back(tokens.prompt_token(static_cast<Index>(slot), prompt[slot]));
    }
    return numbers;
}

/// All runs of machines first … last−1.
ExhaustReport exhaust_machines(const LearnedProgram& learned,
                               const Utm2& program,
                               const TuringClass& machines,
                               Index first,
                               Index last,
                               SpanTest test) {
    ExhaustReport report;
    // Tests have scratch space: each thread its own.
    const std::optional<LearnedProgram> exact =
        test == SpanTest::over_z ? std::optional(learned) : std::nullopt;
    ClassTokens tokens(learned, program, machines);
    TableForms table;
    const Index cells = machines.shape().cells;
    const TuringMachine any = machines.machine(first);
    std::vector<std::vector<Index>> words;
    std::vector<std::vector<Index>> prompts;  // of word and head, the table left out
    for (Index w = 0; w < machines.num_words(); ++w) {
        words.push_back(machines.word(w));
        for (Index head = 0; head < cells; ++head) {
            prompts.push_back(
                number_prompt(tokens, program.prompt(any, words.back(), head), cells).others);
        }
    }
    for (Index m = first; m < last; ++m) {
        const TuringMachine machine = machines.machine(m);
        table.start(number_prompt(tokens, program.prompt(machine, words[0], 0), cells).rules);
        for (std::size_t i = 0; i < prompts.size(); ++i) {
            const auto head = static_cast<Index>(i) % cells;
            const TuringRun run = simulate(
                machine, words[i / static_cast<std::size_t>(cells)], head, machines.steps());
            std::vector<Index> history = prompts[i];
            history.reserve(history.size() + 2 * run.steps.size());
            for (const TuringStep& step : run.steps) {
                history.push_back(tokens.step_token(machine, step));
                if (step.done.next < machine.num_states()) {
                    history.push_back(history.back() + 1);
                }
            }
            const std::vector<bool> inside =
                exact ? certified_tokens(
                            *exact,
                            program.expected(
                                machine, words[i / static_cast<std::size_t>(cells)], head, run))
                      : std::vector<bool>();
            count_run(tokens.forms(),
                      table,
                      history,
                      static_cast<Index>(prompts[i].size()),
                      inside,
                      report);
        }
    }
    return report;
}

}  // namespace

TraceSource class_traces(const Utm2& program,
                         const TuringClass& machines,
                         const std::vector<Index>& runs) {
    return [&program, &machines, &runs](Index i) {
        const TuringCase chosen = machines.at(runs[static_cast<std::size_t>(i)]);
        const TuringTape& tape = chosen.tape;
        return program.expected(chosen.machine,
                                tape.cells,
                                tape.head,
                                simulate(chosen.machine, tape.cells, tape.head, machines.steps()));
    };
}

double learning_seconds(const Utm2& program, Index runs, Index steps) {
    // A quarter of all features are independent on the runs of a class. Measured on a machine 1.25
    // times as fast: 10 s at rank 4350 of 18513, 23 s at 6020 of 26011.
    const auto psi = static_cast<double>(feature_dim(program.program().schema.dim()));
    const double tokens = static_cast<double>(runs) * static_cast<double>(steps + 1);
    const double rank = std::min(0.24 * psi, tokens);
    return 1.5e-10 * rank * rank * rank;
}

LearnedProgram learn_class(const Utm2& program,
                           const TuringClass& machines,
                           const std::vector<Index>& runs,
                           Selection selection) {
    return learn_traces(class_traces(program, machines, runs),
                        static_cast<Index>(runs.size()),
                        program.program().schema.dim(),
                        selection);
}

ExhaustReport exhaust(const LearnedProgram& learned,
                      const Utm2& program,
                      const TuringClass& machines,
                      int threads,
                      SpanTest test) {
    const Index count = std::min<Index>(threads, machines.num_machines());
    std::vector<ExhaustReport> parts(static_cast<std::size_t>(count));
    parallel_for(count, threads, [&](Index part) {
        parts[static_cast<std::size_t>(part)] =
            exhaust_machines(learned,
                             program,
                             machines,
                             machines.num_machines() / count * part,
                             part + 1 == count ? machines.num_machines()
                                               : machines.num_machines() / count * (part + 1),
                             test);
    });
    ExhaustReport all;
    for (const ExhaustReport& part : parts) {
        all.runs_total += part.runs_total;
        all.tokens_total += part.tokens_total;
        all.runs_certified += part.runs_certified;
        all.tokens_certified += part.tokens_certified;
        all.runs_exact += part.runs_exact;
        all.tokens_exact += part.tokens_exact;
        all.tokens_certified_but_wrong += part.tokens_certified_but_wrong;
    }
    return all;
}

}  // namespace attest
