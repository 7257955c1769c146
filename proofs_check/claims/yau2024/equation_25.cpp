#include "core/model/autoregressive.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

RationalMatrix appended(const RationalMatrix& Z, const RationalVector& y) {
    RationalMatrix longer(Z.rows(), Z.cols() + 1);
    longer << Z, y;
    return longer;
}

Evidence test_equation_25(const ClaimContext& context) {
    Evidence evidence;
    const Index models = context.pick(20, 200);
    Index plain = 0;
    Index rounded = 0;
    Index wrong = 0;
    const auto identity = [](const RationalVector& y) { return y; };
    const auto round = [](const RationalVector& y) { return round_one_hot<Rational>(y); };
    for (Index i = 0; i < models; ++i) {
        const Stream stream = context.stream.child(i);
        const Index d = 2 + i % 2;
        const RationalParameters theta = random_heads(d, d, 2, 1, stream.child("theta"));
        const RationalMatrix prompt = random_integers(d, 2, 1, stream.child("Z"));
        RationalMatrix Z = prompt;
        RationalMatrix R = prompt;
        for (Index t = 0; t < 3; ++t) {
            const RationalVector y = output(theta, Z);
            Z = appended(Z, y);
            const RationalVector next = output(theta, R);
            R = appended(R, round(next));
        }
        const RationalMatrix history = computation_history(theta, prompt, 3, identity);
        plain += history == Z ? 1 : 0;
        rounded += computation_history(theta, prompt, 3, round) == R ? 1 : 0;
        const RationalVector stale = output(theta, prompt);
        const RationalMatrix twice = appended(appended(prompt, stale), stale);
        wrong += history.leftCols(4) == twice ? 1 : 0;
    }
    // y^0 does not exist: the first step has nothing to append.
    const RationalMatrix start = RationalMatrix::Ones(1, 1);
    const RationalParameters one{1, 1, {{start, start}}};
    const RationalVector first = output(one, start);
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
    evidence.check(Form::tested,
                   plain == models && rounded == models,
                   formatted("three steps of Z <- [Z, y] with y = MHLA(Z) recomputed from "
                             "Definition 2.1 equal computation_history on {} of {} random integer "
                             "models; with rounding (Definition G.2) after each step on {}",
                             plain,
                             models,
                             rounded),
                   kSampled);
    evidence.check(Form::control,
                   wrong < models,
                   formatted("appending y^t in place of y^(t+1) agrees on {} of them", wrong),
                   kSampled);
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
