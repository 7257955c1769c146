#include "core/base/sha256.hpp"

#include "core/base/text.hpp"

// Nettle uses the processor's own instructions for SHA-256 where there are any.
#include <nettle/sha2.h>

#include <array>
#include <cstdint>

namespace attest {

struct Sha256::Context {
    sha256_ctx state;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    sha256_init(&context_->state);
}

Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::byte> bytes) {
    sha256_update(
        &context_->state, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::hex() const {
    sha256_ctx copy = context_->state;  // taking the digest starts a stream anew
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&copy, digest.size(), digest.data());
    std::string text;
    for (const std::uint8_t byte : digest) {
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

std::string sha256(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.hex();
}

}  // namespace attest
