#include "core/questions/learn.hpp"

#include "core/base/error.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/explicit_heads.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "core/solve/solvers.hpp"

#include <utility>

namespace attest {

ReadingAs reading_for(const LearnRequest& request) {
    const bool all = request.solver == "grouped" || request.solver == "reference";
    return all ? ReadingAs::whole : ReadingAs::parts;
}

Learned learn(const FactoredSource& data,
              const LearnRequest& request,
              const HeadObserver& observer) {
    const SourceShape shape = data.source().shape();
    Learned found;
    found.fit = fit_least_squares(data.source(), request.solver, request.solve);
    if (found.fit.status == SolveStatus::refused) {
        throw NotAvailable(
            formatted("solver {} refuses: {}; try --solver svd", found.fit.solver, found.fit.note));
    }
    if (request.heads.choice == HeadChoice::svd) {
        found.model = model_of(data.source(), found.fit.P);
    } else {
        require(is_linear(data.source()),
                "learn: fewer heads than Algorithm 1's are sought for the layer linear only; leave "
                "--heads out");
        const auto [P, exponent] = scaled_coefficients(found.fit.P);
        found.reduction = reduce_heads(head_target(P, data, request.solve),
                                       request.heads,
                                       Stream(request.seed).child("heads"),
                                       observer);
        Parameters& heads = found.reduction->heads;
        heads = times_power(std::move(heads), exponent);
        found.model = {shape.m(), shape.o, coefficients(heads), heads, ""};
    }
    found.risk = empirical_risk(found.model.P, data.source());
    return found;
}

bool is_linear(const MomentSource& source) {
    const SequenceSource* const data = source.sequences();
    return data == nullptr || data->shape().layer.is_linear();
}

Model model_of(const MomentSource& source, const Matrix& P) {
    if (is_linear(source)) {
        const Index d = source.shape().m();
        return {d, P.cols(), P, split_heads(P, d).heads, ""};
    }
    const SequenceShape data = source.sequences()->shape();
    Model model{data.d, P.cols(), P, {data.d, P.cols(), {}}, "", data.layer};
    model.input = data.input;
    if (has_heads(data.layer)) {
        model.layer_heads = split_layer(P, data.layer, model.input);
    }
    return model;
}

Index num_heads(const Model& model) {
    return model.layer.is_linear() ? model.heads.num_heads() : std::ssize(model.layer_heads.heads);
}

namespace {

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

BestModel best_model(const Dataset& data, const LeastRisk& found) {
    require(found.verdict != LabelConsistency::undecided, "best_model: the risk is undecided");
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

}  // namespace attest
