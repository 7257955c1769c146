#include "tests/core/kernels/small_dumps.hpp"

#include "core/exact/dyadic.hpp"
#include "core/kernels/kernel_call.hpp"
#include "core/rng/stream.hpp"

namespace attest::test {

namespace {

std::vector<double> eighths(const Stream& stream, Index count, int lowest, int highest) {
    Draws draws(stream);
    std::vector<double> values;
    for (Index i = 0; i < count; ++i) {
        const auto step =
            static_cast<int>(draws.below(static_cast<std::uint64_t>(highest - lowest + 1)));
        values.push_back((lowest + step) / 8.0);
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
    const auto entry = [](const std::vector<double>& array, std::size_t row, Index width, Index i) {
        return to_rational(
            array[row * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)]);
    };
    ExactHead exact;
    exact.state.assign(static_cast<std::size_t>(K),
                       std::vector<Rational>(static_cast<std::size_t>(V)));
    std::vector<std::vector<Rational>>& S = exact.state;
    for (Index j = 0; j < K && !dump.initial_state.empty(); ++j) {
        for (Index c = 0; c < V; ++c) {
            S[j][c] = to_rational(
                dump.initial_state[dump.state(0, h) + static_cast<std::size_t>(j * V + c)]);
        }
    }
    std::vector<Rational> key_sum(static_cast<std::size_t>(K));
    for (Index t = 0; t < dump.tokens; ++t) {
        const std::size_t row = dump.row(0, t, h);
        std::vector<Rational> o(static_cast<std::size_t>(V));
        for (Index c = 0; c < V; ++c) {
            Rational held = 0;
            for (Index j = 0; j < K; ++j) {
                if (dump.gate_width > 0) {
                    S[j][c] *= entry(dump.gates, row, dump.gate_width, dump.gate_width > 1 ? j : 0);
                }
                held += S[j][c] * entry(dump.k, row, K, j);
            }
            Rational added = entry(dump.v, row, V, c);
            if (is_delta(dump.recurrence)) {
                added = entry(dump.beta, row, 1, 0) * (added - held);
            }
            for (Index j = 0; j < K; ++j) {
                S[j][c] += entry(dump.k, row, K, j) * added;
                o[c] += to_rational(dump.scale) * entry(dump.q, row, K, j) * S[j][c];
            }
        }
        if (dump.recurrence == Recurrence::normalised) {
            Rational divisor = to_rational(dump.epsilon);
            for (Index j = 0; j < K; ++j) {
                key_sum[j] += entry(dump.k, row, K, j);
                divisor += to_rational(dump.scale) * entry(dump.q, row, K, j) * key_sum[j];
            }
            for (Rational& value : o) {
                value /= divisor;
            }
        }
        exact.outputs.push_back(std::move(o));
    }
    return exact;
}

KernelDump with_exact_outputs(KernelDump dump) {
    dump.final_state.clear();
    for (Index h = 0; h < dump.heads; ++h) {
        const ExactHead exact = exact_head(dump, h);
        for (Index t = 0; t < dump.tokens; ++t) {
            for (Index c = 0; c < dump.value_dim; ++c) {
                dump.o[dump.row(0, t, h) * static_cast<std::size_t>(dump.value_dim) +
                       static_cast<std::size_t>(c)] = exact.outputs[t][c].convert_to<double>();
            }
        }
        for (const std::vector<Rational>& row : exact.state) {
            for (const Rational& value : row) {
                dump.final_state.push_back(value.convert_to<double>());
            }
        }
    }
    if (dump.recurrence == Recurrence::normalised) {
        dump.final_state.clear();
    }
    return dump;
}

}  // namespace attest::test
