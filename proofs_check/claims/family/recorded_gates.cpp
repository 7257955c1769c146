#include "core/base/text.hpp"
#include "core/layers/formal_input.hpp"
#include "core/layers/parse_layer.hpp"
#include "proofs_check/claims/family/spans.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/exact/binomial.hpp"
#include "proofs_check/exact/coefficient_matrix.hpp"

namespace attest::family {

namespace {

/// What was recorded for one kind of input: gates by coordinate and token.
using Gates = RationalMatrix;

/// The rank of the layer's features over all inputs that have these gates, an n for each record.
struct GivenRank {
    Index psi;
    Index rank;
};

GivenRank given_rank(const std::string& text, Index d, const std::vector<Gates>& records) {
    const Layer layer = layer_named(text);
    const PolynomialArithmetic p;
    std::vector<std::vector<Polynomial>> inputs;
    for (const Gates& gates : records) {
        const Index n = gates.cols();
        LayerSequence<Polynomial> example = formal_input(layer, {.d = d}, n, n - 1);
        for (Index t = 0; t < n; ++t) {
            std::vector<Polynomial>& recorded = example.tokens[static_cast<std::size_t>(t)].gates;
            for (std::size_t k = 0; k < recorded.size(); ++k) {
                recorded[k] = p.number(gates(static_cast<Index>(k), t));
            }
        }
        inputs.push_back(layer_features(p, layer, {.d = d}, example));
    }
    const RationalMatrix A = coefficient_matrix(inputs);
    return {A.cols(), rational_rank(A)};
}

/// Accepted: these gates leave as many dimensions open as said.
Answer left_open(const std::string& layer, Index d, const std::vector<Gates>& records, Index said) {
    const GivenRank found = given_rank(layer, d, records);
    std::string gates;
    for (const Gates& each : records) {
        gates += (gates.empty() ? "" : " and ") + to_text(each);
    }
    return {found.psi - found.rank == said,
            formatted("{}, d = {}, gates (a column a token) {}: rank {} of {}, open {}; said {}",
                      layer,
                      d,
                      gates,
                      found.rank,
                      found.psi,
                      found.psi - found.rank,
                      said)};
}

/// What one record of vector gates leaves open on two tokens: the gates of different coordinates
/// are different and not 0.
Index open_of_one_vector(Index d) {
    return d * binomial(d, 2) - (binomial(d + 2, 3) - d);
}

void scalar_gates(Evidence& evidence) {
    const SharedTest law(evidence, left_open);
    const std::string gates = "gates";
    const Rational half(1, 2);
    for (const Index d : {1, 2, 3}) {
        law.check(Form::tested, gates, d, std::vector{Gates{{7, half}}}, Index{0});
        law.check(Form::tested,
                  gates,
                  d,
                  std::vector{Gates{{7, 5, 0}}},
                  feature_dim(d) - binomial(d + 2, 3));
    }
    law.check(Form::tested, gates, Index{2}, std::vector{Gates{{3, 0, -1}}}, Index{0});
    law.control(gates, Index{2}, std::vector{Gates{{half, 0}}}, Index{0});
}

void vector_gates(Evidence& evidence) {
    const SharedTest law(evidence, left_open);
    const std::string gates = "gates=vector";
    const Gates two{{1, 2}, {1, 3}};
    const Gates three{{1, 2}, {1, 3}, {1, 5}};
    const Gates other{{1, 1}, {1, 4}, {1, 7}};
    law.check(Form::tested, gates, Index{2}, std::vector{two}, open_of_one_vector(2));
    law.check(Form::tested, gates, Index{3}, std::vector{three}, open_of_one_vector(3));
    law.check(Form::tested, gates, Index{3}, std::vector{three, other}, Index{0});
    law.check(Form::tested,
              gates,
              Index{3},
              std::vector{Gates{{1, 1, 2}, {1, 4, 3}, {1, 7, 5}}},
              Index{0});
    law.control(gates, Index{3}, std::vector{three}, Index{0});
    law.control(gates, Index{3}, std::vector{three, Gates(2 * three)}, Index{0});
}

/// State with a row for each entry of x: A ← A (I − β k kᵀ) + β x kᵀ, token by token; without the
/// erasure A ← A + β x kᵀ.
using Rows = std::vector<std::vector<Polynomial>>;

struct DeltaToken {
    std::vector<Polynomial> x;
    std::vector<Polynomial> key;
    Polynomial beta;
};

Rows delta_state(const std::vector<DeltaToken>& tokens, bool erases) {
    const PolynomialArithmetic p;
    Rows A(tokens.front().x.size(), std::vector<Polynomial>(tokens.front().key.size()));
    for (const DeltaToken& token : tokens) {
        for (std::size_t j = 0; j < A.size(); ++j) {
            Polynomial change = token.x[j];
            for (std::size_t k = 0; erases && k < token.key.size(); ++k) {
                change = p.add(change, p.multiply(p.number(-1), p.multiply(A[j][k], token.key[k])));
            }
            for (std::size_t k = 0; k < token.key.size(); ++k) {
                A[j][k] = p.add(A[j][k], p.multiply(token.beta, p.multiply(change, token.key[k])));
            }
        }
    }
    return A;
}

/// n tokens of d entries with keys and strengths of their own, all variables.
std::vector<DeltaToken> delta_input(Index d, Index keys, Index n) {
    Index used = 0;
    const auto next = [&](Index count) {
        std::vector<Polynomial> fresh;
        for (Index k = 0; k < count; ++k) {
            fresh.push_back(PolynomialArithmetic::variable(used++));
        }
        return fresh;
    };
    std::vector<DeltaToken> tokens;
    for (Index t = 0; t < n; ++t) {
        tokens.push_back({next(d), next(keys), next(1).front()});
    }
    return tokens;
}

/// V_j = j + 1 and Q_kl = 1 + 2k − 3l of the one head.
Rational value_weight(std::size_t j) {
    return j + 1;
}

Rational query_weight(std::size_t k, std::size_t l) {
    return Rational(1) + 2 * Rational(k) - 3 * Rational(l);
}

/// V A Q z, the recurrence run on V z.
Polynomial delta_output(std::vector<DeltaToken> tokens) {
    const PolynomialArithmetic p;
    const std::vector<Polynomial> z = tokens.back().x;
    for (DeltaToken& token : tokens) {
        Polynomial value;
        for (std::size_t j = 0; j < token.x.size(); ++j) {
            value = p.add(value, p.multiply(p.number(value_weight(j)), token.x[j]));
        }
        token.x = {value};
    }
    const Rows A = delta_state(tokens, true);
    Polynomial y;
    for (std::size_t k = 0; k < A[0].size(); ++k) {
        for (std::size_t l = 0; l < z.size(); ++l) {
            y = p.add(y, p.multiply(p.number(query_weight(k, l)), p.multiply(A[0][k], z[l])));
        }
    }
    return y;
}

/// Accepted: the output is linear in vec(A) ⊗ z, A recorded with or without the erasures, with the
/// coefficients V_j Q_kl, for all inputs; and these features are independent.
Answer recorded_states(Index d, Index keys, Index n, bool erases) {
    const PolynomialArithmetic p;
    const std::vector<DeltaToken> tokens = delta_input(d, keys, n);
    const Rows A = delta_state(tokens, erases);
    std::vector<Polynomial> features;
    Polynomial linear;
    for (std::size_t j = 0; j < A.size(); ++j) {
        for (std::size_t k = 0; k < A[j].size(); ++k) {
            for (std::size_t l = 0; l < A.size(); ++l) {
                features.push_back(p.multiply(A[j][k], tokens.back().x[l]));
                const Rational weight = value_weight(j) * query_weight(k, l);
                linear = p.add(linear, p.multiply(p.number(weight), features.back()));
            }
        }
    }
    const Index rank = rational_rank(coefficient_matrix({features}));
    const bool same = linear == delta_output(tokens);
    return {same && rank == std::ssize(features),
            formatted("DeltaNet, d = {}, keys of {}, n = {}, states recorded {} erasures: output "
                      "linear in vec(A) x z for all inputs: {}, rank {} of {}",
                      d,
                      keys,
                      n,
                      erases ? "with" : "without",
                      same ? "yes" : "no",
                      rank,
                      features.size())};
}

Evidence test_recorded_gates(const ClaimContext& /*context*/) {
    Evidence evidence;
    scalar_gates(evidence);
    vector_gates(evidence);
    const SharedTest delta(evidence, recorded_states);
    delta.check(Form::tested, Index{2}, Index{2}, Index{2}, true);
    delta.check(Form::tested, Index{1}, Index{3}, Index{3}, true);
    delta.control(Index{2}, Index{2}, Index{1}, true);
    delta.control(Index{2}, Index{2}, Index{2}, false);
    return evidence;
}

}  // namespace

Claim recorded_gates() {
    return {
        .id = "family/recorded_gates",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "given recorded gates, d >= 2, n >= 2: one gate a token determines the layer iff the "
            "last "
            "gate is not 0 in some example, else the rank is C(d+2,3); so one record, not two, is "
            "enough at n = 2. One gate a coordinate, at n = 2: one record of different gates "
            "leaves "
            "d^2(d-1)/2 - C(d+2,3) + d open, 0 for d = 2; two whose ratios differ leave nothing, "
            "nor "
            "does one of different ratios at n = 3. DeltaNet given its keys is linear in d^2 d_k "
            "features, independent for n >= 2",
        .depends_on = "family/decay_rank",
        .method = Method::exact,
        .explain =
            "The token before the last has weight g_n, earlier ones products with g_n in them. A "
            "combination vanishes iff its part on each token does: g_n A = 0 and Sym A = 0. With a "
            "gate a coordinate the part on a token with weights w is w_l A_jl + w_j A_lj = 0 for "
            "all j, l: one equation for two unknowns a pair, two equations where ratios differ. "
            "One record: A_lj = -A_jl w_l/w_j, and Sym A = 0 are C(d+2,3) - d equations more, the "
            "cubes being settled. DeltaNet's state is linear in each token, and only erased from "
            "the side of the keys.",
        .run = test_recorded_gates,
    };
}

}  // namespace attest::family
