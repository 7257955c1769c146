#include "tests/core/kernels/small_dumps.hpp"

#include "core/algebra/matrix.hpp"
#include "core/exact/dyadic.hpp"
#include "core/kernels/kernel_call.hpp"
#include "core/rng/stream.hpp"

#include <algorithm>

namespace attest::test {

namespace {

std::vector<double> eighths(const Stream& stream, Index count, int lowest, int highest) {
    Draws draws(stream);
    const auto choices = static_cast<std::uint64_t>(Index{highest} - lowest + 1);
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) {
        values.push_back((lowest + static_cast<int>(draws.below(choices))) / 8.0);
    }
    return values;
}

VectorOf<Rational> entries(const std::vector<double>& array, std::size_t first, Index count) {
    VectorOf<Rational> values(count);
    for (Index i = 0; i < count; ++i) {
        values(i) = to_rational(array[first + static_cast<std::size_t>(i)]);
    }
    return values;
}

}  // namespace

std::vector<Recurrence> every_recurrence() {
    std::vector<Recurrence> all;
    for (const std::string& name : recurrence_names()) {
        if (has_bound(recurrence_named(name))) {
            all.push_back(recurrence_named(name));
        }
    }
    return all;
}

KernelDump small_dump(
    Recurrence recurrence, Index tokens, Index heads, Index key_dim, Index value_dim) {
    KernelDump dump{.recurrence = recurrence,
                    .batch = 1,
                    .tokens = tokens,
                    .heads = heads,
                    .key_dim = key_dim,
                    .value_dim = value_dim};
    const Stream stream(7);
    const Index rows = tokens * heads;
    const bool positive = recurrence == Recurrence::normalised;
    dump.q = eighths(stream.child("q"), rows * key_dim, positive ? 1 : -8, 8);
    dump.k = eighths(stream.child("k"), rows * key_dim, positive ? 1 : -8, 8);
    dump.v = eighths(stream.child("v"), rows * value_dim, -8, 8);
    dump.o.resize(dump.v.size());
    if (recurrence == Recurrence::gla || recurrence == Recurrence::kda) {
        dump.gate_width = key_dim;
    } else if (recurrence == Recurrence::retention || recurrence == Recurrence::simple_gla ||
               recurrence == Recurrence::gated_delta) {
        dump.gate_width = 1;
    }
    dump.gates = eighths(stream.child("gates"), rows * dump.gate_width, 0, 8);
    if (is_delta(recurrence)) {
        dump.beta = eighths(stream.child("beta"), rows, 0, 8);
    }
    if (!positive) {
        dump.initial_state = eighths(stream.child("state"), heads * key_dim * value_dim, -8, 8);
    }
    dump.scale = 0.5;
    return dump;
}

ExactHead exact_head(const KernelDump& dump, Index h) {
    const Index K = dump.key_dim;
    const Index V = dump.value_dim;
    const Rational scale = to_rational(dump.scale);
    ExactHead exact{MatrixOf<Rational>(V, dump.tokens), MatrixOf<Rational>::Zero(K, V)};
    MatrixOf<Rational>& S = exact.state;
    if (!dump.initial_state.empty()) {
        S = fold<Rational>(entries(dump.initial_state, dump.state(0, h), K * V), K, V);
    }
    VectorOf<Rational> key_sum = VectorOf<Rational>::Zero(K);
    for (Index t = 0; t < dump.tokens; ++t) {
        const std::size_t row = dump.row(0, t, h);
        const auto own = [&](const std::vector<double>& array, Index width) {
            return entries(array, row * static_cast<std::size_t>(width), width);
        };
        const VectorOf<Rational> q = own(dump.q, K);
        const VectorOf<Rational> k = own(dump.k, K);
        const VectorOf<Rational> gates = own(dump.gates, dump.gate_width);
        for (Index j = 0; j < K && gates.size() > 0; ++j) {
            S.row(j) *= gates(gates.size() > 1 ? j : 0);
        }
        VectorOf<Rational> added = own(dump.v, V);
        if (is_delta(dump.recurrence)) {
            added = (own(dump.beta, 1)(0) * (added - S.transpose() * k)).eval();
        }
        S += k * added.transpose();
        exact.outputs.col(t) = scale * (S.transpose() * q);
        if (dump.recurrence == Recurrence::normalised) {
            key_sum += k;
            exact.outputs.col(t) /= Rational(to_rational(dump.epsilon) + scale * q.dot(key_sum));
        }
    }
    return exact;
}

KernelDump with_exact_outputs(KernelDump dump) {
    dump.final_state.clear();
    for (Index h = 0; h < dump.heads; ++h) {
        const ExactHead exact = exact_head(dump, h);
        for (Index t = 0; t < dump.tokens; ++t) {
            const Vector o = exact.outputs.col(t).cast<double>();
            std::copy(o.begin(),
                      o.end(),
                      dump.o.begin() + static_cast<std::ptrdiff_t>(dump.row(0, t, h)) * o.size());
        }
        const Vector state = flatten<Rational>(exact.state).cast<double>();
        dump.final_state.insert(dump.final_state.end(), state.begin(), state.end());
    }
    if (dump.recurrence == Recurrence::normalised) {
        dump.final_state.clear();
    }
    return dump;
}

}  // namespace attest::test
