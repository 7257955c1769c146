#include "core/model/autoregressive.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <cstdint>

namespace attest::yau2024 {

namespace {

RationalMatrix appended(const RationalMatrix& Z, const RationalVector& y) {
    RationalMatrix longer(Z.rows(), Z.cols() + 1);
    longer << Z, y;
    return longer;
}

/// Which output step t appends: y^(t+1), or y^t with y^1 for the missing y^0.
enum class Appended : std::uint8_t { next, last };

/// Accepted: three steps recomputed from Definition 2.1, with rounding after each and without, give
/// computation_history for every model.
Answer is_the_history(Appended which, Index models, const Stream& of_models) {
    Index plain = 0;
    Index rounded = 0;
    const auto identity = [](const RationalVector& y) { return y; };
    const auto round = [](const RationalVector& y) { return round_one_hot<Rational>(y); };
    for (Index i = 0; i < models; ++i) {
        const Stream stream = of_models.child(i);
        const Index d = 2 + i % 2;
        const RationalParameters theta = random_heads(d, d, 2, 1, stream.child("theta"));
        const RationalMatrix prompt = random_integers(d, 2, 1, stream.child("Z"));
        const auto recomputed = [&](const auto& rounding) {
            RationalMatrix Z = prompt;
            RationalVector last = rounding(output(theta, Z));
            for (Index t = 0; t < 3; ++t) {
                const RationalVector next = rounding(output(theta, Z));
                Z = appended(Z, which == Appended::next ? next : last);
                last = next;
            }
            return Z;
        };
        plain += computation_history(theta, prompt, 3, identity) == recomputed(identity) ? 1 : 0;
        rounded += computation_history(theta, prompt, 3, round) == recomputed(round) ? 1 : 0;
    }
    return {plain == models && rounded == models,
            formatted("three steps of Z <- [Z, {}] with y^(t+1) = MHLA(Z^t) recomputed from "
                      "Definition 2.1 equal computation_history on {} of {} random integer "
                      "models; with rounding (Definition G.2) after each step on {}",
                      which == Appended::next ? "y^(t+1)" : "y^t",
                      plain,
                      models,
                      rounded)};
}

Evidence test_equation_25(const ClaimContext& context) {
    Evidence evidence;
    // y^0 does not exist: the first step has nothing to append.
    const RationalMatrix start = RationalMatrix::Ones(1, 1);
    const RationalParameters one{1, 1, {{start, start}}};
    const RationalVector first = output(one, start);
    const auto identity = [](const RationalVector& y) { return y; };
    const SharedTest appends(evidence, [&](Index superscript) -> Answer {
        const bool defined = superscript >= 1;
        return {
            defined && computation_history(one, start, 1, identity).cols() == 2,
            formatted("t = 0, d = 1, Z^0 = [1]: the only output is y^1 = {}; Z^1 = Z^0 with y^{} "
                      "appended is {}",
                      first(0),
                      superscript,
                      defined ? "defined" : "undefined, there is no y^0")};
    });
    appends.check(Form::printed, Index{0});
    appends.check(Form::tested, Index{1});
    const SharedTest history(evidence, is_the_history, kSampled);
    const Index models = context.pick(20, 200);
    history.check(Form::tested, Appended::next, models, context.stream);
    history.control(Appended::last, models, context.stream);
    return evidence;
}

}  // namespace

Claim equation_25() {
    return {
        .id = "yau2024/equation_25",
        .place = "Equation 25, Definitions C.1 and C.2",
        .printed = "y^(t+1) = MHLA(Z^t), Z^(t+1) = Z^t with y^t appended, from t = 0 on",
        .tested = "y^(t+1) = MHLA(Z^t), Z^(t+1) = Z^t with y^(t+1) appended",
        .deviation = "the superscript: y^0 is not defined",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain = "A definition; what is checked is that the code's moment updates follow it.",
        .run = test_equation_25,
    };
}

}  // namespace attest::yau2024
