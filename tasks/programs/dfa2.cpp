#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "tasks/programs/dfa.hpp"

#include <algorithm>

namespace attest {

void check_word(const DfaShape& shape, const Automaton& automaton, const std::vector<Index>& word) {
    const auto length = static_cast<Index>(word.size());
    require(1 <= length && length <= shape.length,
            concat("word: got ", length, " letters, expected 1 … ", shape.length));
    require(automaton.num_states() <= shape.states && automaton.num_letters() <= shape.letters,
            "automaton: it is larger than the class of this program");
    for (const Index letter : word) {
        require(0 <= letter && letter < automaton.num_letters(),
                concat("word: got letter ", letter, " of ", automaton.num_letters()));
    }
    const bool deterministic = std::all_of(automaton.table.begin(),
                                           automaton.table.end(),
                                           [](const auto& next) { return next.size() <= 1; });
    require(deterministic, "automaton: two transitions share a state and a letter");
}

Dfa2::Dfa2(const DfaShape& shape) : shape_(shape) {
    const auto [Q, V, L] = shape;
    require(Q >= 1 && V >= 1 && L >= 1, "Dfa2: states, letters and length must be at least 1");
    program_.name = "dfa2";
    Schema& schema = program_.schema;
    K_ = schema.add("K", Q * V);
    D_ = schema.add("D", Q);
    T_ = schema.add("T", V);
    a_ = schema.add("a", V);
    P_ = schema.add("P", L);
    R_ = schema.add("R", L);
    x_ = schema.add("x", 1);
    one_ = schema.add("one", 1);
    std::vector<ProgramHead>& heads = program_.heads;
    // From C: look up δ, fetch the next letter and its position.
    heads.push_back({"delta", map_block(D_, D_), map_block(K_, K_)});
    if (L > 1) {
        heads.push_back(
            {"letter", map_block(a_, T_), map_block(P_.part(1, L - 1), R_.part(0, L - 1))});
    }
    for (Index p = 0; p + 1 < L; ++p) {
        heads.push_back(
            {concat("pos_", p), {{P_.at(p + 1), one_.at(0)}}, {{one_.at(0), R_.at(p)}}});
    }
    heads.push_back({"arm", {{x_.at(0), one_.at(0)}}, sum_block(one_.at(0), K_)});
    // From E: the product of state and letter, by the disarm flag.
    for (Index s = 0; s < Q; ++s) {
        heads.push_back(
            {concat("prod_", s), map_block(K_.part(s * V, V), a_), {{x_.at(0), D_.at(s)}}});
    }
    heads.push_back({"carry",
                     join_terms({map_block(R_, P_), map_block(P_, P_), map_block(a_, a_)}),
                     sum_block(x_.at(0), D_)});
    heads.push_back({"disarm", {{x_.at(0), one_.at(0), -1}}, sum_block(one_.at(0), D_)});
}

std::vector<Token> Dfa2::prompt(const Automaton& automaton, const std::vector<Index>& word) const {
    check_word(shape_, automaton, word);
    std::vector<Token> tokens{one_hot_token({one_.at(0)})};
    for (Index q = 0; q < automaton.num_states(); ++q) {
        for (Index w = 0; w < automaton.num_letters(); ++w) {
            for (const Index next : automaton.delta(q, w)) {
                tokens.push_back(one_hot_token({K_.at(q * shape_.letters + w), D_.at(next)}));
            }
        }
    }
    for (std::size_t p = 0; p < word.size(); ++p) {
        tokens.push_back(one_hot_token({P_.at(static_cast<Index>(p)), T_.at(word[p])}));
    }
    tokens.push_back(
        one_hot_token({K_.at(automaton.start * shape_.letters + word.front()), R_.at(0)}));
    return tokens;
}

Trace Dfa2::expected(const Automaton& automaton, const std::vector<Index>& word) const {
    Trace trace{prompt(automaton, word), {}};
    Index state = automaton.start;
    for (std::size_t p = 0; p < word.size(); ++p) {
        const auto position = static_cast<Index>(p) + 1;
        const bool more = p + 1 < word.size();
        std::vector<Index> carried;
        if (more) {
            carried.push_back(a_.at(word[p + 1]));
        }
        if (position < shape_.length) {
            carried.push_back(P_.at(position));
        }
        std::vector<Index> printed = carried;
        printed.push_back(x_.at(0));
        const std::vector<Index>& next = automaton.delta(state, word[p]);
        if (next.empty()) {
            trace.generated.push_back(one_hot_token(printed));
            break;
        }
        state = next.front();
        printed.push_back(D_.at(state));
        trace.generated.push_back(one_hot_token(printed));
        if (more) {
            carried.push_back(K_.at(state * shape_.letters + word[p + 1]));
            carried.push_back(R_.at(position));
            Token token = one_hot_token(carried);
            token.push_back({x_.at(0), -1});
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
        const Index state = only_one(token, D_);
        const Index letter = only_one(token, a_);
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
