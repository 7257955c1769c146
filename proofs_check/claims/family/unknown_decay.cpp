#include "core/base/text.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/predict.hpp"
#include "core/layers/formal_input.hpp"
#include "core/layers/layer_heads.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/read_kernel.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/solvers.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/exact/binomial.hpp"
#include "proofs_check/exact/coefficient_matrix.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::family {

namespace {

/// One output of one integer head a kernel, d = 2; the heads of all kernels are multiples of one.
Matrix planted(const Layer& layer) {
    LayerHeads heads;
    for (Index g = 0; g < num_sums(layer); ++g) {
        const auto size = static_cast<double>(g + 1);
        heads.heads.push_back({size * Matrix{{1.0, 2.0}}, Matrix{{1.0, -1.0}, {3.0, 2.0}}, g});
    }
    return coefficients(layer, {.d = 2}, 1, heads);
}

/// The planted layer written with `lags=L` for every input of L tokens.
struct LagForm {
    RationalMatrix blocks;  ///< column δ is P_δ, δ = 0 … L−1
    RationalMatrix open;    ///< what may be added to all P_δ together, stacked
};

LagForm lag_form(const std::string& text, Index L) {
    const LayerInput sizes{.d = 2};
    const PolynomialArithmetic p;
    const Layer lags = layer_named(formatted("lags={}", L));
    std::vector<Polynomial> columns =
        layer_features(p, lags, sizes, formal_input(lags, sizes, L, L - 1));
    const Layer layer = layer_named(text);
    const Matrix P = planted(layer);
    Polynomial label;
    Index i = 0;
    for (const Polynomial& f :
         layer_features(p, layer, sizes, formal_input(layer, sizes, L, L - 1))) {
        label = p.add(label, p.multiply(p.number(to_rational(P(i++, 0))), f));
    }
    columns.push_back(label);
    const RationalMatrix A = coefficient_matrix({columns});
    const Index psi = A.cols() - 1;
    const Index size = feature_dim(2);
    const RationalMatrix found = rational_solve(A.leftCols(psi), A.rightCols(1)).value();
    const RationalMatrix open = rational_null_space(A.leftCols(psi));
    // Behind the L lags stands what is beyond them: no token is.
    return {found.topRows(L * size).reshaped(size, L), open.topRows(L * size)};
}

/// Accepted: the coefficients of every lag from `first` on are determined by the function.
Answer determined(Index L, Index first) {
    const LagForm form = lag_form("decay=7/8", L);
    const Index size = form.blocks.rows();
    const Index rank = rational_rank(form.open.bottomRows((L - first) * size));
    return {rank == 0,
            formatted("lags={}, d = 2: the function leaves {} dimensions of P_{} ... P_{} open",
                      L,
                      rank,
                      first,
                      L - 1)};
}

/// Accepted: P_2 = γ P_1 for the γ said, and P_δ = γ^(δ−1) P_1 for every δ ≥ 1.
Answer powers(const std::string& layer, Index L, const Rational& gamma) {
    const RationalMatrix P = lag_form(layer, L).blocks;
    bool all = !P.col(1).isZero(Rational(0));
    for (Index delta = 2; delta < L; ++delta) {
        all = all && P.col(delta) == gamma * P.col(delta - 1);
    }
    const RationalVector first = P.col(1);
    const RationalVector second = P.col(2);
    return {all,
            formatted("{} by lags={}, d = 2: P_1 = {}, P_2 = {}; P_delta = {} P_(delta-1) for "
                      "delta = 2 to {}: {}",
                      layer,
                      L,
                      to_text_vector(first),
                      to_text_vector(second),
                      gamma.str(),
                      L - 1,
                      all ? "yes" : "no")};
}

/// Accepted: P_1, …, P_(L−1) obey one linear recurrence of length r and no other, and its roots are
/// the decays 1/2, 2/3, …, as many as r.
Answer prony(const std::string& layer, Index L, Index r) {
    const RationalMatrix P = lag_form(layer, L).blocks.rightCols(L - 1);
    const Index steps = P.cols() - r;
    RationalMatrix A(P.rows() * steps, r);
    RationalMatrix b(P.rows() * steps, 1);
    for (Index at = 0; at < steps; ++at) {
        A.middleRows(at * P.rows(), P.rows()) = P.middleCols(at, r);
        b.middleRows(at * P.rows(), P.rows()) = P.col(at + r);
    }
    const std::optional<RationalMatrix> c = rational_solve(A, b);
    bool roots = c.has_value() && rational_rank(A) == r;
    for (Index k = 1; roots && k <= r; ++k) {
        const Rational x(k, k + 1);
        Rational power = 1;
        Rational value = 0;
        for (Index j = 0; j < r; ++j) {
            value += (*c)(j, 0) * power;
            power *= x;
        }
        roots = value == power;
    }
    return {roots,
            formatted("{} by the {} lags P_1 ... P_{}, d = 2: {}",
                      layer,
                      L - 1,
                      L - 1,
                      roots ? "one recurrence of length " + std::to_string(r) +
                                  ", and the decays are its roots"
                            : "no unique recurrence with the decays as roots")};
}

/// Accepted: `attest learn --read-kernel` finds the layer in 80 sequences of n integer tokens and
/// proves that it fits every label.
Answer read_off(const std::string& text, Index n, const Stream& stream) {
    Draws draws(stream);
    std::vector<Matrix> Z;
    for (Index i = 0; i < 80; ++i) {
        Z.emplace_back(Matrix::NullaryExpr(
            2, n, [&](Index, Index) { return static_cast<double>(draws.below(5)) - 2.0; }));
    }
    Dataset data = sequences(Z);
    data.layer = layer_named(text);
    data = with_labels(data, predict(planted(data.layer), DatasetSource(data)));
    data.layer = layer_named(formatted("lags={}", n));
    const DatasetSource source(data);
    const KernelReading found =
        read_kernel(FactoredSource(source), fit_least_squares(source, "svd", {}));
    const std::string named = found.layer ? to_string(*found.layer) : "no layer";
    return {named == text && found.exact,
            formatted("labels of {}, read with lags={}: {}{}",
                      text,
                      n,
                      named,
                      found.exact ? ", which fits every label over Q" : "")};
}

Evidence test_unknown_decay(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest unique(evidence, determined);
    unique.check(Form::tested, Index{3}, Index{1});
    unique.control(Index{3}, Index{0});
    const SharedTest ratio(evidence, powers);
    ratio.check(Form::tested, std::string("decay=7/8"), Index{4}, Rational(7, 8));
    ratio.control(std::string("table=1:1/2:1/3:1/4"), Index{4}, Rational(2, 3));
    const SharedTest sum(evidence, prony);
    sum.check(Form::tested, std::string("decay=1/2,2/3"), Index{5}, Index{2});
    sum.control(std::string("decay=1/2,2/3"), Index{4}, Index{2});
    sum.control(std::string("table=1:1:-1/2:1/4:1/3"), Index{5}, Index{2});
    if (context.pick(0, 1) == 1) {
        sum.check(Form::tested, std::string("decay=1/2,2/3,3/4"), Index{7}, Index{3});
    }
    const SharedTest shipped(evidence, read_off, kSampled);
    shipped.check(Form::tested, std::string("decay=1,1/2"), Index{5}, context.stream);
    shipped.control(std::string("table=1:1:-1/2:1/4"), Index{5}, context.stream);
    return evidence;
}

}  // namespace

Claim unknown_decay() {
    return {
        .id = "family/unknown_decay",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "a layer of one decay, learned with one kernel a lag, has P_delta = gamma^delta P for "
            "delta >= 1, so two lags name gamma; r decays are the roots of the recurrence of "
            "P_1..P_2r, and 2r - 1 lags do not always name them. P_0 is determined up to what "
            "vanishes at x = z only",
        .depends_on = "family/decay_rank",
        .method = Method::exact,
        .explain =
            "sum_g gamma_g^delta P_g are coefficients of the layer, and those of the lags delta >= "
            "1 are unique since each lag has variables of its own. If q annihilates P_1..P_2r as a "
            "recurrence, sum_g gamma_g^delta q(gamma_g) P_g = 0 for delta = 1..r, a Vandermonde "
            "system: q(gamma_g) = 0 for every g with P_g not 0, so q of degree r is unique. The "
            "function is compared as a polynomial, that is on all inputs; heads that are multiples "
            "of one another are the worst case.",
        .run = test_unknown_decay,
    };
}

}  // namespace attest::family
