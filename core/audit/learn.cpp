#include "core/audit/learn.hpp"

#include "core/audit/model_of.hpp"
#include "core/base/error.hpp"
#include "core/features/model_coefficients.hpp"
#include "core/heads/scaled_coefficients.hpp"
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

}  // namespace attest
