#include "proofs_check/exact/population.hpp"

#include "core/base/text.hpp"
#include "core/features/cubic.hpp"

#include <utility>

namespace attest {

namespace {

template <class Entry>
RationalMatrix feature_matrix(Index d, const Entry& entry) {
    RationalMatrix A(feature_dim(d), feature_dim(d));
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            A(i, j) = entry(feature_at(d, i), feature_at(d, j));
            A(j, i) = A(i, j);
        }
    }
    return A;
}

}  // namespace

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
    return feature_matrix(d, [&](const FeatureIndex& f, const FeatureIndex& g) {
        const Rational query = product_moment(law, {{f.l, 0}, {g.l, 0}});
        const Rational first =
            others * covariance(pack_index(d, f.j, f.k), pack_index(d, g.j, g.k)) * query;
        const Rational mean_f = others * product_moment(law, {{f.j, 1}, {f.k, 1}});
        const Rational mean_g = others * product_moment(law, {{g.j, 1}, {g.k, 1}});
        const Rational cross_f = product_moment(law, {{f.j, 0}, {f.k, 0}, {f.l, 0}, {g.l, 0}});
        const Rational cross_g = product_moment(law, {{g.j, 0}, {g.k, 0}, {f.l, 0}, {g.l, 0}});
        const Rational all_query =
            product_moment(law, {{f.j, 0}, {f.k, 0}, {f.l, 0}, {g.j, 0}, {g.k, 0}, {g.l, 0}});
        const Rational second =
            all_query + cross_f * mean_g + cross_g * mean_f + mean_f * mean_g * query;
        return Rational(first + second);
    });
}

}  // namespace attest
