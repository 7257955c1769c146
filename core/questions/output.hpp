#pragma once

#include "core/base/json_text.hpp"

#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace attest {

/// What was found, said once: as a JSON object for programs and as aligned lines for people.
class Output {
public:
    /// A value that both see; the text defaults to the JSON value printed plainly.
    void add(const std::string& key, const nlohmann::ordered_json& value);
    void add(const std::string& key, const nlohmann::ordered_json& value, const std::string& text);
    /// A value for programs only.
    void add_json(const std::string& key, const nlohmann::ordered_json& value);
    /// A sentence for people only.
    void say(const std::string& sentence);

    /// One object, with null for numbers that are not finite.
    [[nodiscard]] nlohmann::ordered_json json() const;
    /// The lines, each ended.
    [[nodiscard]] std::string text() const;

    /// That object and a newline, or the lines.
    void print(std::ostream& out, bool json) const;

private:
    struct Line {
        std::string label;
        std::string text;
    };

    nlohmann::ordered_json object_ = nlohmann::ordered_json::object();
    std::vector<Line> lines_;
};

/// One JSON value and a newline, with null for numbers that are not finite and U+FFFD for bytes
/// that are not UTF-8: text may be what a user chose.
void print_json(std::ostream& out, const nlohmann::ordered_json& value);

/// Four significant digits, for people.
[[nodiscard]] std::string brief(double value);

/// value·2^exponent: a result that may lie outside the range of doubles.
struct ScaledNumber {
    double value = 0.0;
    int exponent = 0;
};

/// Four digits, and the power of two where a double does not hold the number.
[[nodiscard]] std::string brief(const ScaledNumber& number);

/// The double, or null where none holds the number.
[[nodiscard]] nlohmann::ordered_json number_or_null(const ScaledNumber& number);

}  // namespace attest
