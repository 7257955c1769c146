#include "programs/machines/weighted.hpp"

#include <utility>

namespace attest {

WeightedAutomaton::WeightedAutomaton(const DfaShape& shape)
    : WordProgram("weighted", shape),
      rows_(program_.schema, shape),
      fE_(program_.schema.add("fE", 1)),
      fC_(program_.schema.add("fC", 1)),
      one_(program_.schema.add("one", 1)) {
    std::vector<ProgramHead>& heads = program_.heads;
    const Index one = one_.at(0);
    const Index x = rows_.x.at(0);
    rows_.add_lookup_heads(heads, one);
    heads.push_back({"arm", {{x, one}, {fE_.at(0), one}}, {{one, fC_.at(0)}}});
    rows_.add_key_heads(heads);
    heads.push_back({"carry", rows_.carried_terms(), {{x, fE_.at(0)}}});
    heads.push_back({"disarm", {{x, one, -1}, {fC_.at(0), one}}, {{one, fE_.at(0)}}});
}

std::vector<Token> WeightedAutomaton::prompt(const Automaton& automaton,
                                             const std::vector<Index>& word) const {
    check_word(automaton, word);
    return rows_.prompt(automaton, word, one_.at(0), {fC_.at(0)});
}

Trace WeightedAutomaton::expected(const Automaton& automaton,
                                  const std::vector<Index>& word) const {
    Trace trace{prompt(automaton, word), {}};
    const std::vector<std::vector<std::int64_t>> counts = count_paths(automaton, word);
    for (std::size_t p = 0; p < word.size(); ++p) {
        const auto position = static_cast<Index>(p) + 1;
        const bool more = p + 1 < word.size();
        std::vector<TokenEntry> carried = one_hot_token(rows_.carried_rows(word, position));
        std::vector<TokenEntry> printed = carried;
        printed.push_back({rows_.x.at(0), 1});
        printed.push_back({fE_.at(0), 1});
        carried.push_back({rows_.x.at(0), -1});
        carried.push_back({fC_.at(0), 1});
        if (position < shape_.length) {
            carried.push_back({rows_.R.at(position), 1});
        }
        for (Index q = 0; q < automaton.num_states(); ++q) {
            const std::int64_t count = counts[p + 1][static_cast<std::size_t>(q)];
            printed.push_back({rows_.D.at(q), count});
            if (more) {
                carried.push_back({rows_.key(q, word[p + 1]), count});
            }
        }
        trace.generated.push_back(make_token(std::move(printed)));
        if (more) {
            trace.generated.push_back(make_token(std::move(carried)));
        }
    }
    return trace;
}

std::vector<std::int64_t> WeightedAutomaton::run(const SparseCoefficients& coefficients,
                                                 const Automaton& automaton,
                                                 const std::vector<Index>& word) const {
    const auto rule = [&](const IntegerAttention& /*model*/, const Token& token) {
        const bool answers = value_at(token, fE_.at(0)) == 1 && only_one(token, rows_.a) == -1;
        return answers ? Continue::stop : Continue::yes;
    };
    const AttentionRun found = run_attention(
        coefficients, prompt(automaton, word), 2 * static_cast<Index>(word.size()), rule);
    std::vector<std::int64_t> counts;
    if (found.ending == AttentionEnding::stopped) {
        for (Index q = 0; q < automaton.num_states(); ++q) {
            counts.push_back(value_at(found.trace.generated.back(), rows_.D.at(q)));
        }
    }
    return counts;
}

}  // namespace attest
