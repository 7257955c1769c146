#pragma once

#include "record/number_or_null.hpp"

#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace attest::cli {

/// What a command found, once: as a JSON object for programs and as aligned lines for people.
class Output {
public:
    /// A value that both see; the text defaults to the JSON value printed plainly.
    void add(const std::string& key, const nlohmann::ordered_json& value);
    void add(const std::string& key, const nlohmann::ordered_json& value, const std::string& text);
    /// A value for programs only.
    void add_json(const std::string& key, const nlohmann::ordered_json& value);
    /// A sentence for people only.
    void say(const std::string& sentence);

    /// One JSON object and a newline, or the lines.
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

using attest::number_or_null;

}  // namespace attest::cli
