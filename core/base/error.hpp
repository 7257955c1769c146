#pragma once

#include "core/base/text.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace attest {

/// Root of every exception this project throws. `what()` is one line: "function: got …, expected
/// …".
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The caller's data are at fault: shape, range, parse. Programs exit with 4.
class InvalidInput : public Error {
public:
    using Error::Error;
};

/// A name that is in no table: task, claim, solver, option. Programs exit with 2.
class UnknownName : public Error {
public:
    using Error::Error;
};

/// The backend asked for is not built in, or cannot solve this kind of problem. Programs exit
/// with 5.
class NotAvailable : public Error {
public:
    using Error::Error;
};

/// The machine refuses: output not writable, disk full, memory estimate too large. Programs exit
/// with 5.
class EnvironmentFailure : public Error {
public:
    using Error::Error;
};

/// A mistake of ours. Programs exit with 70.
class BrokenInvariant : public Error {
public:
    using Error::Error;
};

/// Where a check stands in the source; stands in for std::source_location, which clang 14 lacks.
struct SourcePoint {
    const char* file;
    int line;

    [[nodiscard]] static constexpr SourcePoint current(const char* file = __builtin_FILE(),
                                                       int line = __builtin_LINE()) {
        return {below_root(file), line};
    }

private:
    /// The path from the top of the tree, as this header's own path shows where that is.
    [[nodiscard]] static constexpr const char* below_root(const char* path) {
        constexpr std::string_view kHere = __FILE__;
        constexpr std::string_view kRelative = "core/base/error.hpp";
        constexpr std::string_view kRoot = kHere.substr(0, kHere.size() - kRelative.size());
        return std::string_view(path).substr(0, kRoot.size()) == kRoot ? path + kRoot.size() : path;
    }
};

/// Throws InvalidInput(message) unless condition holds.
inline void require(bool condition, std::string_view message) {
    if (!condition) {
        throw InvalidInput(std::string(message));
    }
}

/// The same with a pattern, see formatted(), which is filled only when the condition fails.
template <class First, class... Rest>
void require(bool condition,
             Pattern<First, Rest...> pattern,
             const First& first,
             const Rest&... rest) {
    if (!condition) [[unlikely]] {
        throw InvalidInput(formatted(pattern, first, rest...));
    }
}

/// Throws BrokenInvariant naming the source line unless condition holds.
inline void ensure(bool condition,
                   std::string_view message,
                   SourcePoint where = SourcePoint::current()) {
    if (!condition) {
        throw BrokenInvariant(std::string(message) + " [" + where.file + ":" +
                              std::to_string(where.line) + "]");
    }
}

}  // namespace attest
