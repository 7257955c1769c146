#include "tasks/programs/weighted.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace attest {

WeightedAutomaton::WeightedAutomaton(const DfaShape& shape) : shape_(shape) {
    const auto [Q, V, L] = shape;
    require(Q >= 1 && V >= 1 && L >= 1,
            "WeightedAutomaton: states, letters and length must be at least 1");
    program_.name = "weighted";
    Schema& schema = program_.schema;
    K_ = schema.add("K", Q * V);
    D_ = schema.add("D", Q);
    T_ = schema.add("T", V);
    a_ = schema.add("a", V);
    P_ = schema.add("P", L);
    R_ = schema.add("R", L);
    x_ = schema.add("x", 1);
    fE_ = schema.add("fE", 1);
    fC_ = schema.add("fC", 1);
    one_ = schema.add("one", 1);
    const Index one = one_.at(0);
    std::vector<ProgramHead>& heads = program_.heads;
    heads.push_back({"delta", map_block(D_, D_), map_block(K_, K_)});
    if (L > 1) {
        heads.push_back(
            {"letter", map_block(a_, T_), map_block(P_.part(1, L - 1), R_.part(0, L - 1))});
    }
    for (Index p = 0; p + 1 < L; ++p) {
        heads.push_back({concat("pos_", p), {{P_.at(p + 1), one}}, {{one, R_.at(p)}}});
    }
    heads.push_back({"arm", {{x_.at(0), one}, {fE_.at(0), one}}, {{one, fC_.at(0)}}});
    for (Index s = 0; s < Q; ++s) {
        heads.push_back(
            {concat("prod_", s), map_block(K_.part(s * V, V), a_), {{x_.at(0), D_.at(s)}}});
    }
    heads.push_back({"carry",
                     join_terms({map_block(R_, P_), map_block(P_, P_), map_block(a_, a_)}),
                     {{x_.at(0), fE_.at(0)}}});
    heads.push_back({"disarm", {{x_.at(0), one, -1}, {fC_.at(0), one}}, {{one, fE_.at(0)}}});
}

std::vector<Token> WeightedAutomaton::prompt(const Automaton& automaton,
                                             const std::vector<Index>& word) const {
    const auto length = static_cast<Index>(word.size());
    require(1 <= length && length <= shape_.length,
            concat("word: got ", length, " letters, expected 1 … ", shape_.length));
    require(automaton.num_states() <= shape_.states && automaton.num_letters() <= shape_.letters,
            "automaton: it is larger than the class of this program");
    std::vector<Token> tokens{one_hot_token({one_.at(0)})};
    for (Index q = 0; q < automaton.num_states(); ++q) {
        for (Index w = 0; w < automaton.num_letters(); ++w) {
            for (const Index next : automaton.delta(q, w)) {
                tokens.push_back(one_hot_token({K_.at(q * shape_.letters + w), D_.at(next)}));
            }
        }
    }
    for (Index p = 0; p < length; ++p) {
        tokens.push_back(one_hot_token({P_.at(p), T_.at(word[static_cast<std::size_t>(p)])}));
    }
    tokens.push_back(one_hot_token(
        {K_.at(automaton.start * shape_.letters + word.front()), R_.at(0), fC_.at(0)}));
    return tokens;
}

Trace WeightedAutomaton::expected(const Automaton& automaton,
                                  const std::vector<Index>& word) const {
    Trace trace{prompt(automaton, word), {}};
    const std::vector<std::vector<std::int64_t>> counts = count_paths(automaton, word);
    for (std::size_t p = 0; p < word.size(); ++p) {
        const auto position = static_cast<Index>(p) + 1;
        const bool more = p + 1 < word.size();
        std::vector<TokenEntry> carried;
        if (more) {
            carried.push_back({a_.at(word[p + 1]), 1});
        }
        if (position < shape_.length) {
            carried.push_back({P_.at(position), 1});
        }
        std::vector<TokenEntry> printed = carried;
        printed.push_back({x_.at(0), 1});
        printed.push_back({fE_.at(0), 1});
        carried.push_back({x_.at(0), -1});
        carried.push_back({fC_.at(0), 1});
        if (position < shape_.length) {
            carried.push_back({R_.at(position), 1});
        }
        for (Index q = 0; q < automaton.num_states(); ++q) {
            const std::int64_t count = counts[p + 1][static_cast<std::size_t>(q)];
            printed.push_back({D_.at(q), count});
            if (more) {
                carried.push_back({K_.at(q * shape_.letters + word[p + 1]), count});
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
        const bool answers = value_at(token, fE_.at(0)) == 1 && only_one(token, a_) == -1;
        return answers ? Continue::stop : Continue::yes;
    };
    const AttentionRun found = run_attention(
        coefficients, prompt(automaton, word), 2 * static_cast<Index>(word.size()), rule);
    std::vector<std::int64_t> counts;
    if (found.ending == AttentionEnding::stopped) {
        for (Index q = 0; q < automaton.num_states(); ++q) {
            counts.push_back(value_at(found.trace.generated.back(), D_.at(q)));
        }
    }
    return counts;
}

}  // namespace attest
