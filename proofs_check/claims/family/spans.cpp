#include "proofs_check/claims/family/spans.hpp"

#include "core/certify/rank/structural_rank.hpp"
#include "core/layers/formal_input.hpp"
#include "core/layers/parse_layer.hpp"
#include "proofs_check/exact/coefficient_matrix.hpp"
#include "proofs_check/exact/gaussian_mean.hpp"

namespace attest::family {

namespace {

std::vector<Polynomial> polynomials(const Layer& layer, const LayerInput& sizes, Index n) {
    return layer_features(
        PolynomialArithmetic(), layer, sizes, formal_input(layer, sizes, n, n - 1));
}

}  // namespace

SpanDimension span_dimension(const std::string& layer,
                             const LayerInput& sizes,
                             const std::vector<Index>& lengths) {
    const Layer named = layer_named(layer);
    std::vector<InputKind> kinds;
    std::vector<std::vector<Polynomial>> inputs;
    for (const Index n : lengths) {
        kinds.push_back({n, n - 1});
        inputs.push_back(polynomials(named, sizes, n));
    }
    const StructuralRank found = structural_rank(named, sizes, kinds).value();
    return {found.psi, found.rank, found.is_exact, rational_rank(coefficient_matrix(inputs))};
}

RationalMatrix gaussian_lambda(const std::string& layer, const LayerInput& sizes, Index n) {
    return gaussian_second_moment(polynomials(layer_named(layer), sizes, n));
}

bool is_least_eigenvalue(const RationalMatrix& Lambda, const Rational& c) {
    const Definiteness above =
        definiteness(Lambda - c * RationalMatrix::Identity(Lambda.rows(), Lambda.cols()));
    return above.semidefinite && above.rank < Lambda.rows();
}

}  // namespace attest::family
