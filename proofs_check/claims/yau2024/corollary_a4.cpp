#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// Every d×n matrix with entries lowest … highest.
std::vector<RationalMatrix> all_matrices(Index d, Index n, Index lowest, Index step, Index values) {
    std::vector<RationalMatrix> list;
    Index count = 1;
    for (Index i = 0; i < d * n; ++i) {
        count *= values;
    }
    for (Index number = 0; number < count; ++number) {
        RationalMatrix Z(d, n);
        Index digits = number;
        for (Index i = 0; i < d * n; ++i) {
            Z(i % d, i / d) = Rational(lowest + step * (digits % values));
            digits /= values;
        }
        list.push_back(Z);
    }
    return list;
}

/// The inputs with n tokens and `values` entries lowest, lowest + step, …
struct InputGrid {
    Index n = 1;
    Index lowest = 0;
    Index step = 1;
    Index values = 2;
};

/// Accepted: all inputs of the grid have features of these ranks, for d = 1, 2, ….
Answer ranks_are(const InputGrid& grid, const std::vector<Index>& expected) {
    std::string ranks;
    std::string said;
    bool same = true;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Index d = static_cast<Index>(i) + 1;
        const RationalMatrix H =
            feature_rows(all_matrices(d, grid.n, grid.lowest, grid.step, grid.values));
        const RationalMatrix G = H.transpose() * H;
        const Index rank = rational_rank(G);
        same = same && rank == expected[i];
        ranks += formatted("{}{}", i == 0 ? "" : ", ", rank);
        said += formatted("{}{}", i == 0 ? "" : ", ", expected[i]);
    }
    return {same,
            formatted("all Z with n = {} and {} entries from {} in steps of {}: the features have "
                      "rank {} for d = 1, 2, ...; said {}",
                      grid.n,
                      grid.values,
                      grid.lowest,
                      grid.step,
                      ranks,
                      said)};
}

/// z_j1 z_k1 z_ln has coefficient 1 in S_jk z_l and 0 in every other feature: read off by finite
/// differences at two tokens x and z, f(x, z) with f odd in z and even in x.
void check_monomials(Evidence& evidence, const ClaimContext& context) {
    bool diagonal = true;
    for (Index d = 1; d <= context.pick(3, 4); ++d) {
        const RationalMatrix I = RationalMatrix::Identity(d, d);
        for (Index p = 0; p < packed_dim(d); ++p) {
            const auto [j, k] = packed_pair(d, p);
            for (Index l = 0; l < d; ++l) {
                const auto features = [&](const RationalVector& x) {
                    RationalMatrix Z(d, 2);
                    Z.col(0) = x;
                    Z.col(1) = I.col(l);
                    return RationalVector(cubic_features<Rational>(Z));
                };
                const RationalVector zero = RationalVector::Zero(d);
                RationalVector mixed = features(I.col(j)) - features(zero);
                if (j != k) {
                    mixed = features(I.col(j) + I.col(k)) - features(I.col(j)) -
                            features(I.col(k)) + features(zero);
                }
                const RationalVector expected = RationalVector::Unit(feature_dim(d), p * d + l);
                diagonal = diagonal && mixed == expected;
            }
        }
    }
    evidence.check(
        Form::printed,
        diagonal,
        formatted("z_j1 z_k1 z_ln (a token other than the query) occurs with coefficient 1 in S_jk "
                  "z_l and in no other feature, d = 1 to {}: as polynomials for n >= 2 the "
                  "features are independent, so equal functions have equal coefficients",
                  context.pick(3, 4)));
}

/// How many 6-sets of the different features of {0,1}^{2×2} are regular.
void check_six_sets(Evidence& evidence) {
    std::vector<RationalVector> different;
    for (const RationalMatrix& Z : all_matrices(2, 2, 0, 1, 2)) {
        const RationalVector h = cubic_features<Rational>(Z);
        const auto same = [&](const RationalVector& other) { return other == h; };
        if (!h.isZero(Rational(0)) && std::none_of(different.begin(), different.end(), same)) {
            different.push_back(h);
        }
    }
    Index sets = 0;
    Index regular = 0;
    for (unsigned mask = 0; mask < 1U << different.size(); ++mask) {
        if (__builtin_popcount(mask) != 6) {
            continue;
        }
        RationalMatrix H(6, 6);
        Index row = 0;
        for (std::size_t i = 0; i < different.size(); ++i) {
            if ((mask >> i & 1U) != 0) {
                H.row(row++) = different[i].transpose();
            }
        }
        ++sets;
        regular += rational_rank(H) == 6 ? 1 : 0;
    }
    evidence.check(Form::tested,
                   sets == 924 && regular == 233,
                   formatted("of the {} sets of six different nonzero features of {{0,1}}^(2x2), "
                             "{} have lambda_min > 0",
                             sets,
                             regular));
}

Evidence test_corollary_a4(const ClaimContext& context) {
    Evidence evidence;
    check_monomials(evidence, context);
    const SharedTest ranks(evidence, ranks_are);
    // ψ = 1, 6, 18, 40: already these inputs tell different coefficients apart.
    ranks.check(Form::printed, InputGrid{2, 0, 1, 2}, std::vector<Index>{1, 6, 18, 40});
    ranks.check(Form::tested, InputGrid{1, 0, 1, 2}, std::vector<Index>{1, 3, 7, 14});
    ranks.check(Form::tested, InputGrid{1, -1, 1, 3}, std::vector<Index>{1, 4, 10, 20});
    ranks.check(Form::tested, InputGrid{2, -1, 2, 2}, std::vector<Index>{1, 4, 12, 28});
    // With one token only, different coefficients can be one function.
    ranks.control(InputGrid{1, -1, 1, 3}, std::vector<Index>{1, 6});
    check_six_sets(evidence);
    return evidence;
}

}  // namespace

Claim corollary_a4() {
    return {
        .id = "yau2024/corollary_a4",
        .place = "Corollary 2.4, Corollary A.4",
        .printed = "MHLA_Theta = MHLA_Theta' if and only if p(Theta) = p(Theta')",
        .tested =
            "equality on all inputs with n = 2 tokens already implies it; on n = 1 it does not",
        .deviation = "the inputs must include sequences of two tokens; one length n >= 2 is enough",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "The function is P'H(Z), so equal P are equal functions. Conversely the monomial "
            "z_j1 z_k1 z_ln, column 1 not the query, occurs in one feature only.",
        .machine_checked = {"separation.v: output_inj; one_token.v: one_token_ambiguous"},
        .run = test_corollary_a4,
    };
}

}  // namespace attest::yau2024
