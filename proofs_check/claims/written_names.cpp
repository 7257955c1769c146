#include "proofs_check/claims/written_names.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace attest {

namespace {

/// Words in small letters and numbers, one after the other: "Corollaries A.4" gives corollary,
/// a, 4.
using Parts = std::vector<std::string>;

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string singular(std::string word) {
    if (word.size() > 4 && word.ends_with("ies")) {
        return word.substr(0, word.size() - 3) + "y";
    }
    if (word.size() > 3 && word.ends_with("s")) {
        word.pop_back();
    }
    return word;
}

Parts parts_of(std::string_view text) {
    Parts parts;
    char before = ' ';
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
            before = ' ';
            continue;
        }
        if (before == ' ' || is_digit(before) != is_digit(c)) {
            parts.emplace_back();
        }
        parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        before = c;
    }
    std::transform(parts.begin(), parts.end(), parts.begin(), singular);
    return parts;
}

/// A number, or the single letter of an appendix.
bool is_numeral(const std::string& part) {
    return is_digit(part.front()) || part.size() == 1;
}

/// Whether the parts stand in `text` one after the other, as a whole number: 2.3 is not in 2.3.1.
bool contains(const Parts& text, const Parts& wanted) {
    for (auto at = text.begin(); at != text.end(); ++at) {
        at = std::search(at, text.end(), wanted.begin(), wanted.end());
        if (at == text.end()) {
            return false;
        }
        const auto end = at + std::ssize(wanted);
        const bool goes_on = end != text.end() && is_digit(end->front());
        const bool went_before =
            at != text.begin() && is_numeral(wanted.front()) && is_numeral(*(at - 1));
        if (!goes_on && !went_before) {
            return true;
        }
    }
    return false;
}

std::string_view name_in(const Claim& claim) {
    return claim.id.substr(claim.id.find('/') + 1);
}

}  // namespace

std::vector<const Claim*> claims_about(std::string_view written,
                                       const std::vector<const Claim*>& claims) {
    std::string_view paper;
    if (const std::size_t slash = written.find('/'); slash != std::string_view::npos) {
        paper = written.substr(0, slash);
        written.remove_prefix(slash + 1);
    }
    const Parts wanted = parts_of(written);
    std::vector<const Claim*> found;
    if (std::none_of(wanted.begin(), wanted.end(), [](const std::string& part) {
            return is_digit(part.front());
        })) {
        return found;
    }
    std::copy_if(claims.begin(), claims.end(), std::back_inserter(found), [&](const Claim* claim) {
        const bool of_paper = paper.empty() || claim->id.substr(0, claim->id.find('/')) == paper;
        return of_paper && (contains(parts_of(claim->place), wanted) ||
                            contains(parts_of(name_in(*claim)), wanted));
    });
    return found;
}

}  // namespace attest
