#include "programs/machines/dfa.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

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

Dfa5::Dfa5(const DfaShape& shape) : DfaProgram("dfa5", shape) {
    const auto [Q, V, L] = shape;
    Schema& schema = program_.schema;
    tok_ = schema.add("tok", Q + V + 4);
    K_ = schema.add("K", Q * V);
    g_ = schema.add("g", Q);
    a_ = schema.add("a", V);
    P_ = schema.add("P", L);
    R_ = schema.add("R", 5 * L + 1);
    x_ = schema.add("x", 1);
    y_ = schema.add("y", 1);
    one_ = schema.add("one", 1);
    for (Index r = 0; r < 5 * L; ++r) {
        program_.heads.push_back(
            {formatted("pos_{}", r), {{R_.at(r + 1), one_.at(0)}}, {{one_.at(0), R_.at(r)}}});
    }
    add_state_heads();
    add_mark_heads();
}

/// Terms to ← factor·R at this phase of every letter.
std::vector<MatrixTerm> Dfa5::at_phase(Index to, Index phase, std::int64_t factor) const {
    std::vector<MatrixTerm> terms;
    for (Index i = 0; i < shape_.length; ++i) {
        terms.push_back({to, R_.at(5 * i + phase), factor});
    }
    return terms;
}

void Dfa5::add_state_heads() {
    const auto [Q, V, L] = shape_;
    std::vector<ProgramHead>& heads = program_.heads;
    const Block states = tok_.part(0, Q);
    const Block letters = tok_.part(Q, V);
    std::vector<MatrixTerm> positions;
    for (Index i = 0; i < L; ++i) {
        positions.push_back({P_.at(i), R_.at(5 * i)});
        positions.push_back({P_.at(i), R_.at(5 * i + 1)});
    }
    heads.push_back({"letter", map_block(a_, letters), std::move(positions)});
    heads.push_back({"tok_s", map_block(states, g_), at_phase(x_.at(0), 0, 1)});
    heads.push_back({"tok_w", map_block(letters, a_), at_phase(y_.at(0), 1, 1)});
    heads.push_back({"delta",
                     join_terms({map_block(states, states), map_block(g_, states)}),
                     map_block(K_, K_)});
    for (Index s = 0; s < Q; ++s) {
        heads.push_back(
            {formatted("K_{}", s), map_block(K_.part(s * V, V), a_), {{y_.at(0), g_.at(s)}}});
        // The state stays until its key has been printed.
        heads.push_back(
            {formatted("g_{}", s),
             {{g_.at(s), one_.at(0)}},
             join_terms({{{one_.at(0), g_.at(s)}}, sum_block(one_.at(0), K_.part(s * V, V), -1)})});
    }
}

void Dfa5::add_mark_heads() {
    const Index one = one_.at(0);
    const Index last = 5 * shape_.length - 1;
    std::vector<MatrixTerm> again = at_phase(one, 4, 1);
    again.pop_back();  // after the last letter comes the end
    std::vector<ProgramHead>& heads = program_.heads;
    heads.push_back({"close", {{mark(Mark::close), one}}, at_phase(one, 3, 1)});
    if (!again.empty()) {
        heads.push_back({"open", {{mark(Mark::open), one}}, again});
    }
    heads.push_back({"end", {{mark(Mark::end), one}}, {{one, R_.at(last)}}});
    heads.push_back({"x", {{x_.at(0), one}}, join_terms({again, at_phase(one, 0, -1)})});
    heads.push_back(
        {"y", {{y_.at(0), one}}, join_terms({at_phase(one, 0, 1), at_phase(one, 1, -1)})});
}

std::vector<Token> Dfa5::prompt(const Automaton& automaton, const std::vector<Index>& word) const {
    check_deterministic(automaton, word);
    const Index skipped = shape_.length - static_cast<Index>(word.size());
    std::vector<std::vector<Index>> rows;
    for (Index q = 0; q < automaton.num_states(); ++q) {
        for (Index w = 0; w < automaton.num_letters(); ++w) {
            for (const Index next : automaton.delta(q, w)) {
                rows.push_back({mark(Mark::open)});
                rows.push_back({state_symbol(q)});
                rows.push_back({letter_symbol(w)});
                // The tokenizer supplies the pair before the next state as an attribute.
                rows.push_back({state_symbol(next), K_.at(q * shape_.letters + w)});
                rows.push_back({mark(Mark::close)});
            }
        }
    }
    rows.push_back({mark(Mark::bar)});
    for (std::size_t j = 0; j < word.size(); ++j) {
        rows.push_back({letter_symbol(word[j]), P_.at(skipped + static_cast<Index>(j))});
    }
    rows.push_back({mark(Mark::bar)});
    rows.push_back({mark(Mark::open), g_.at(automaton.start), R_.at(5 * skipped), x_.at(0)});
    rows.front().push_back(one_.at(0));
    std::vector<Token> tokens;
    tokens.reserve(rows.size());
    for (const std::vector<Index>& row : rows) {
        tokens.push_back(one_hot_token(row));
    }
    return tokens;
}

Trace Dfa5::expected(const Automaton& automaton, const std::vector<Index>& word) const {
    Trace trace{prompt(automaton, word), {}};
    const auto print = [&](const std::vector<Index>& rows, Index x, Index y) {
        Token token = one_hot_token(rows);
        token.push_back({x_.at(0), x});
        token.push_back({y_.at(0), y});
        trace.generated.push_back(make_token(std::move(token)));
    };
    const Index skipped = shape_.length - static_cast<Index>(word.size());
    Index s = automaton.start;
    for (std::size_t j = 0; j < word.size(); ++j) {
        const Index w = word[j];
        const Index base = 5 * (skipped + static_cast<Index>(j));
        print({state_symbol(s), R_.at(base + 1), a_.at(w), g_.at(s)}, -1, 1);
        print(
            {letter_symbol(w), R_.at(base + 2), a_.at(w), g_.at(s), K_.at(s * shape_.letters + w)},
            0,
            -1);
        const std::vector<Index>& next = automaton.delta(s, w);
        if (next.empty()) {
            print({R_.at(base + 3)}, 0, 0);
            break;
        }
        s = next.front();
        print({state_symbol(s), R_.at(base + 3), g_.at(s)}, 0, 0);
        print({mark(Mark::close), R_.at(base + 4), g_.at(s)}, 0, 0);
        const bool more = j + 1 < word.size();
        print({mark(more ? Mark::open : Mark::end), R_.at(base + 5), g_.at(s)}, more ? 1 : 0, 0);
    }
    return trace;
}

DfaRun Dfa5::run(const SparseCoefficients& coefficients,
                 const Automaton& automaton,
                 const std::vector<Index>& word) const {
    DfaRun run{true, {false, 0, automaton.start}, {}};
    Index printed = 0;
    const auto rule = [&](const IntegerAttention& /*model*/, const Token& token) {
        ++printed;
        const Index symbol = only_one(token, tok_);
        if (symbol == -1) {
            run.result.stuck = true;
            return Continue::stop;
        }
        const Index state = only_one(token, g_);
        run.readable = symbol >= 0 && state >= 0;
        if (printed % 5 == 3 && run.readable) {
            ++run.result.read;
            run.result.state = state;
        }
        const bool ends = run.readable && tok_.at(symbol) == mark(Mark::end);
        return !run.readable || ends ? Continue::stop : Continue::yes;
    };
    AttentionRun found = run_attention(
        coefficients, prompt(automaton, word), 5 * static_cast<Index>(word.size()), rule);
    run.readable = run.readable && found.ending == AttentionEnding::stopped;
    run.trace = std::move(found.trace);
    return run;
}

}  // namespace attest
