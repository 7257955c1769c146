#include "report/page_frame.hpp"

#include "core/base/text.hpp"
#include "report/html_text.hpp"
#include "report/page_assets.hpp"

namespace attest::html {

namespace {

constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; )"
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";

}  // namespace

std::string page(std::string_view title, std::string_view body) {
    return formatted(
        "{}<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        kHead,
        text(title),
        assets::kStyle,
        body);
}

}  // namespace attest::html
