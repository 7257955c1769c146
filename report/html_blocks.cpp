#include "report/html_blocks.hpp"

#include "core/base/text.hpp"
#include "report/html_text.hpp"

namespace attest::html {

std::string table(const std::vector<std::string>& headings, const std::vector<Cells>& rows) {
    std::string made =
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>";
    if (!headings.empty()) {
        made += "<thead><tr>";
        for (const std::string& heading : headings) {
            made += formatted("<th scope=\"col\">{}</th>", text(heading));
        }
        made += "</tr></thead>";
    }
    made += "<tbody>\n";
    for (const Cells& row : rows) {
        made += "<tr>";
        for (const std::string& cell : row) {
            made += formatted("<td>{}</td>", cell);
        }
        made += "</tr>\n";
    }
    return made + "</tbody></table></div>\n";
}

std::string section(std::string_view id, std::string_view title, std::string_view content) {
    return formatted(
        "<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", html::id(id), text(title), content);
}

std::string paragraph(std::string_view plain) {
    return formatted("<p>{}</p>\n", text(plain));
}

}  // namespace attest::html
