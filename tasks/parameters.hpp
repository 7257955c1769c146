#pragma once

#include "core/base/choice.hpp"
#include "core/base/shape.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// One parameter of a task, as help texts list it.
struct TaskParameter {
    std::string name;
    std::string default_value;
    std::string description;
};

/// Bounds of what make_task accepts, so that a slip of the keyboard does not ask for a terabyte.
inline constexpr Index kLargestDimension = 256;
inline constexpr Index kMostHeads = 65536;

/// Sequence lengths, drawn uniformly between both ends.
struct LengthRange {
    Index shortest = 1;
    Index longest = 1;
};

/// "16", or "4..32" when the ends differ.
[[nodiscard]] std::string to_string(const LengthRange& range);

/// Reads parameter values by name; what is not given has its default.
class ParameterReader {
public:
    /// Throws UnknownName if a given name is not among `known`.
    ParameterReader(std::string task,
                    std::vector<TaskParameter> known,
                    std::map<std::string, std::string> given);

    [[nodiscard]] const std::string& text(const std::string& name) const;
    /// Throws InvalidInput unless the value is an integer within lowest … highest.
    [[nodiscard]] Index integer(const std::string& name, Index lowest, Index highest) const;
    /// Throws InvalidInput unless the value is a finite number within lowest … highest.
    [[nodiscard]] double real(const std::string& name, double lowest, double highest) const;
    /// "n" or "n..m", 1 ≤ n ≤ m ≤ 2²⁴. Throws InvalidInput otherwise.
    [[nodiscard]] LengthRange lengths(const std::string& name) const;

    /// The choice of that name. Throws UnknownName listing the names.
    template <class Enum, std::size_t N>
    [[nodiscard]] Enum choice(const std::string& name, const Choices<Enum, N>& choices) const {
        return choice_named(where(name), text(name), choices);
    }

private:
    /// "task random-linear-attention: n", the start of every message.
    [[nodiscard]] std::string where(const std::string& name) const;

    std::string task_;
    std::vector<TaskParameter> known_;
    std::map<std::string, std::string> given_;
};

}  // namespace attest
