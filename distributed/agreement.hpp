#pragma once

#include "core/base/error.hpp"
#include "distributed/communicator.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace attest {

/// What went wrong on the rank that all speak for, by who is at fault; the largest wins.
enum class FailureKind : std::uint8_t {
    none,
    unavailable,  ///< NotAvailable
    environment,  ///< EnvironmentFailure, out of memory
    usage,        ///< UnknownName
    input,        ///< InvalidInput
    internal,     ///< anything else
};

/// A failure that every rank throws at the same place, so that each may return; other exceptions
/// leave the others waiting and must end in Communicator::abort.
class AgreedFailure : public Error {
public:
    AgreedFailure(FailureKind kind, const std::string& message) : Error(message), kind_(kind) {}

    [[nodiscard]] FailureKind kind() const { return kind_; }

private:
    FailureKind kind_;
};

/// Runs a phase that makes no collective call, then agrees: when it threw on any rank, all throw
/// AgreedFailure with the message of one of them, which names the rank.
void together(const Communicator& ranks, const std::function<void()>& phase);

/// Throws AgreedFailure unless all ranks have the same text; collective. `what` says what it is.
void require_same(const Communicator& ranks, std::string_view what, const std::string& text);

}  // namespace attest
