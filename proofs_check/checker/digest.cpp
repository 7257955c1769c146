#include "proofs_check/checker/digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <sstream>

namespace attest::checker {
namespace {
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
constexpr std::array<std::uint32_t, 8> kStart{
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
}  // namespace

std::string sha256(std::string_view message) {
    std::array<std::uint32_t, 8> state = kStart;
    const std::size_t whole = message.size() / 64 * 64;  // the rest is copied, and padded
    std::string tail(message.substr(whole));
    tail += '\x80';
    tail.resize((tail.size() + 71) / 64 * 64 - 8);
    const std::uint64_t bits = __builtin_bswap64(8 * message.size());
    tail.append(reinterpret_cast<const char*>(&bits), 8);
    for (std::size_t block = 0; block < whole + tail.size(); block += 64) {
        const char* const bytes = block < whole ? &message[block] : &tail[block - whole];
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < 64; ++i) {
            w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(bytes[i]);
        }
        auto [a, b, c, d, e, f, g, h] = state;
        for (std::size_t i = 0; i < 64; ++i) {
            if (i >= 16) {
                const std::uint32_t u = w[i - 15];
                const std::uint32_t v = w[i - 2];
                w[i] = w[i - 16] + (std::rotr(u, 7) ^ std::rotr(u, 18) ^ u >> 3) + w[i - 7] +
                       (std::rotr(v, 17) ^ std::rotr(v, 19) ^ v >> 10);
            }
            const std::uint32_t t = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                    ((e & f) ^ (~e & g)) + kRound[i] + w[i];
            h = g, g = f, f = e, e = d + t;
            const std::uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                                     ((a & b) ^ (a & c) ^ (b & c));
            d = c, c = b, b = a, a = t + t2;
        }
        const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
        std::transform(state.begin(), state.end(), added.begin(), state.begin(), std::plus<>());
    }
    std::string digits;
    for (std::size_t i = 0; i < 64; ++i) {
        digits += "0123456789abcdef"[state[i / 8] >> (28 - i % 8 * 4) & 15];
    }
    return digits;
}

std::string describe(const Dataset& data) {
    const Index N = static_cast<Index>(data.offsets.size()) - 1;
    const Index T = data.offsets.back();
    const Index kind = data.prefixes ? 2 : data.o > 0 ? 1 : 0;
    const std::vector<std::string> names{"none", "per_sequence", "per_prefix"};
    std::vector<const Matrix*> matrices{&data.x, &data.phi, &data.gates, &data.s, &data.u};
    const bool keys = data.keys.rows + data.beta.rows > 0;
    if (keys) {
        matrices.insert(matrices.end(), {&data.keys, &data.beta});
    }
    const bool more = std::any_of(
        matrices.begin(), matrices.end(), [](const Matrix* matrix) { return matrix->rows > 0; });
    std::string bytes = keys   ? "attest-dataset-3\n"
                        : more ? "attest-dataset-2\n"
                               : "attest-dataset-1\n";
    const auto append = [&](const auto& values) {  // eight bytes each, little-endian (npz.cpp)
        bytes.append(reinterpret_cast<const char*>(values.data()), 8 * values.size());
    };
    append(std::vector<Index>{data.d, data.o, kind, N, T});
    append(data.offsets);
    append(std::vector<Index>{data.query.empty() ? 0 : 1});
    append(data.query);
    append(data.y);
    append(data.tokens);
    for (const Matrix* matrix : matrices) {
        if (more) {
            const Index columns =
                matrix->rows == 0 ? 0 : Index(matrix->values.size()) / matrix->rows;
            append(std::vector<Index>{matrix->rows, columns});
            append(matrix->values);
        }
    }
    std::ostringstream out;
    out << "dimension " << data.d << " outputs " << data.o << " labels " << names[kind]
        << " sequences " << N << " tokens " << T << " sha256 " << sha256(bytes);
    return out.str();
}
}  // namespace attest::checker
