#pragma once

#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace attest::cli {

/// What a command found, once: as a JSON object for programs and as aligned lines for people.
class Report {
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

/// Four significant digits, for people.
[[nodiscard]] std::string brief(double value);

/// The double as JSON: a number, or null when it is not finite.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

}  // namespace attest::cli
