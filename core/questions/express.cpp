#include "core/questions/express.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/dyadic.hpp"
#include "core/heads/explicit_heads.hpp"

namespace attest {

Decision decision(LabelConsistency verdict) {
    return verdict == LabelConsistency::consistent     ? Decision::yes
           : verdict == LabelConsistency::inconsistent ? Decision::no
                                                       : Decision::undecided;
}

namespace {

std::string in_words(const Layer& layer, LabelConsistency verdict) {
    const std::string models = has_heads(layer) ? "heads, however many," : "coefficients";
    switch (verdict) {
        case LabelConsistency::consistent:
            return formatted("yes: some {} give every label exactly (proved)", models);
        case LabelConsistency::inconsistent:
            return formatted("no: no {} give every label (proved)", models);
        case LabelConsistency::undecided:
            return "undecided";
    }
    return "";
}

std::string with_value(const Rational& value) {
    const std::string text = fraction_text(value);
    const std::string digits = brief(value.convert_to<double>());
    return text == digits ? text : formatted("{} = {}", text.size() > 60 ? "about" : text, digits);
}

/// Doubles of rational matrices, and whether every one is the number itself.
class Rounding {
public:
    [[nodiscard]] Matrix operator()(const MatrixOf<Rational>& A) {
        Matrix rounded(A.rows(), A.cols());
        for (Index i = 0; i < A.rows(); ++i) {
            for (Index j = 0; j < A.cols(); ++j) {
                rounded(i, j) = A(i, j).convert_to<double>();
                is_exact_ = is_exact_ && to_rational(rounded(i, j)) == A(i, j);
            }
        }
        return rounded;
    }

    [[nodiscard]] bool is_exact() const { return is_exact_; }

private:
    bool is_exact_ = true;
};

Integer common_denominator(const MatrixOf<Rational>& P) {
    Integer common = 1;
    for (Index i = 0; i < P.rows(); ++i) {
        for (Index a = 0; a < P.cols(); ++a) {
            common = lcm(common, Integer(denominator(P(i, a))));
        }
    }
    return common;
}

}  // namespace

std::string expressible_word(LabelConsistency verdict) {
    return verdict == LabelConsistency::consistent     ? "expressible"
           : verdict == LabelConsistency::inconsistent ? "inexpressible"
                                                       : "undecided";
}

std::string fraction_text(const Rational& value) {
    return value.str();
}

std::string risk_text(const LeastRisk& found) {
    return found.verdict == LabelConsistency::undecided ? "undecided" : fraction_text(found.risk);
}

void describe(Output& output, const Layer& layer, const LeastRisk& found) {
    output.add("expressible", expressible_word(found.verdict), in_words(layer, found.verdict));
    if (found.verdict == LabelConsistency::undecided) {
        output.add("least_risk", nullptr, "undecided: " + found.reason);
        output.add_json("least_risk_value", nullptr);
    } else {
        output.add("least_risk",
                   fraction_text(found.risk),
                   with_value(found.risk) + ", the mean squared error of the best model (exact)");
        output.add_json("least_risk_value", number_or_null(found.risk.convert_to<double>()));
    }
    output.add("power",
               fraction_text(found.power),
               with_value(found.power) + ", that of the model that is always 0");
}

BestModel best_model(const Dataset& data, const LeastRisk& found) {
    require(found.verdict != LabelConsistency::undecided,
            "the best model is undecided: {}",
            found.reason);
    require(found.P.rows() > 0,
            "the best model has {} x {} coefficients, more than are kept",
            data.layout().psi(),
            data.o());
    Rounding rounded;
    BestModel best;
    best.denominator = common_denominator(found.P);
    best.model.d = data.d();
    best.model.o = data.o();
    best.model.P = rounded(found.P);
    best.model.heads = {data.d(), data.o(), {}};
    if (data.layer.is_linear()) {
        for (const HeadOf<Rational>& head : unit_value_heads(found.P, data.d()).heads) {
            best.model.heads.heads.push_back({rounded(head.V), rounded(head.Q)});
        }
    } else {
        best.model.layer = data.layer;
        best.model.input = data.layer_input();
    }
    best.is_exact = rounded.is_exact();
    return best;
}

void describe(Output& output, const BestModel& best) {
    output.add(
        "denominator", best.denominator.str(), best.denominator.str() + " of all coefficients");
    output.add("model_is_exact",
               best.is_exact,
               best.is_exact ? "yes: its doubles are the exact coefficients"
                             : "no: its doubles are the nearest ones to fractions");
}

}  // namespace attest
