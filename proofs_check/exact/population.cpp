#include "proofs_check/exact/population.hpp"

#include "core/base/text.hpp"
#include "core/features/cubic.hpp"

#include <array>
#include <initializer_list>
#include <utility>

namespace attest {

namespace {

/// A factor z_{row, column}. Columns: 0 the query, 1 and 2 two other tokens.
struct Factor {
    Index row;
    int column;
};

/// E of a product of entries: independent ones factor, equal ones give a moment.
Rational product_moment(const EntryMoments& law, std::initializer_list<Factor> factors) {
    Rational product = 1;
    for (auto first = factors.begin(); first != factors.end(); ++first) {
        std::size_t count = 0;
        bool seen = false;
        for (auto other = factors.begin(); other != factors.end(); ++other) {
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

/// S_jk z_l as three row numbers.
struct Feature {
    Index j;
    Index k;
    Index l;
};

std::vector<Feature> features(Index d) {
    std::vector<Feature> list;
    for (Index p = 0; p < packed_dim(d); ++p) {
        const auto [j, k] = packed_pair(d, p);
        for (Index l = 0; l < d; ++l) {
            list.push_back({j, k, l});
        }
    }
    return list;
}

/// E[z_jt z_kt z_l0 z_j't' z_k't' z_l'0].
Rational term(const EntryMoments& law, const Feature& f, const Feature& g, int t, int u) {
    return product_moment(law, {{f.j, t}, {f.k, t}, {f.l, 0}, {g.j, u}, {g.k, u}, {g.l, 0}});
}

template <class Entry>
RationalMatrix feature_matrix(Index d, const Entry& entry) {
    const std::vector<Feature> list = features(d);
    RationalMatrix A(feature_dim(d), feature_dim(d));
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            A(i, j) = entry(list[static_cast<std::size_t>(i)], list[static_cast<std::size_t>(j)]);
            A(j, i) = A(i, j);
        }
    }
    return A;
}

}  // namespace

EntryMoments moments_of(const GridLaw& law) {
    EntryMoments moments{law.name(), {}};
    for (Index order = 0; order <= 6; ++order) {
        moments.m.push_back(law.moment<Rational>(order));
    }
    return moments;
}

EntryMoments gaussian_moments() {
    return {"normal", {1, 0, 1, 0, 3, 0, 15}};
}

EntryMoments laplace_moments() {
    return {"Laplace", {1, 0, 2, 0, 24, 0, 720}};
}

EntryMoments moments_of(const std::string& name, const std::vector<Atom>& atoms) {
    EntryMoments moments{name, {}};
    for (Index order = 0; order <= 6; ++order) {
        Rational sum = 0;
        for (const Atom& atom : atoms) {
            Rational power = atom.weight;
            for (Index i = 0; i < order; ++i) {
                power *= atom.value;
            }
            sum += power;
        }
        moments.m.push_back(sum);
    }
    return moments;
}

RationalMatrix population_second_moment(const EntryMoments& law, Index d, Index n) {
    const Rational others(n - 1);
    return feature_matrix(d, [&](const Feature& f, const Feature& g) {
        const Rational once = term(law, f, g, 0, 1) + term(law, f, g, 1, 0) + term(law, f, g, 1, 1);
        return Rational(term(law, f, g, 0, 0) + others * once +
                        others * (others - 1) * term(law, f, g, 1, 2));
    });
}

RationalMatrix enumerated_second_moment(const std::vector<Atom>& atoms, Index d, Index n) {
    RationalMatrix Lambda = RationalMatrix::Zero(feature_dim(d), feature_dim(d));
    std::vector<std::size_t> digits(static_cast<std::size_t>(d * n), 0);
    RationalMatrix Z(d, n);
    bool more = true;
    while (more) {
        Rational weight = 1;
        for (std::size_t i = 0; i < digits.size(); ++i) {
            Z(static_cast<Index>(i) % d, static_cast<Index>(i) / d) = atoms[digits[i]].value;
            weight *= atoms[digits[i]].weight;
        }
        const RationalVector h = cubic_features<Rational>(Z);
        Lambda += weight * h * h.transpose();
        std::size_t at = 0;
        while (at < digits.size() && ++digits[at] == atoms.size()) {
            digits[at++] = 0;
        }
        more = at < digits.size();
    }
    return Lambda;
}

RationalMatrix token_square_covariance(const EntryMoments& law, Index d) {
    const Index q = packed_dim(d);
    RationalMatrix covariance(q, q);
    for (Index p = 0; p < q; ++p) {
        for (Index r = 0; r < q; ++r) {
            const auto [j, k] = packed_pair(d, p);
            const auto [i, l] = packed_pair(d, r);
            covariance(p, r) =
                product_moment(law, {{j, 1}, {k, 1}, {i, 1}, {l, 1}}) -
                product_moment(law, {{j, 1}, {k, 1}}) * product_moment(law, {{i, 1}, {l, 1}});
        }
    }
    return covariance;
}

RationalMatrix decomposed_second_moment(const EntryMoments& law, Index d, Index n) {
    const RationalMatrix covariance = token_square_covariance(law, d);
    const Rational others(n - 1);
    return feature_matrix(d, [&](const Feature& f, const Feature& g) {
        const Rational query = product_moment(law, {{f.l, 0}, {g.l, 0}});
        const Rational first =
            others * covariance(pack_index(d, f.j, f.k), pack_index(d, g.j, g.k)) * query;
        const Rational mean_f = others * product_moment(law, {{f.j, 1}, {f.k, 1}});
        const Rational mean_g = others * product_moment(law, {{g.j, 1}, {g.k, 1}});
        const Rational cross_f = product_moment(law, {{f.j, 0}, {f.k, 0}, {f.l, 0}, {g.l, 0}});
        const Rational cross_g = product_moment(law, {{g.j, 0}, {g.k, 0}, {f.l, 0}, {g.l, 0}});
        const Rational second =
            term(law, f, g, 0, 0) + cross_f * mean_g + cross_g * mean_f + mean_f * mean_g * query;
        return Rational(first + second);
    });
}

}  // namespace attest
