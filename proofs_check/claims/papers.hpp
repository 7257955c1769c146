#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attest {

/// A paper or code whose statements are checked, and what of it was read.
struct Paper {
    std::string_view paper;  ///< as Claim::paper has it
    std::string_view title;  ///< with authors
    std::string_view read;   ///< version and date of the text that the claims were held against
    std::string_view
        unread;  ///< versions that were not read, and what is known of them; may be empty
};

/// Every paper that a claim names, each once.
[[nodiscard]] std::span<const Paper> papers();

/// A statement that the first paper makes in one version and not, or otherwise, in another.
struct VersionDifference {
    std::string_view first;        ///< what the first arXiv versions say
    std::string_view proceedings;  ///< what the text of the proceedings says
    std::string_view claims;       ///< ids that speak of it, separated by spaces
};

/// Those that can be told from what was read of both: the two abstracts and openings.
[[nodiscard]] std::span<const VersionDifference> version_differences();

/// A misprint that was reported here once and is none.
struct WithdrawnFinding {
    std::string_view place;   ///< "(7)"
    std::string_view was;     ///< what was reported
    std::string_view reason;  ///< why it is withdrawn
};

[[nodiscard]] std::span<const WithdrawnFinding> withdrawn_findings();

/// The text that shows what the claim says is printed: "the proceedings, both text copies".
/// Empty for claims of other papers than the first and for statements of this project.
[[nodiscard]] std::string read_in(std::string_view claim);

}  // namespace attest
