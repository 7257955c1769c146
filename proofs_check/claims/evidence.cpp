#include "proofs_check/claims/evidence.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"

#include <array>
#include <utility>

namespace attest {

namespace {

constexpr Choices<Outcome, 6> kOutcomeNames{
    {{Outcome::holds, "holds"},
     {Outcome::holds_after_correction, "holds_after_correction"},
     {Outcome::false_as_printed, "false_as_printed"},
     {Outcome::vacuous, "vacuous"},
     {Outcome::inconclusive, "inconclusive"},
     {Outcome::skipped, "skipped"}}};

constexpr Choices<Form, 4> kFormNames{{{Form::printed, "printed"},
                                       {Form::tested, "tested"},
                                       {Form::hypothesis, "hypothesis"},
                                       {Form::control, "control"}}};

constexpr Choices<Verdict, 3> kVerdictNames{{{Verdict::holds, "holds"},
                                             {Verdict::violated, "violated"},
                                             {Verdict::inconclusive, "inconclusive"}}};

struct Tally {
    int holds = 0;
    int violated = 0;
    int inconclusive = 0;
};

using Tallies = std::array<Tally, 4>;

Tally& of(Tallies& tallies, Form form) {
    return tallies[static_cast<std::size_t>(form)];
}

Tallies count(const Evidence& evidence) {
    Tallies tallies{};
    for (const Finding& finding : evidence.findings()) {
        Tally& tally = of(tallies, finding.form);
        switch (finding.verdict) {
            case Verdict::holds:
                ++tally.holds;
                break;
            case Verdict::violated:
                ++tally.violated;
                break;
            case Verdict::inconclusive:
                ++tally.inconclusive;
                break;
        }
    }
    return tallies;
}

}  // namespace

std::string_view to_string(Outcome outcome) {
    return name_of(kOutcomeNames, outcome);
}

std::string_view to_string(Form form) {
    return name_of(kFormNames, form);
}

std::string_view to_string(Verdict verdict) {
    return name_of(kVerdictNames, verdict);
}

void Evidence::check(Form form,
                     bool condition,
                     const std::string& text,
                     const std::string& precision) {
    findings_.push_back({form, condition ? Verdict::holds : Verdict::violated, text, precision});
}

void Evidence::add(
    Form form, const Answer& answer, bool wanted, const std::string& precision, int test) {
    const Verdict verdict = answer.accepted == wanted ? Verdict::holds : Verdict::violated;
    findings_.push_back({form, verdict, answer.text, precision, test, answer.accepted});
}

bool Evidence::has_shared_control() const {
    for (const Finding& statement : findings_) {
        for (const Finding& other : findings_) {
            if (statement.form != Form::control && statement.test > 0 &&
                other.test == statement.test && other.accepted != statement.accepted) {
                return true;
            }
        }
    }
    return false;
}

void Evidence::undecided(Form form, const std::string& text, const std::string& precision) {
    findings_.push_back({form, Verdict::inconclusive, text, precision});
}

Outcome outcome_of(const Evidence& evidence) {
    Tallies tallies = count(evidence);
    const Tally printed = of(tallies, Form::printed);
    const Tally tested = of(tallies, Form::tested);
    const Tally hypothesis = of(tallies, Form::hypothesis);
    const Tally control = of(tallies, Form::control);
    const int open = printed.inconclusive + tested.inconclusive + hypothesis.inconclusive +
                     control.inconclusive + control.violated;
    if (open > 0) {
        return Outcome::inconclusive;
    }
    if (printed.violated > 0) {
        return tested.holds > 0 && tested.violated == 0 ? Outcome::holds_after_correction
                                                        : Outcome::false_as_printed;
    }
    if (tested.violated > 0) {
        return Outcome::false_as_printed;
    }
    if (hypothesis.violated > 0) {
        return Outcome::vacuous;
    }
    return printed.holds + tested.holds > 0 ? Outcome::holds : Outcome::inconclusive;
}

}  // namespace attest
