#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// A table of a TOML file whose values are words: texts, numbers, true or false, or lists of these,
/// each as the command line would take it. Every error names the file and the line.
class TomlTable {
public:
    /// The whole file. Throws InvalidInput on what is no TOML.
    [[nodiscard]] static TomlTable parse(std::string_view text, const std::string& place);

    /// Throws UnknownName when there is another key than these.
    void know(const std::vector<std::string>& keys) const;

    /// In the order of the file.
    [[nodiscard]] std::vector<std::string> keys() const;

    /// The values of a key, one or a list, at least one. Throws InvalidInput when it is missing.
    [[nodiscard]] std::vector<std::string> words(const std::string& key) const;
    [[nodiscard]] std::vector<std::string> words(const std::string& key,
                                                 std::vector<std::string> otherwise) const;

    /// The only value of a key. Throws InvalidInput when it is a list or missing.
    [[nodiscard]] std::string word(const std::string& key) const;
    [[nodiscard]] std::string word(const std::string& key, std::string otherwise) const;

    [[nodiscard]] bool is_list(const std::string& key) const;

    /// The table of that key. Throws InvalidInput when it is none or, the first, missing.
    [[nodiscard]] TomlTable table(const std::string& key) const;
    [[nodiscard]] std::optional<TomlTable> find_table(const std::string& key) const;

    /// Throws InvalidInput("PLACE:LINE: key: expected …") unless `fulfilled`.
    void expect(bool fulfilled, const std::string& key, std::string_view expected) const;

    /// Throws UnknownName unless every word is one of those known.
    void among(const std::string& key,
               const std::vector<std::string>& words,
               const std::vector<std::string>& known) const;

private:
    struct Contents;

    explicit TomlTable(std::shared_ptr<const Contents> contents);

    /// "sweep.toml:12: [learn] ridge"
    [[nodiscard]] std::string where(const std::string& key) const;

    std::shared_ptr<const Contents> contents_;
};

}  // namespace attest
