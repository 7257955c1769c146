#include "programs/language/prompt_text.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/text.hpp"
#include "programs/language/program_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace attest {

namespace {

Token parse_token(const std::string& line, const Schema& schema) {
    std::vector<TokenEntry> entries;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        const auto [rows, coefficient] = parse_scaled_rows(word, schema);
        require(rows.size == 1, "got {}, expected one row, as {}[0]", in_quotes(word), rows.name);
        entries.push_back({rows.at(0), coefficient});
    }
    return make_token(std::move(entries));
}

void check_attributes(const Schema& schema, const Token& token, std::size_t number) {
    for (const Block& block : schema.blocks()) {
        std::vector<std::string> values;
        for (const TokenEntry& entry : token) {
            if (entry.row >= block.offset && entry.row < block.offset + block.size) {
                require(entry.value == 1,
                        "prompt: token {} holds {} {} times, expected once",
                        number,
                        schema.row_name(entry.row),
                        entry.value);
                values.push_back(schema.row_name(entry.row));
            }
        }
        require(values.size() <= 1,
                "prompt: token {} holds {} values of {}{}, expected one",
                number,
                values.size(),
                block.name,
                values.size() > 1 ? formatted(", {} and {}", values[0], values[1]) : "");
    }
}

/// The constant that "if" and literal keys are made of: S[one, one] must be 1.
void check_constant(const Schema& schema, const std::vector<Token>& prompt) {
    const auto one = std::find_if(schema.blocks().begin(),
                                  schema.blocks().end(),
                                  [](const Block& block) { return block.name == "one"; });
    if (one == schema.blocks().end()) {
        return;
    }
    require(value_at(prompt.front(), one->offset) == 1,
            "prompt: token 1 lacks `one`, which starts every prompt of this program");
    for (std::size_t i = 1; i < prompt.size(); ++i) {
        require(value_at(prompt[i], one->offset) == 0,
                "prompt: token {} holds `one`, expected it in token 1 only",
                i + 1);
    }
}

bool holds_any(const Token& token, const std::set<Index>& rows) {
    return std::any_of(token.begin(), token.end(), [&](const TokenEntry& entry) {
        return rows.contains(entry.row);
    });
}

void check_table(const ProgramHead& head, const Schema& schema, const std::vector<Token>& prompt) {
    std::set<Index> keys;
    std::set<Index> values;
    for (const MatrixTerm& term : head.Q) {
        keys.insert(term.to);
    }
    for (const MatrixTerm& term : head.V) {
        values.insert(term.from);
    }
    std::map<Index, std::size_t> holder;  // of each key, the token that gives it a value
    for (std::size_t i = 0; i < prompt.size(); ++i) {
        if (!holds_any(prompt[i], values)) {
            continue;
        }
        for (const TokenEntry& entry : prompt[i]) {
            if (!keys.contains(entry.row)) {
                continue;
            }
            const auto [found, fresh] = holder.emplace(entry.row, i);
            require(
                fresh,
                "prompt: tokens {} and {} both give a value to {} (head {}), expected one of them",
                found->second + 1,
                i + 1,
                schema.row_name(entry.row),
                head.name);
        }
    }
}

}  // namespace

std::vector<Token> parse_prompt(std::string_view text, const Schema& schema) {
    std::vector<Token> prompt;
    std::istringstream in{std::string(text)};
    std::string line;
    for (Index number = 1; std::getline(in, line); ++number) {
        const std::string content = line.substr(0, line.find('#'));
        if (content.find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        try {
            prompt.push_back(parse_token(content, schema));
        } catch (const InvalidInput& error) {
            throw InvalidInput(formatted("prompt: line {}: {}", number, error.what()));
        }
    }
    return prompt;
}

void check_prompt(const Program& program, const std::vector<Token>& prompt) {
    require(!prompt.empty(), "prompt: got no token, expected at least one");
    for (std::size_t i = 0; i < prompt.size(); ++i) {
        check_attributes(program.schema, prompt[i], i + 1);
    }
    check_constant(program.schema, prompt);
    for (const ProgramHead& head : program.heads) {
        check_table(head, program.schema, prompt);
    }
}

}  // namespace attest
