#include "tests/support/layer_examples.hpp"

#include "core/exact/dyadic.hpp"

#include <algorithm>

namespace attest::test {

namespace {

using Numbers = std::vector<Rational>;

template <class Columns>
Numbers column(const Columns& A, Index at) {
    Numbers numbers;
    for (Index j = 0; j < A.rows(); ++j) {
        numbers.push_back(to_rational(A(j, at)));
    }
    return numbers;
}

Numbers after_affine(const Layer& layer, Numbers z) {
    if (layer.affine) {
        z.insert(z.begin(), Rational(1));
    }
    return z;
}

/// By how much token t of the first `tokens` counts in M_jk of sum g.
Rational weight(const Dataset& data, Index start, Index t, Index tokens, Index g, Index k) {
    const Layer& layer = data.layer;
    if (layer.gates != GateForm::none) {
        Rational product = 1;
        for (Index later = t + 1; later < tokens; ++later) {
            const Index row = layer.gates == GateForm::vector ? k : 0;
            product *= to_rational(data.columns.gates(row, start + later));
        }
        return product;
    }
    return layer.kernels.empty()
               ? Rational(1)
               : value_at(layer.kernels[static_cast<std::size_t>(g)], tokens - 1 - t);
}

RationalMatrix as_column(const Numbers& numbers) {
    RationalMatrix found(std::ssize(numbers), 1);
    for (Index j = 0; j < found.rows(); ++j) {
        found(j, 0) = numbers[static_cast<std::size_t>(j)];
    }
    return found;
}

/// Σ_t β_t z_t k_tᵀ times the matrices D (I − β k kᵀ) of all later tokens, multiplied out.
RationalMatrix kept_by_delta(const Dataset& data, Index start, Index tokens) {
    const LayerColumns& columns = data.columns;
    const Index K = columns.keys.rows();
    RationalMatrix M = RationalMatrix::Zero(data.d(), K);
    for (Index t = 0; t < tokens; ++t) {
        RationalMatrix later = RationalMatrix::Identity(K, K);
        for (Index r = t + 1; r < tokens; ++r) {
            RationalMatrix D = RationalMatrix::Identity(K, K);
            for (Index k = 0; columns.gates.rows() > 0 && k < K; ++k) {
                D(k, k) = to_rational(columns.gates(k % columns.gates.rows(), start + r));
            }
            const RationalMatrix key = as_column(column(columns.keys, start + r));
            const Rational beta = to_rational(columns.beta(0, start + r));
            const RationalMatrix erased = key * key.transpose() * beta;
            later =
                RationalMatrix(later * D * RationalMatrix(RationalMatrix::Identity(K, K) - erased));
        }
        const RationalMatrix z = as_column(column(data.tokens, start + t));
        const RationalMatrix key = as_column(column(columns.keys, start + t));
        M += RationalMatrix(z * key.transpose() * later) * to_rational(columns.beta(0, start + t));
    }
    return M;
}

RationalMatrix sum_matrix(const Dataset& data, Index start, Index tokens, Index g) {
    const Layer& layer = data.layer;
    if (layer.form == TokenForm::delta) {
        return kept_by_delta(data, start, tokens);
    }
    RationalMatrix M;
    for (Index t = 0; t < tokens; ++t) {
        const Numbers z = after_affine(layer, column(data.tokens, start + t));
        const Numbers key =
            layer.form == TokenForm::mapped ? column(data.columns.phi, start + t) : z;
        if (t == 0) {
            M = RationalMatrix::Zero(std::ssize(z), std::ssize(key));
        }
        for (Index j = 0; j < M.rows(); ++j) {
            for (Index k = 0; k < M.cols(); ++k) {
                M(j, k) += weight(data, start, t, tokens, g, k) * z[static_cast<std::size_t>(j)] *
                           key[static_cast<std::size_t>(k)];
            }
        }
    }
    return M;
}

/// Σ_t of the monomials of one degree, by their exponents in lexicographically falling order: the
/// order of the sorted lists of factors.
void append_monomials(Numbers& to, const std::vector<Numbers>& points, Index degree) {
    const Index d = std::ssize(points.front());
    std::vector<Index> factors(static_cast<std::size_t>(degree), 0);
    while (true) {
        Rational sum = 0;
        for (const Numbers& z : points) {
            Rational product = 1;
            for (const Index j : factors) {
                product *= z[static_cast<std::size_t>(j)];
            }
            sum += product;
        }
        to.push_back(sum);
        Index last = degree - 1;
        while (last >= 0 && factors[static_cast<std::size_t>(last)] == d - 1) {
            --last;
        }
        if (last < 0) {
            return;
        }
        const Index next = factors[static_cast<std::size_t>(last)] + 1;
        std::fill(factors.begin() + last, factors.end(), next);
    }
}

void append_products(Numbers& to, const Numbers& s, const Numbers& u) {
    for (const Rational& a : s) {
        for (const Rational& b : u) {
            to.push_back(a * b);
        }
    }
}

Numbers packed_or_rows(const RationalMatrix& M, bool packed) {
    Numbers entries;
    for (Index j = 0; j < M.rows(); ++j) {
        for (Index k = packed ? j + 1 : 0; k < M.cols(); ++k) {
            entries.push_back(M(j, k));
        }
    }
    for (Index j = 0; packed && j < M.rows(); ++j) {
        entries.push_back(M(j, j));
    }
    return entries;
}

}  // namespace

std::vector<Rational> features_by_definition(const Dataset& data,
                                             Index sequence,
                                             Index tokens,
                                             Index example) {
    const Layer& layer = data.layer;
    Numbers features;
    if (layer.form == TokenForm::supplied) {
        append_products(features, column(data.columns.s, example), column(data.columns.u, example));
        return features;
    }
    const Index start = data.first_token(sequence);
    const Index query =
        data.labels == LabelKind::per_prefix ? start + tokens - 1 : data.query_token(sequence);
    if (layer.form == TokenForm::degree) {
        std::vector<Numbers> points;
        for (Index t = 0; t < tokens; ++t) {
            points.push_back(column(data.tokens, start + t));
        }
        for (Index p = layer.lowest_degree; p <= layer.highest_degree; ++p) {
            Numbers s;
            Numbers u;
            append_monomials(s, points, p + 1);
            append_monomials(u, {column(data.tokens, query)}, p);
            append_products(features, s, u);
        }
        return features;
    }
    const bool mapped = layer.form == TokenForm::mapped;
    Numbers s;
    for (Index g = 0; g < num_sums(layer); ++g) {
        const RationalMatrix M = sum_matrix(data, start, tokens, g);
        const Numbers entries =
            packed_or_rows(M, !layer.has_own_keys() && layer.gates != GateForm::vector);
        s.insert(s.end(), entries.begin(), entries.end());
    }
    if (layer.affine) {
        s.emplace_back(1);
    }
    const Numbers asking = layer.cross ? column(data.columns.x, example)
                           : mapped    ? column(data.columns.phi, query)
                                       : column(data.tokens, query);
    append_products(features, s, after_affine(layer, asking));
    return features;
}

MatrixOf<Rational> features_by_definition(const Dataset& data) {
    MatrixOf<Rational> H(data.num_examples(), data.layout().psi());
    for (Index i = 0; i < data.num_sequences(); ++i) {
        for (Index e = data.first_example(i); e < data.first_example(i + 1); ++e) {
            const Index tokens =
                data.labels == LabelKind::per_prefix ? e - data.first_token(i) + 1 : data.length(i);
            const Numbers row = features_by_definition(data, i, tokens, e);
            for (Index k = 0; k < H.cols(); ++k) {
                H(e, k) = row.at(static_cast<std::size_t>(k));
            }
        }
    }
    return H;
}

}  // namespace attest::test
