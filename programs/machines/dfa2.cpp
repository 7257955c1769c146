#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "programs/machines/dfa.hpp"

#include <algorithm>

namespace attest {

void DfaProgram::check_deterministic(const Automaton& automaton,
                                     const std::vector<Index>& word) const {
    check_word(automaton, word);
    const bool deterministic = std::all_of(automaton.table.begin(),
                                           automaton.table.end(),
                                           [](const auto& next) { return next.size() <= 1; });
    require(deterministic, "automaton: two transitions share a state and a letter");
}

Dfa2::Dfa2(const DfaShape& shape)
    : DfaProgram("dfa2", shape),
      rows_(program_.schema, shape),
      one_(program_.schema.add("one", 1)) {
    std::vector<ProgramHead>& heads = program_.heads;
    const Index one = one_.at(0);
    const Index x = rows_.x.at(0);
    rows_.add_lookup_heads(heads, one);
    heads.push_back({"arm", {{x, one}}, sum_block(one, rows_.K)});
    rows_.add_key_heads(heads);
    heads.push_back({"carry", rows_.carried_terms(), sum_block(x, rows_.D)});
    heads.push_back({"disarm", {{x, one, -1}}, sum_block(one, rows_.D)});
}

std::vector<Token> Dfa2::prompt(const Automaton& automaton, const std::vector<Index>& word) const {
    check_deterministic(automaton, word);
    return rows_.prompt(automaton, word, one_.at(0), {});
}

Trace Dfa2::expected(const Automaton& automaton, const std::vector<Index>& word) const {
    Trace trace{prompt(automaton, word), {}};
    Index state = automaton.start;
    for (std::size_t p = 0; p < word.size(); ++p) {
        const auto position = static_cast<Index>(p) + 1;
        const bool more = p + 1 < word.size();
        std::vector<Index> carried = rows_.carried_rows(word, position);
        std::vector<Index> printed = carried;
        printed.push_back(rows_.x.at(0));
        const std::vector<Index>& next = automaton.delta(state, word[p]);
        if (next.empty()) {
            trace.generated.push_back(one_hot_token(printed));
            break;
        }
        state = next.front();
        printed.push_back(rows_.D.at(state));
        trace.generated.push_back(one_hot_token(printed));
        if (more) {
            carried.push_back(rows_.key(state, word[p + 1]));
            carried.push_back(rows_.R.at(position));
            Token token = one_hot_token(carried);
            token.push_back({rows_.x.at(0), -1});
            trace.generated.push_back(make_token(std::move(token)));
        }
    }
    return trace;
}

DfaRun Dfa2::run(const SparseCoefficients& coefficients,
                 const Automaton& automaton,
                 const std::vector<Index>& word) const {
    DfaRun run{true, {false, 0, automaton.start}, {}};
    bool is_step = true;
    const auto rule = [&](const IntegerAttention& /*model*/, const Token& token) {
        is_step = !is_step;
        if (is_step) {
            return Continue::yes;  // a C
        }
        const Index state = only_one(token, rows_.D);
        const Index letter = only_one(token, rows_.a);
        run.readable = run.readable && state > -2 && letter > -2;
        if (!run.readable) {
            return Continue::stop;
        }
        if (state < 0) {
            run.result.stuck = true;
            return Continue::stop;
        }
        run.result.state = state;
        ++run.result.read;
        return letter < 0 ? Continue::stop : Continue::yes;
    };
    AttentionRun found = run_attention(
        coefficients, prompt(automaton, word), 2 * static_cast<Index>(word.size()), rule);
    run.readable = run.readable && found.ending == AttentionEnding::stopped;
    run.trace = std::move(found.trace);
    return run;
}

}  // namespace attest
