#include "proofs_check/claims/own_claims.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "proofs_check/claims/errata.hpp"
#include "proofs_check/claims/report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace attest {

namespace {

using Json = nlohmann::json;

/// The member of an enumeration by the name that to_string gives it.
template <class Enum, std::size_t N>
Enum named(const std::array<Enum, N>& values, std::string_view name, const std::string& where) {
    const auto* const found = std::find_if(
        values.begin(), values.end(), [&](Enum value) { return to_string(value) == name; });
    std::vector<std::string> known;
    known.reserve(values.size());
    for (const Enum value : values) {
        known.emplace_back(to_string(value));
    }
    require(found != values.end(), "{}", unknown_name_message(where, name, known));
    return *found;
}

constexpr std::array kMethods{
    Method::exact, Method::sampled, Method::property, Method::statistical};
constexpr std::array kExpected{
    Outcome::holds, Outcome::holds_after_correction, Outcome::false_as_printed, Outcome::vacuous};
constexpr std::array kSeverities{Severity::none,
                                 Severity::misprint,
                                 Severity::convention,
                                 Severity::missing_hypothesis,
                                 Severity::wrong_bound,
                                 Severity::refuted,
                                 Severity::not_reproduced,
                                 Severity::our_statement};
constexpr std::array kForms{Form::printed, Form::tested, Form::hypothesis, Form::control};

bool is_id(std::string_view id) {
    const std::size_t slash = id.find('/');
    const auto is_name = [](std::string_view name) {
        return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
            return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
        });
    };
    return slash != std::string_view::npos && is_name(id.substr(0, slash)) &&
           is_name(id.substr(slash + 1));
}

std::string_view group_of(std::string_view id) {
    return id.substr(0, id.find('/'));
}

/// A test that says nothing of its input leaves the finding open.
void add_finding(Evidence& evidence, const Json& said, const std::string& where) {
    const Form form = named(kForms, said.at("form").get<std::string>(), where + ": form");
    const std::string text = said.at("text").get<std::string>();
    const std::string precision = said.at("precision").get<std::string>();
    if (said.at("accepted").is_null()) {
        evidence.undecided(form, text, precision);
    } else {
        evidence.add(form,
                     {said.at("accepted").get<bool>(), text},
                     said.at("wanted").get<bool>(),
                     precision,
                     said.at("test").get<int>());
    }
}

bool speaks_of_statement(const Finding& finding) {
    return finding.form != Form::control;
}

/// What a check left open, or did not notice, is evidence too: the outcome is then inconclusive.
bool leaves_open(const Finding& finding) {
    return finding.verdict == Verdict::inconclusive ||
           (!speaks_of_statement(finding) && finding.verdict == Verdict::violated);
}

/// Whether some control runs a test of the statement, whichever way both came out.
bool has_control(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& control) {
        return !speaks_of_statement(control) &&
               std::any_of(findings.begin(), findings.end(), [&](const Finding& statement) {
                   return speaks_of_statement(statement) && statement.test == control.test;
               });
    });
}

/// An outcome that was documented needs a test that came out both ways. A claim that became false
/// has the control of the time when it held, and nothing may hide that it is refuted.
void require_control(const ClaimResult& result, const std::string& where) {
    const std::vector<Finding>& findings = result.evidence.findings();
    if (result.evidence.has_shared_control() || (result.differs() && has_control(findings)) ||
        std::any_of(findings.begin(), findings.end(), leaves_open)) {
        return;
    }
    const bool refuted = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return speaks_of_statement(finding) && finding.verdict == Verdict::violated;
    });
    throw InvalidInput(formatted(
        "{} has no control, so that nobody knows whether its check can {}; {}",
        where,
        refuted ? "pass" : "fail",
        refuted ? "run the test that refuted on an input that it accepts, by check.accepts"
                : "run its test on a planted fault, by check.control"));
}

class Reader {
public:
    explicit Reader(std::string_view file) : file_(file) {}

    void read(const Json& said) {
        const std::string id = said.at("id").get<std::string>();
        const std::string where =
            formatted("{}:{}: claim {}", file_, said.at("line").get<int>(), id);
        check_id(id, where);
        Claim claim;
        claim.id = kept(id);
        claim.paper = text(said, "paper");
        claim.place = text(said, "place");
        claim.printed = text(said, "printed");
        claim.tested = text(said, "tested");
        claim.deviation = text(said, "deviation");
        claim.method = named(kMethods, said.at("method").get<std::string>(), where + ": method");
        claim.documented =
            named(kExpected, said.at("documented").get<std::string>(), where + ": documented");
        claim.severity =
            named(kSeverities, said.at("severity").get<std::string>(), where + ": severity");
        claim.remark = text(said, "remark");
        claim.false_alarm = text(said, "false_alarm");
        claim.explain = text(said, "explain");
        claim.source = kept(file_);
        found_.claims.push_back(claim);
        found_.lines.push_back(said.at("line").get<Index>());
        if (said.contains("findings")) {
            ClaimResult result;
            result.claim = &found_.claims.back();
            for (const Json& finding : said.at("findings")) {
                add_finding(result.evidence, finding, where);
            }
            result.outcome = outcome_of(result.evidence);
            require_control(result, where);
            result.reason = said.at("stopped").get<std::string>();
            result.seconds = said.at("seconds").get<double>();
            found_.results.push_back(std::move(result));
        }
    }

    [[nodiscard]] OwnClaims take() { return std::move(found_); }

private:
    std::string_view kept(std::string value) {
        found_.texts.push_back(std::move(value));
        return found_.texts.back();
    }

    std::string_view text(const Json& said, const char* key) {
        return kept(said.at(key).get<std::string>());
    }

    void check_id(const std::string& id, const std::string& where) const {
        require(is_id(id),
                "{}: expected GROUP/NAME in small letters, digits and _, as \"mine/lemma_1\"",
                where);
        const auto ours = claims();
        require(
            std::none_of(ours.begin(),
                         ours.end(),
                         [&](const Claim& claim) { return group_of(claim.id) == group_of(id); }),
            "{}: ids that begin with {}/ are Attest's own; take another beginning",
            where,
            group_of(id));
        require(std::none_of(found_.claims.begin(),
                             found_.claims.end(),
                             [&](const Claim& claim) { return claim.id == id; }),
                "{}: another claim of the file has the same id",
                where);
    }

    std::string file_;
    OwnClaims found_;
};

bool is_refuted(const ClaimResult& result) {
    return result.outcome == Outcome::holds_after_correction ||
           result.outcome == Outcome::false_as_printed || result.outcome == Outcome::vacuous;
}

std::string own_entry(const ClaimResult& result) {
    const Claim& claim = *result.claim;
    const bool mended = result.outcome == Outcome::holds_after_correction;
    return erratum_entry(claim,
                         {{"in", std::string(claim.paper)},
                          {"outcome", words(result.outcome)},
                          {"kind", claim.severity == Severity::none ? "" : words(claim.severity)},
                          {"printed", std::string(claim.printed)},
                          {"found", refuting_finding(result)},
                          {"holds instead", mended ? std::string(claim.tested) : ""},
                          {"difference", std::string(claim.deviation)},
                          {"why", std::string(claim.explain)},
                          {"on the proof", std::string(claim.remark)}});
}

}  // namespace

std::string own_errata_markdown(const std::vector<ClaimResult>& results) {
    std::string errata;
    std::string remarks;
    std::string open;
    for (const ClaimResult& result : results) {
        const Claim& claim = *result.claim;
        if (is_refuted(result)) {
            errata += own_entry(result);
        } else if (!result.decided()) {
            open += formatted(
                "- {} ({}): {}\n", markdown_text(claim.place), claim.id, words(result.outcome));
        } else if (!claim.remark.empty()) {
            remarks +=
                formatted("- {}: {}\n", markdown_text(claim.place), markdown_text(claim.remark));
        }
    }
    const auto part = [](std::string_view title, const std::string& lines) {
        return lines.empty() ? "" : formatted("## {}\n\n{}\n", title, lines);
    };
    return "# Errata\n\nWhat the checks refute in the print, computed anew by the command beside "
           "each entry. Written by `attest verify --errata`.\n\n" +
           (errata.empty() ? "Nothing that was checked is refuted.\n\n" : errata) +
           part("Remarks where the statement stands", remarks) + part("Undecided", open);
}

OwnClaims read_own_claims(std::string_view json, std::string_view file) {
    Reader reader(file);
    try {
        const Json all = Json::parse(json);
        for (const Json& said : all.at("claims")) {
            reader.read(said);
        }
    } catch (const Json::exception& error) {
        throw InvalidInput(formatted(
            "{}: the runner of its claims printed no list of them (exception {}); is the package "
            "attest of Python of the same version?",
            file,
            error.id));
    }
    return reader.take();
}

}  // namespace attest
