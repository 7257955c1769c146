#include "cli/option_values.hpp"

#include "core/base/text.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace attest::cli {

namespace {

template <class Number>
CLI::Validator within(Number lowest,
                      Number highest,
                      const std::string& expected,
                      const std::string& range) {
    return CLI::Validator(
        [=](const std::string& text) {
            const auto value = parse_number<Number>(text);
            const bool taken = value && *value >= lowest && *value <= highest;  // no for nan
            return taken ? std::string()
                         : formatted("got {}, expected {}", in_quotes(text), expected);
        },
        range);
}

}  // namespace

CLI::Validator integer_within(Index lowest, Index highest) {
    return within(lowest,
                  highest,
                  formatted("an integer from {} to {}", lowest, highest),
                  formatted("{}..{}", lowest, highest));
}

CLI::Validator seed_number() {
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
    return within(std::uint64_t{0}, kLast, formatted("an integer from 0 to {}", kLast), "0..");
}

CLI::Validator number_within(double lowest, double highest) {
    return within(lowest,
                  highest,
                  formatted("a number from {} to {}", round_trip(lowest), round_trip(highest)),
                  formatted("{}..{}", round_trip(lowest), round_trip(highest)));
}

CLI::Validator number_from_zero() {
    return within(0.0, std::numeric_limits<double>::max(), "a finite number from 0", "0..");
}

CLI::Validator number_above_zero() {
    return within(std::numeric_limits<double>::denorm_min(),
                  std::numeric_limits<double>::max(),
                  "a finite number above 0",
                  "above 0");
}

}  // namespace attest::cli
