#include "core/moments/population.hpp"

#include "core/algebra/symmetric_pack.hpp"

namespace attest {

namespace {

/// E[z_jt z_kt z_l0 z_j'u z_k'u z_l'0]; column 0 is the query, 1 and 2 are two other tokens.
Rational term(const EntryMoments& law, const FeatureIndex& f, const FeatureIndex& g, int t, int u) {
    return product_moment(law, {{f.j, t}, {f.k, t}, {f.l, 0}, {g.j, u}, {g.k, u}, {g.l, 0}});
}

}  // namespace

FeatureIndex feature_at(Index d, Index i) {
    const auto [j, k] = packed_pair(d, i / d);
    return {j, k, i % d};
}

EntryMoments moments_of(const GridLaw& law) {
    EntryMoments moments{law.name(), {}};
    for (Index order = 0; order <= 6; ++order) {
        moments.m.push_back(law.moment<Rational>(order));
    }
    return moments;
}

Rational product_moment(const EntryMoments& law, std::initializer_list<EntryFactor> factors) {
    Rational product = 1;
    for (const auto* first = factors.begin(); first != factors.end(); ++first) {
        std::size_t count = 0;
        bool seen = false;
        for (const auto* other = factors.begin(); other != factors.end(); ++other) {
            if (other->row == first->row && other->column == first->column) {
                seen = seen || other < first;
                ++count;
            }
        }
        if (!seen) {
            product *= law.m[count];
        }
    }
    return product;
}

MatrixOf<Rational> population_second_moment(const EntryMoments& law, Index d, Index n) {
    const Rational others(n - 1);
    MatrixOf<Rational> Lambda(feature_dim(d), feature_dim(d));
    for (Index i = 0; i < Lambda.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            const FeatureIndex f = feature_at(d, i);
            const FeatureIndex g = feature_at(d, j);
            const Rational once =
                term(law, f, g, 0, 1) + term(law, f, g, 1, 0) + term(law, f, g, 1, 1);
            Lambda(i, j) = term(law, f, g, 0, 0) + others * once +
                           others * (others - 1) * term(law, f, g, 1, 2);
            Lambda(j, i) = Lambda(i, j);
        }
    }
    return Lambda;
}

}  // namespace attest
