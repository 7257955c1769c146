#include "core/rng/stream.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

__extension__ using Uint128 = unsigned __int128;

/// What a hashed word is: keeps child(3) apart from a child whose name has the same bytes.
enum class Step : std::uint32_t { seed = 1, index = 2, text = 3, text_end = 4 };

PhiloxKey halves(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32U)};
}

/// One step of a Davies–Meyer chain: E_word(id ⊕ step) ⊕ id, with Philox as the cipher.
PhiloxCounter absorb(const PhiloxCounter& id, std::uint64_t word, Step step) {
    PhiloxCounter input = id;
    input[3] ^= static_cast<std::uint32_t>(step);
    PhiloxCounter mixed = philox(input, halves(word));
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        mixed[i] ^= id[i];
    }
    return mixed;
}

/// Up to eight bytes, the first the least significant.
std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8U * i);
    }
    return word;
}

}  // namespace

Stream::Stream(std::uint64_t seed)
    : id_(absorb(PhiloxCounter{}, seed, Step::seed)), path_(std::to_string(seed)) {}

Stream Stream::child(std::string_view name) const {
    // Every sequence of a task draws from children: the message is made only when it is needed.
    if (name.empty() || name.find_first_of("/[") != std::string_view::npos) {
        throw InvalidInput(formatted(
            "stream: got the name '{}', expected characters other than '/' and '['", name));
    }
    PhiloxCounter id = id_;
    for (std::size_t at = 0; at < name.size(); at += 8) {
        id = absorb(id, little_endian(name.substr(at, 8)), Step::text);
    }
    return {absorb(id, name.size(), Step::text_end), path_ + '/' + std::string(name)};
}

Stream Stream::child(Index index) const {
    return {absorb(id_, static_cast<std::uint64_t>(index), Step::index),
            path_ + '[' + std::to_string(index) + ']'};
}

std::array<std::uint64_t, 2> Stream::block(std::uint64_t b) const {
    const PhiloxKey low = halves(b);
    const PhiloxCounter out = philox({low[0], low[1], id_[2], id_[3]}, {id_[0], id_[1]});
    return {out[0] | static_cast<std::uint64_t>(out[1]) << 32U,
            out[2] | static_cast<std::uint64_t>(out[3]) << 32U};
}

std::uint64_t Stream::at(Index k) const {
    if (k < 0) {
        throw InvalidInput(formatted("stream: got word {}, expected at least 0", k));
    }
    const auto word = static_cast<std::uint64_t>(k);
    return block(word / 2)[word % 2];
}

std::uint64_t Draws::word() {
    if (position_ % 2 == 0) {
        words_ = stream_.block(position_ / 2);
    }
    return words_[position_++ % 2];
}

std::uint64_t Draws::below(std::uint64_t n) {
    require(n >= 1, "below: got n = 0, expected at least 1");
    // Of the 2⁶⁴ words, the 2⁶⁴ mod n with the smallest low product are refused; the rest fill
    // every value evenly.
    const std::uint64_t refused = (0 - n) % n;
    Uint128 product = 0;
    do {
        product = static_cast<Uint128>(word()) * n;
    } while (static_cast<std::uint64_t>(product) < refused);
    return static_cast<std::uint64_t>(product >> 64U);
}

}  // namespace attest
