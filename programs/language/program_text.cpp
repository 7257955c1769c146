#include "programs/language/program_text.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/text.hpp"

#include <charconv>
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

}  // namespace attest
