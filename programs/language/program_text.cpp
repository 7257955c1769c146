#include "programs/language/program_text.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

namespace attest {

namespace {

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) {
        return "";
    }
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at == text.size() || text[at] == separator) {
            parts.push_back(trimmed(text.substr(from, at - from)));
            from = at + 1;
        }
    }
    return parts;
}

Index to_number(std::string_view text) {
    Index value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    require(error == std::errc() && end == text.data() + text.size(),
            "got {}, expected a whole number",
            in_quotes(text));
    return value;
}

/// "K", "K[2]" or "K[0..2]".
Block parse_rows(const std::string& text, const Schema& schema) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string::npos) {
        return schema.block(text);
    }
    require(text.back() == ']', "got {}, expected BLOCK[FIRST..LAST]", in_quotes(text));
    const Block& block = schema.block(trimmed(text.substr(0, bracket)));
    const std::string inside = text.substr(bracket + 1, text.size() - bracket - 2);
    const std::size_t dots = inside.find("..");
    const Index first = to_number(inside.substr(0, dots));
    const Index last = dots == std::string::npos ? first : to_number(inside.substr(dots + 2));
    require(first <= last, "got {}, expected first <= last", in_quotes(text));
    return block.part(first, last - first + 1);
}

std::vector<MatrixTerm> parse_term(const std::string& text, const Schema& schema) {
    const std::size_t arrow = text.find("<-");
    require(arrow != std::string::npos, "got {}, expected TO <- FROM", in_quotes(text));
    const Block to = parse_rows(trimmed(text.substr(0, arrow)), schema);
    const auto [from, coefficient] = parse_scaled_rows(text.substr(arrow + 2), schema);
    require(to.size == from.size || to.size == 1 || from.size == 1,
            "got {}, whose sides have {} and {} rows",
            in_quotes(text),
            to.size,
            from.size);
    std::vector<MatrixTerm> terms;
    for (Index i = 0; i < std::max(to.size, from.size); ++i) {
        terms.push_back(
            {to.at(to.size == 1 ? 0 : i), from.at(from.size == 1 ? 0 : i), coefficient});
    }
    return terms;
}

std::vector<MatrixTerm> parse_terms(const std::string& text, const Schema& schema) {
    std::vector<MatrixTerm> terms;
    for (const std::string& part : split(text, ',')) {
        for (const MatrixTerm& term : parse_term(part, schema)) {
            terms.push_back(term);
        }
    }
    return terms;
}

void parse_line(const std::string& line, Program& program) {
    std::istringstream words(line);
    std::string keyword;
    std::string name;
    words >> keyword;
    if (keyword == "head") {
        const std::size_t colon = line.find(':');
        require(colon != std::string::npos, "expected head NAME: V ; Q");
        const std::vector<std::string> halves = split(line.substr(colon + 1), ';');
        require(halves.size() == 2, "expected head NAME: V ; Q");
        program.heads.push_back({trimmed(line.substr(4, colon - 4)),
                                 parse_terms(halves[0], program.schema),
                                 parse_terms(halves[1], program.schema)});
        return;
    }
    std::string size;
    std::string rest;
    words >> name;
    if (keyword == "program") {
        require(!name.empty() && !(words >> rest), "expected program NAME");
        program.name = name;
    } else if (keyword == "block") {
        require(static_cast<bool>(words >> size) && !(words >> rest), "expected block NAME SIZE");
        constexpr Index kMostRows = 65536;
        const Index rows = to_number(size);
        require(rows <= kMostRows, "got a block of {} rows, expected at most {}", rows, kMostRows);
        (void)program.schema.add(name, rows);
    } else {
        throw InvalidInput(
            formatted("got {}, expected program, block or head", in_quotes(keyword)));
    }
}

std::string terms_text(const std::vector<MatrixTerm>& terms, const Schema& schema) {
    std::string text;
    for (const MatrixTerm& term : terms) {
        const std::string factor = term.coefficient == 1    ? ""
                                   : term.coefficient == -1 ? "-"
                                                            : formatted("{}*", term.coefficient);
        text += formatted("{}{} <- {}{}",
                          text.empty() ? "" : ", ",
                          schema.row_name(term.to),
                          factor,
                          schema.row_name(term.from));
    }
    return text;
}

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

ScaledRows parse_scaled_rows(std::string_view text, const Schema& schema) {
    std::string rows = trimmed(text);
    std::int64_t coefficient = 1;
    if (const std::size_t star = rows.find('*'); star != std::string::npos) {
        coefficient = to_number(trimmed(rows.substr(0, star)));
        rows = trimmed(rows.substr(star + 1));
    } else if (!rows.empty() && rows[0] == '-') {
        coefficient = -1;
        rows = trimmed(rows.substr(1));
    }
    return {parse_rows(rows, schema), coefficient};
}

Program parse_program(std::string_view text) {
    Program program;
    std::istringstream in{std::string(text)};
    std::string line;
    for (Index number = 1; std::getline(in, line); ++number) {
        const std::string content = trimmed(line.substr(0, line.find('#')));
        if (content.empty()) {
            continue;
        }
        try {
            parse_line(content, program);
        } catch (const InvalidInput& error) {
            throw InvalidInput(formatted("program: line {}: {}", number, error.what()));
        }
    }
    require(program.schema.dim() > 0, "program: there is no block");
    return program;
}

std::string program_text(const Program& program) {
    std::string text = formatted("program {}\n", program.name.empty() ? "unnamed" : program.name);
    for (const Block& block : program.schema.blocks()) {
        text += formatted("block {} {}\n", block.name, block.size);
    }
    for (const ProgramHead& head : program.heads) {
        text += formatted("head {}: {} ; {}\n",
                          head.name,
                          terms_text(head.V, program.schema),
                          terms_text(head.Q, program.schema));
    }
    return text;
}

std::string token_text(const Token& token, const Schema& schema) {
    std::string text;
    for (const TokenEntry& entry : token) {
        const std::string factor = entry.value == 1    ? ""
                                   : entry.value == -1 ? "-"
                                                       : formatted("{}*", entry.value);
        text += formatted("{}{}{}", text.empty() ? "" : " ", factor, schema.row_name(entry.row));
    }
    return text.empty() ? "0" : text;
}

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
