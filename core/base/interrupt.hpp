#pragma once

#include "core/base/error.hpp"
#include "core/base/stop_scope.hpp"

#include <string_view>

namespace attest {

/// Thrown where work stops because the user asked for it. Programs exit with 130.
class Interrupted : public Error {
public:
    using Error::Error;
};

/// From now on the first SIGINT or SIGTERM only raises the flag that `interrupted()` reads; a
/// second one of the same kind ends the process as it would by default. Throws EnvironmentFailure.
void install_interrupt_handlers();

/// Whether the user asked to stop. Cheap: long loops poll it, from any thread.
[[nodiscard]] bool interrupted() noexcept;

/// Throws Interrupted("what: interrupted") once the user asked to stop.
void throw_if_interrupted(std::string_view what);

/// What those signals ask to stop, for a StopScope around work that keeps nothing when it is
/// stopped.
[[nodiscard]] const StopToken& signal_token() noexcept;

/// Lowers the flag again, for a program that goes on with other work after an interrupt.
void clear_interrupt() noexcept;

}  // namespace attest
