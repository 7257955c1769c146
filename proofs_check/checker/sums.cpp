#include "proofs_check/checker/sums.hpp"

#include <algorithm>
#include <cmath>

namespace attest::checker {
namespace {
/// z̃ z̃ᵀ: pairs a < b, then squares.
std::vector<Integer> packed_square(const std::vector<Integer>& z) {
    std::vector<Integer> products;
    for (auto a = z.begin(); a != z.end(); ++a) {
        for (auto b = a + 1; b != z.end(); ++b) {
            products.emplace_back(*a * *b);
        }
    }
    for (const Integer& value : z) {
        products.emplace_back(value * value);
    }
    return products;
}

std::vector<Integer> all_products(const std::vector<Integer>& z, const std::vector<Integer>& w) {
    std::vector<Integer> products;
    for (const Integer& left : z) {
        for (const Integer& right : w) {
            products.emplace_back(left * right);
        }
    }
    return products;
}

/// Of this degree, in lexicographic order of their sorted factors.
std::vector<Integer> monomials(const std::vector<Integer>& z, Index degree) {
    std::vector<std::pair<Integer, Index>> products{{1, 0}};  // and the last factor
    for (; degree > 0; --degree) {
        std::vector<std::pair<Integer, Index>> longer;
        for (const auto& [product, last] : products) {
            for (Index a = last; a < Index(z.size()); ++a) {
                longer.emplace_back(product * z[a], a);
            }
        }
        products = std::move(longer);
    }
    std::vector<Integer> values;
    values.reserve(products.size());
    for (auto& [product, last] : products) {
        values.push_back(std::move(product));
    }
    return values;
}
}  // namespace

Integer quotient(double value, Index e) {
    int exponent = 0;
    const Integer mantissa(std::ldexp(std::frexp(value, &exponent), 53));
    const Index shift = exponent - 53 - e;
    return shift >= 0 ? Integer(mantissa << shift) : Integer(mantissa >> -shift);
}

Sums::Sums(const Table& table, const Dataset& set, Index first)
    : table_(table), set_(set), first_(first), running_(table.layer.kernels.size()) {}

std::vector<Integer> Sums::column(const Matrix& matrix, Index at) const {
    std::vector<Integer> entries;
    for (Index j = at * matrix.rows; j < (at + 1) * matrix.rows; ++j) {
        entries.push_back(quotient(matrix.values[j], table_.exponent));
    }
    return entries;
}

std::vector<Integer> Sums::token(Index t) const {
    std::vector<Integer> z;
    if (layer_.affine) {
        z.push_back(quotient(1, table_.exponent));
    }
    for (Index j = t * set_.d; j < (t + 1) * set_.d; ++j) {
        z.push_back(quotient(set_.tokens[j], table_.exponent));
    }
    return z;
}

std::vector<Integer> Sums::summand(Index t) const {
    const std::vector<Integer> z = token(t);
    if (!layer_.graded) {
        return layer_.delta
                   ? all_products(column(set_.beta, t), all_products(z, column(set_.keys, t)))
               : layer_.mapped       ? all_products(z, column(set_.phi, t))
               : layer_.vector_gates ? all_products(z, z)
                                     : packed_square(z);
    }
    std::vector<Integer> x;
    for (Index p = layer_.first_degree; p <= layer_.last_degree; ++p) {
        // Features of lower degrees come on the scale of the highest.
        const Index shift = -2 * (layer_.last_degree - p) * table_.exponent;
        for (const Integer& product : monomials(z, p + 1)) {
            x.emplace_back(product << shift);
        }
    }
    return x;
}

/// Of `delta`: M ← M (I − β k kᵀ) with the next token's k and β, times 2^(2 key_bits + beta_bits).
void Sums::forget(std::vector<Integer>& sum) const {
    const Weights& weights = table_.weights;
    const Index size = set_.keys.rows;
    std::vector<Integer> k;
    for (Index a = 0; a < size; ++a) {
        k.push_back(quotient(set_.keys.values[next_ * size + a], -weights.key_bits));
    }
    const Integer beta = quotient(set_.beta.values[next_], -weights.beta_bits);
    for (std::size_t row = 0; row < sum.size(); row += size) {
        Integer held = 0;
        for (Index a = 0; a < size; ++a) {
            held += sum[row + a] * k[a];
        }
        for (Index a = 0; a < size; ++a) {
            sum[row + a] <<= 2 * weights.key_bits + weights.beta_bits;
            sum[row + a] -= beta * held * k[a];
        }
    }
}

void Sums::step(Running& running, const Kernel& kernel, const std::vector<Integer>& x) const {
    running.sum.resize(x.size());
    if (next_ == first_) {
        running.sum = x;
        return;
    }
    const Index keys = std::max<Index>(set_.gates.rows, 1);
    std::vector<Integer> factors{Integer(numerator(kernel.rate))};
    if (layer_.gated) {
        factors.clear();
        for (Index k = 0; k < keys; ++k) {
            factors.push_back(
                quotient(set_.gates.values[next_ * keys + k], -table_.weights.gate_bits));
        }
    }
    if (layer_.delta) {
        for (std::size_t j = 0; layer_.gated && j < x.size(); ++j) {
            running.sum[j] *= factors[j % factors.size()];
        }
        forget(running.sum);
        factors = {1};
    }
    running.power *= Integer(denominator(kernel.rate)) << table_.weights.step_bits();
    const bool plain = !layer_.gated && !layer_.delta && kernel.rate == 1;
    for (std::size_t j = 0; j < x.size(); ++j) {
        Integer& sum = running.sum[j];
        if (plain) {
            sum += x[j];
        } else {
            sum = sum * factors[j % factors.size()] + running.power * x[j];
        }
    }
}

void Sums::add() {
    if (!layer_.moments) {
        const std::vector<Integer> x = summand(next_);
        size_ = x.size();
        for (std::size_t g = 0; g < running_.size(); ++g) {
            if (layer_.kernels[g].recurrent()) {
                step(running_[g], layer_.kernels[g], x);
            }
        }
    }
    ++next_;
}

/// Adds the sums of the kernels that are not recurrent, as they are defined.
void Sums::add_direct(std::vector<Integer>& state) const {
    Index reach = 0;
    for (const Kernel& kernel : layer_.kernels) {
        const Index end = kernel.values.empty() ? kernel.to : Index(kernel.values.size());
        reach = std::max(reach, kernel.recurrent() ? 0 : end);
    }
    for (Index delta = 0; delta < std::min(reach, next_ - first_); ++delta) {
        const std::vector<Integer> x = summand(next_ - 1 - delta);
        for (std::size_t g = 0; g < running_.size(); ++g) {
            const auto& [rate, from, to, values] = layer_.kernels[g];
            const bool listed = delta < Index(values.size());
            const bool one = values.empty() && from <= delta && delta < to;
            if (layer_.kernels[g].recurrent() || !(listed || one)) {
                continue;
            }
            const Integer weight =
                listed ? Integer(numerator(Rational(values[delta] * table_.denominator)))
                       : table_.denominator;
            for (std::size_t j = 0; j < size_; ++j) {
                state[g * size_ + j] += weight * x[j];
            }
        }
    }
}

std::vector<Integer> Sums::state(Index example) const {
    if (layer_.moments) {
        return column(set_.s, example);
    }
    std::vector<Integer> state(layer_.kernels.size() * size_);
    for (std::size_t g = 0; g < running_.size(); ++g) {
        const Integer factor = table_.denominator / running_[g].power;
        for (std::size_t j = 0; j < running_[g].sum.size(); ++j) {
            state[g * size_ + j] = running_[g].sum[j] * factor;
        }
    }
    add_direct(state);
    if (layer_.affine) {
        state.emplace_back(table_.denominator << -2 * table_.exponent);
    }
    return state;
}

std::vector<Integer> Sums::query(Index example, Index token_number) const {
    if (layer_.moments || layer_.mapped) {
        return layer_.moments ? column(set_.u, example) : column(set_.phi, token_number);
    }
    std::vector<Integer> u;
    if (layer_.graded) {
        for (Index p = layer_.first_degree; p <= layer_.last_degree; ++p) {
            const std::vector<Integer> more = monomials(token(token_number), p);
            u.insert(u.end(), more.begin(), more.end());
        }
        return u;
    }
    if (!layer_.cross) {
        return token(token_number);
    }
    u = column(set_.x, example);
    if (layer_.affine) {
        u.insert(u.begin(), quotient(1, table_.exponent));
    }
    return u;
}
}  // namespace attest::checker
