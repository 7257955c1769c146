#include "core/base/sha256.hpp"

#include <algorithm>
#include <bit>

namespace attest {

namespace {

// FIPS 180-4 §4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U,
    0xab1c5ed5U, 0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU,
    0x9bdc06a7U, 0xc19bf174U, 0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU,
    0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU, 0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U,
    0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U, 0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU,
    0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U, 0xa2bfe8a1U, 0xa81a664bU,
    0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U, 0x19a4c116U,
    0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
    0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U,
    0xc67178f2U};

std::uint32_t big_endian_word(const std::byte* bytes) {
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        word = (word << 8U) | std::to_integer<std::uint32_t>(bytes[i]);
    }
    return word;
}

// The message schedule, §6.2.2 step 1.
std::array<std::uint32_t, 64> schedule(const std::byte* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) {
        w[t] = big_endian_word(block + 4 * t);
    }
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t s0 =
            std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3U);
        const std::uint32_t s1 =
            std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10U);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    return w;
}

}  // namespace

void Sha256::absorb(const std::byte* block) {
    const std::array<std::uint32_t, 64> w = schedule(block);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t t1 = h + sum1 + choice + kRound[t] + w[t];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    const std::array<std::uint32_t, 8> mixed{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) {
        state_[i] += mixed[i];
    }
}

void Sha256::update(std::span<const std::byte> bytes) {
    length_ += bytes.size();
    while (!bytes.empty()) {
        if (filled_ == 0 && bytes.size() >= kBlock) {
            absorb(bytes.data());
            bytes = bytes.subspan(kBlock);
            continue;
        }
        const std::size_t taken = std::min(kBlock - filled_, bytes.size());
        std::copy_n(bytes.data(), taken, pending_.data() + filled_);
        filled_ += taken;
        bytes = bytes.subspan(taken);
        if (filled_ == kBlock) {
            absorb(pending_.data());
            filled_ = 0;
        }
    }
}

// The padding of §5.1.1: a one bit, zeros, the length in bits as a big-endian 64-bit number.
void Sha256::finish() {
    const std::uint64_t bits = length_ * 8;
    const std::array<std::byte, kBlock> padding{std::byte{0x80}};
    const std::size_t zeros = filled_ < 56 ? 56 - filled_ : 120 - filled_;
    update({padding.data(), zeros});
    std::array<std::byte, 8> tail{};
    for (unsigned i = 0; i < 8; ++i) {
        tail[i] = static_cast<std::byte>((bits >> (56U - 8U * i)) & 0xffU);
    }
    update(tail);
}

std::string Sha256::hex() const {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    Sha256 copy = *this;
    copy.finish();
    std::string text;
    for (const std::uint32_t word : copy.state_) {
        for (unsigned shift = 32; shift > 0; shift -= 4) {
            text += kDigits[(word >> (shift - 4)) & 0xfU];
        }
    }
    return text;
}

std::string sha256(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.hex();
}

}  // namespace attest
