#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace attest {

/// SHA-256 of a byte stream, FIPS 180-4. The digest does not depend on how the bytes were cut up.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    Sha256(Sha256&&) = delete;
    Sha256& operator=(Sha256&&) = delete;

    void update(std::span<const std::byte> bytes);

    /// The digest of all bytes so far, 64 lower-case hex digits. The stream may go on afterwards.
    [[nodiscard]] std::string hex() const;

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

/// SHA-256 of one buffer, 64 lower-case hex digits.
[[nodiscard]] std::string sha256(std::span<const std::byte> bytes);

}  // namespace attest
