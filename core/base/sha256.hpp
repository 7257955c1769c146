#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace attest {

/// SHA-256 of a byte stream, FIPS 180-4 §6.2. The digest does not depend on how the bytes were cut
/// up.
class Sha256 {
public:
    void update(std::span<const std::byte> bytes);

    /// The digest of all bytes so far, 64 lower-case hex digits. The stream may go on afterwards.
    [[nodiscard]] std::string hex() const;

private:
    static constexpr std::size_t kBlock = 64;

    void absorb(const std::byte* block);
    void finish();

    std::array<std::uint32_t, 8> state_{0x6a09e667U,
                                        0xbb67ae85U,
                                        0x3c6ef372U,
                                        0xa54ff53aU,
                                        0x510e527fU,
                                        0x9b05688cU,
                                        0x1f83d9abU,
                                        0x5be0cd19U};
    std::array<std::byte, kBlock> pending_{};  ///< the first `filled_` bytes wait for a full block
    std::size_t filled_ = 0;
    std::uint64_t length_ = 0;  ///< bytes so far
};

/// SHA-256 of one buffer, 64 lower-case hex digits.
[[nodiscard]] std::string sha256(std::span<const std::byte> bytes);

}  // namespace attest
