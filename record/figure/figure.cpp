#include "record/figure/figure.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "record/figure/gnuplot.hpp"
#include "record/figure/text.hpp"
#include "record/xml_text.hpp"

#include <string_view>
#include <utility>

namespace attest {

namespace {

// The text with `content` between the first `open` and the `close` after it.
std::string with_content(std::string text,
                         std::string_view open,
                         std::string_view close,
                         const std::string& content) {
    const std::size_t begin = text.find(open);
    ensure(begin != std::string::npos, "draw_svg: gnuplot's drawing has no " + std::string(open));
    const std::size_t from = begin + open.size();
    const std::size_t to = text.find(close, from);
    ensure(to != std::string::npos, "draw_svg: gnuplot's drawing has no " + std::string(close));
    return text.replace(from, to - from, content);
}

std::string with_replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace

std::string draw_svg(const Figure& figure) {
    std::string svg = run_gnuplot(figure_script(figure));
    const std::string& title = figure.title.empty() ? figure.panels.front().title : figure.title;
    svg = with_content(std::move(svg), "<title>", "</title>", xml_text(plain_text(title)));
    svg = with_content(std::move(svg), "<desc>", "</desc>", "Drawn by gnuplot from result rows");
    svg = with_replaced(std::move(svg), kAmpersand, "&amp;");
    svg = with_replaced(std::move(svg), kApostrophe, "'");
    // A reader's machine may lack Arial: name what looks alike.
    return with_replaced(
        std::move(svg),
        "font-family=\"Arial\"",
        "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\"");
}

void write_figure(const Figure& figure, const std::filesystem::path& path) {
    write_file_atomically(path.string(), draw_svg(figure));
}

}  // namespace attest
