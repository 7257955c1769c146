#include "bench/sweep/toml_table.hpp"

#include "core/base/error.hpp"
#include "core/base/nearest_name.hpp"
#include "core/base/text.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <utility>

namespace attest {

/// A table lives in the file that was parsed, which all tables of it share.
struct TomlTable::Contents {
    std::shared_ptr<const toml::table> file;
    const toml::table* table;
    std::string place;
    std::string name;  ///< "[learn] ", nothing for the file itself
};

namespace {

/// The word of a value; none for a list, a table, a date, or a number that is not finite.
std::optional<std::string> word_of(const toml::node& node) {
    if (const auto* const text = node.as_string(); text != nullptr) {
        return text->get();
    }
    if (const auto* const whole = node.as_integer(); whole != nullptr) {
        return std::to_string(whole->get());
    }
    if (const auto* const number = node.as_floating_point(); number != nullptr) {
        return std::isfinite(number->get()) ? std::optional(round_trip(number->get()))
                                            : std::nullopt;
    }
    if (const auto* const flag = node.as_boolean(); flag != nullptr) {
        return flag->get() ? "true" : "false";
    }
    return std::nullopt;
}

}  // namespace

TomlTable::TomlTable(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

TomlTable TomlTable::parse(std::string_view text, const std::string& place) {
    try {
        auto file = std::make_shared<const toml::table>(toml::parse(text));
        const toml::table* const whole = file.get();
        return TomlTable(
            std::make_shared<const Contents>(Contents{std::move(file), whole, place, ""}));
    } catch (const toml::parse_error& error) {
        throw InvalidInput(formatted(
            "{}:{}: {}", place, error.source().begin.line, std::string(error.description())));
    }
}

std::string TomlTable::where(const std::string& key) const {
    const toml::node* const node = contents_->table->get(key);
    const toml::source_region& region =
        node != nullptr ? node->source() : contents_->table->source();
    return formatted("{}:{}: {}{}", contents_->place, region.begin.line, contents_->name, key);
}

void TomlTable::know(const std::vector<std::string>& keys) const {
    for (const std::string& key : this->keys()) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
            throw UnknownName(unknown_name_message(where(key), key, keys));
        }
    }
}

std::vector<std::string> TomlTable::keys() const {
    std::vector<std::pair<toml::source_position, std::string>> found;
    for (const auto& [key, node] : *contents_->table) {
        found.emplace_back(key.source().begin, std::string(key.str()));
    }
    std::sort(
        found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (auto& [position, name] : found) {
        names.push_back(std::move(name));
    }
    return names;
}

std::vector<std::string> TomlTable::words(const std::string& key) const {
    const toml::node* const node = contents_->table->get(key);
    expect(node != nullptr, key, "a value; it is missing");
    std::vector<std::string> found;
    const auto add = [&](const toml::node& one) {
        const std::optional<std::string> word = word_of(one);
        expect(word.has_value(), key, "a text, a finite number, true or false, or a list of them");
        found.push_back(*word);
    };
    if (const toml::array* const list = node->as_array(); list != nullptr) {
        for (const toml::node& one : *list) {
            add(one);
        }
        expect(!found.empty(), key, "at least one value");
    } else {
        add(*node);
    }
    return found;
}

std::vector<std::string> TomlTable::words(const std::string& key,
                                          std::vector<std::string> otherwise) const {
    return contents_->table->contains(key) ? words(key) : std::move(otherwise);
}

std::string TomlTable::word(const std::string& key) const {
    expect(!is_list(key), key, "one value, not a list");
    return words(key).front();
}

std::string TomlTable::word(const std::string& key, std::string otherwise) const {
    return contents_->table->contains(key) ? word(key) : std::move(otherwise);
}

bool TomlTable::is_list(const std::string& key) const {
    const toml::node* const node = contents_->table->get(key);
    return node != nullptr && node->is_array();
}

TomlTable TomlTable::table(const std::string& key) const {
    std::optional<TomlTable> found = find_table(key);
    expect(found.has_value(), "[" + key + "]", "a table; it is missing");
    return *std::move(found);
}

std::optional<TomlTable> TomlTable::find_table(const std::string& key) const {
    const toml::node* const node = contents_->table->get(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    expect(node->is_table(), key, "a table, [" + key + "]");
    return TomlTable(std::make_shared<const Contents>(
        Contents{contents_->file, node->as_table(), contents_->place, "[" + key + "] "}));
}

void TomlTable::expect(bool fulfilled, const std::string& key, std::string_view expected) const {
    if (!fulfilled) {
        throw InvalidInput(formatted("{}: expected {}", where(key), expected));
    }
}

void TomlTable::among(const std::string& key,
                      const std::vector<std::string>& words,
                      const std::vector<std::string>& known) const {
    for (const std::string& word : words) {
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            throw UnknownName(unknown_name_message(where(key), word, known));
        }
    }
}

}  // namespace attest
