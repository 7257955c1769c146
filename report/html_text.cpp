#include "report/html_text.hpp"

#include "core/base/text.hpp"
#include "record/json_text.hpp"
#include "record/xml_text.hpp"

#include <nlohmann/json.hpp>

#include <cctype>

namespace attest::html {

namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace

std::string text(std::string_view plain) {
    return xml_text(plain);
}

std::string lines(std::string_view plain) {
    std::string made;
    while (!plain.empty()) {
        const std::size_t end = plain.find('\n');
        made += text(plain.substr(0, end)) + "\n";
        plain.remove_prefix(end == std::string_view::npos ? plain.size() : end + 1);
    }
    return made;
}

std::string breakable(std::string_view name) {
    return replaced(replaced(text(name), "/", "/<wbr>"), "_", "_<wbr>");
}

std::string id(std::string_view name) {
    std::string made;
    for (const char letter : name) {
        made += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
    }
    return made;
}

std::string code(std::string_view plain) {
    return "<code>" + text(plain) + "</code>";
}

std::string command(std::string_view words) {
    return formatted("{}{}</code><button type=\"button\" class=\"copy\">Copy</button></div>\n",
                     R"(<div class="command"><code>)",
                     text(words));
}

std::string data_block(std::string_view element_id, const nlohmann::ordered_json& value) {
    return formatted("{}{}{}{}</script>\n",
                     R"(<script type="application/json" id=")",
                     id(element_id),
                     R"(">)",
                     replaced(json_text(value), "<", "\\u003c"));
}

std::string inline_svg(std::string_view svg, std::string_view prefix) {
    const std::size_t begin = svg.find("<svg");
    std::string element(begin == std::string_view::npos ? "" : svg.substr(begin));
    const std::string mark = id(prefix) + "-";
    for (const char* quote : {"'", R"(")"}) {
        element = replaced(element, formatted(" id={}", quote), formatted(" id={}{}", quote, mark));
        element =
            replaced(element, formatted("href={}#", quote), formatted("href={}#{}", quote, mark));
    }
    element = replaced(element, "url(#", "url(#" + mark);
    constexpr std::string_view kOwnName = "<title>gnuplot_plot";
    for (std::size_t at = element.find(kOwnName); at != std::string::npos;
         at = element.find(kOwnName)) {
        const std::size_t end = element.find("</title>", at);
        element.erase(at, end == std::string::npos ? end : end + 8 - at);
    }
    return replaced(element, "<svg", R"(<svg role="img")");
}

}  // namespace attest::html
