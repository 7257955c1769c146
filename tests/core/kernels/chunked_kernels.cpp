#include "tests/core/kernels/chunked_kernels.hpp"

#include "core/rng/stream.hpp"

#include <algorithm>
#include <cmath>

namespace attest::test {

namespace {

constexpr Index kHeads = 2;
constexpr Index kSize = 24;
constexpr Index kChunk = 64;

/// Sums of four uniform numbers: nearly normal, of variance 1.
std::vector<double> bell_numbers(const Stream& stream, Index count) {
    Draws draws(stream);
    std::vector<double> values;
    for (Index i = 0; i < count; ++i) {
        double sum = 0.0;
        for (int part = 0; part < 4; ++part) {
            sum += static_cast<double>(draws.word() >> 11U) * 0x1p-53 - 0.5;
        }
        values.push_back(static_cast<double>(static_cast<float>(std::sqrt(3.0) * sum)));
    }
    return values;
}

void give_unit_length(std::vector<double>& rows) {
    for (auto first = rows.begin(); first != rows.end(); first += kSize) {
        double squares = 0.0;
        std::for_each(first, first + kSize, [&](double x) { squares += x * x; });
        std::for_each(first, first + kSize, [&](double& x) {
            x = static_cast<double>(static_cast<float>(x / std::sqrt(squares)));
        });
    }
}

class ChunkedHead {
public:
    ChunkedHead(KernelDump& dump, Index h, ChunkFault fault)
        : dump_(dump), h_(h), fault_(fault), S_(kSize * kSize) {}

    void run() {
        for (Index first = 0; first < dump_.tokens; first += kChunk) {
            chunk(first, std::min(kChunk, dump_.tokens - first));
        }
    }

private:
    [[nodiscard]] float at(const std::vector<double>& array, Index t, Index j) const {
        const auto row = static_cast<Index>(dump_.row(0, t, h_));
        return static_cast<float>(array[static_cast<std::size_t>(row * kSize + j)]);
    }

    [[nodiscard]] float of_token(const std::vector<double>& array, Index t) const {
        return static_cast<float>(array[dump_.row(0, t, h_)]);
    }

    [[nodiscard]] float dot(const std::vector<double>& x,
                            Index t,
                            const std::vector<double>& y,
                            Index s) const {
        float sum = 0.0F;
        for (Index j = 0; j < kSize; ++j) {
            sum += at(x, t, j) * at(y, s, j);
        }
        return sum;
    }

    [[nodiscard]] float read(const std::vector<double>& x, Index t, Index c) const {
        float sum = 0.0F;
        for (Index j = 0; j < kSize; ++j) {
            sum += at(x, t, j) * S_[static_cast<std::size_t>(j * kSize + c)];
        }
        return sum;
    }

    void chunk(Index first, Index count) {
        first_ = first;
        count_ = count;
        b_.clear();
        float sum = 0.0F;
        for (Index t = 0; t < count; ++t) {
            sum += of_token(dump_.gates, first + t);
            b_.push_back(sum);
        }
        form_values();
        write_outputs();
        update_state();
    }

    [[nodiscard]] float decay(Index t, Index s) const {
        return std::exp(b_[static_cast<std::size_t>(t)] - b_[static_cast<std::size_t>(s)]);
    }

    [[nodiscard]] float from_start(Index t) const {
        return std::exp(b_[static_cast<std::size_t>(t)]);
    }

    [[nodiscard]] float& u(Index t, Index c) { return u_[static_cast<std::size_t>(t * kSize + c)]; }

    /// What each token of the chunk adds to the state: v, or what the delta rule leaves of it.
    void form_values() {
        u_.assign(static_cast<std::size_t>(count_ * kSize), 0.0F);
        for (Index t = 0; t < count_; ++t) {
            for (Index c = 0; c < kSize; ++c) {
                const float v = at(dump_.v, first_ + t, c);
                u(t, c) = is_delta(dump_.recurrence) ? corrected(v, t, c) : v;
            }
        }
    }

    [[nodiscard]] float corrected(float v, Index t, Index c) {
        const float beta = of_token(dump_.beta, first_ + t);
        const float weight = fault_ == ChunkFault::beta_in_matrix   ? 1.0F
                             : fault_ == ChunkFault::sign_of_matrix ? -beta
                                                                    : beta;
        float value = beta * (v - from_start(t) * read(dump_.k, first_ + t, c));
        for (Index s = 0; s < t; ++s) {
            const float decayed = fault_ == ChunkFault::decay_in_matrix ? 1.0F : decay(t, s);
            value -= weight * decayed * dot(dump_.k, first_ + t, dump_.k, first_ + s) * u(s, c);
        }
        return value;
    }

    void write_outputs() {
        for (Index t = 0; t < count_; ++t) {
            const bool lost =
                fault_ == ChunkFault::outputs_from_250 && h_ == 1 && first_ + t >= 250;
            const auto row = static_cast<Index>(dump_.row(0, first_ + t, h_));
            for (Index c = 0; c < kSize; ++c) {
                dump_.o[static_cast<std::size_t>(row * kSize + c)] =
                    lost ? 0.0
                         : static_cast<double>(static_cast<float>(dump_.scale) * output(t, c));
            }
        }
    }

    [[nodiscard]] float output(Index t, Index c) {
        float o = from_start(t) * read(dump_.q, first_ + t, c);
        const Index seen = fault_ == ChunkFault::own_scores ? t : t + 1;
        for (Index s = 0; s < seen; ++s) {
            const float decayed = fault_ == ChunkFault::decay_in_scores ? 1.0F : decay(t, s);
            o += decayed * dot(dump_.q, first_ + t, dump_.k, first_ + s) * u(s, c);
        }
        return o;
    }

    void update_state() {
        for (Index j = 0; j < kSize; ++j) {
            for (Index c = 0; c < kSize; ++c) {
                float& S = S_[static_cast<std::size_t>(j * kSize + c)];
                S *= from_start(count_ - 1);
                for (Index s = 0; s < count_; ++s) {
                    S += decay(count_ - 1, s) * at(dump_.k, first_ + s, j) * u(s, c);
                }
            }
        }
    }

    KernelDump& dump_;
    Index h_;
    ChunkFault fault_;
    std::vector<float> S_;
    Index first_ = 0;  ///< token of the chunk
    Index count_ = 0;
    std::vector<float> b_;  ///< logarithms of the gates, summed from the chunk's start
    std::vector<float> u_;  ///< count×kSize
};

}  // namespace

KernelDump chunked_dump(Recurrence recurrence, Index tokens, ChunkFault fault) {
    KernelDump dump{.recurrence = recurrence,
                    .batch = 1,
                    .tokens = tokens,
                    .heads = kHeads,
                    .key_dim = kSize,
                    .value_dim = kSize};
    const Stream stream(11);
    const Index rows = tokens * kHeads;
    dump.q = bell_numbers(stream.child("q"), rows * kSize);
    dump.k = bell_numbers(stream.child("k"), rows * kSize);
    dump.v = bell_numbers(stream.child("v"), rows * kSize);
    if (is_delta(recurrence)) {
        give_unit_length(dump.k);
        dump.beta = bell_numbers(stream.child("beta"), rows);
        for (double& beta : dump.beta) {
            beta = static_cast<double>(static_cast<float>(1.0 / (1.0 + std::exp(-beta))));
        }
    }
    dump.gate_width = 1;
    dump.gate_form = GateEntry::logarithm;
    dump.gates = bell_numbers(stream.child("gates"), rows);
    for (double& gate : dump.gates) {
        gate = static_cast<double>(static_cast<float>(-std::log1p(std::exp(-gate)) / 8.0));
    }
    dump.o.resize(dump.v.size());
    dump.scale = static_cast<double>(static_cast<float>(1.0 / std::sqrt(24.0)));
    for (Index h = 0; h < kHeads; ++h) {
        ChunkedHead(dump, h, fault).run();
    }
    return dump;
}

}  // namespace attest::test
