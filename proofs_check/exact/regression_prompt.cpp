#include "proofs_check/exact/regression_prompt.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/layers/layer_features.hpp"
#include "proofs_check/exact/gaussian_mean.hpp"

namespace attest {

namespace {

const PolynomialArithmetic kPolynomials;

/// `constant` + M times as many fresh variables as M has columns.
std::vector<Polynomial> affine_image(const RationalVector& constant,
                                     const RationalMatrix& M,
                                     Index& used) {
    std::vector<Polynomial> image;
    for (Index i = 0; i < M.rows(); ++i) {
        Polynomial entry = kPolynomials.number(constant(i));
        for (Index j = 0; j < M.cols(); ++j) {
            entry =
                kPolynomials.add(entry,
                                 kPolynomials.multiply(kPolynomials.number(M(i, j)),
                                                       PolynomialArithmetic::variable(used + j)));
        }
        image.push_back(entry);
    }
    used += M.cols();
    return image;
}

Polynomial inner(const std::vector<Polynomial>& a, const std::vector<Polynomial>& b) {
    Polynomial sum = kPolynomials.zero();
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum = kPolynomials.add(sum, kPolynomials.multiply(a[i], b[i]));
    }
    return sum;
}

Polynomial noise_of(const Rational& deviation, Index& used) {
    return affine_image(RationalVector::Zero(1), RationalMatrix::Constant(1, 1, deviation), used)
        .front();
}

}  // namespace

RegressionLaw centred_law(Index n,
                          const RationalMatrix& X,
                          const RationalMatrix& W,
                          const Rational& noise) {
    return {n, X, W, RationalVector::Zero(X.rows()), noise};
}

RegressionLaw one_task(Index n, const RationalVector& w, const Rational& noise) {
    const Index d = w.size();
    return {n, RationalMatrix::Identity(d, d), RationalMatrix::Zero(d, d), w, noise};
}

Prompt prompt_of(const RegressionLaw& law) {
    Index used = 0;
    const RationalVector zero = RationalVector::Zero(law.d());
    const std::vector<Polynomial> w = affine_image(law.mean, law.W, used);
    Prompt prompt;
    prompt.query = affine_image(zero, law.X, used);
    prompt.label = inner(w, prompt.query);
    for (Index i = 0; i < law.n; ++i) {
        std::vector<Polynomial> token = affine_image(zero, law.X, used);
        token.push_back(kPolynomials.add(inner(w, token), noise_of(law.noise, used)));
        prompt.tokens.push_back(token);
    }
    return prompt;
}

std::vector<Polynomial> prompt_features(const Prompt& prompt, QueryToken query) {
    LayerSequence<Polynomial> example;
    for (const std::vector<Polynomial>& z : prompt.tokens) {
        example.tokens.push_back({z, {}, {}, {}});
    }
    if (query == QueryToken::counted) {
        example.tokens.push_back({prompt.query, {}, {}, {}});
        example.tokens.back().z.push_back(kPolynomials.zero());
    }
    example.asking = prompt.query;
    const auto d = static_cast<Index>(prompt.query.size());
    Layer layer;
    layer.cross = true;
    return layer_features(kPolynomials, layer, {.d = d + 1, .x = d}, example);
}

RationalVector head_coefficients(const RationalVector& v, const RationalMatrix& Q) {
    const Index rows = v.size();
    ensure(Q.rows() == rows, "head_coefficients: v and Q differ in their rows");
    RationalVector P = RationalVector::Zero(packed_dim(rows) * Q.cols());
    for (Index j = 0; j < rows; ++j) {
        for (Index k = 0; k < rows; ++k) {
            P.segment(pack_index(rows, j, k) * Q.cols(), Q.cols()) += v(j) * Q.row(k).transpose();
        }
    }
    return P;
}

Rational Population::risk(const RationalVector& P) const {
    return power - 2 * cross.dot(P) + P.dot(Lambda * P);
}

Rational Population::least_risk() const {
    const std::optional<RationalMatrix> P = rational_solve(Lambda, cross);
    ensure(P.has_value(), "least_risk: the normal equations have no solution");
    return risk(P->col(0));
}

Population Population::restricted_to(const std::vector<Index>& chosen) const {
    return {Lambda(chosen, chosen), cross(chosen), power};
}

Population population_of(const std::vector<Prompt>& prompts, QueryToken query) {
    const Rational weight(1, static_cast<Index>(prompts.size()));
    Population mean;
    for (const Prompt& prompt : prompts) {
        const std::vector<Polynomial> features = prompt_features(prompt, query);
        const auto psi = static_cast<Index>(features.size());
        if (mean.cross.size() == 0) {
            mean = {RationalMatrix::Zero(psi, psi), RationalVector::Zero(psi), 0};
        }
        mean.Lambda += weight * gaussian_second_moment(features);
        for (Index i = 0; i < psi; ++i) {
            mean.cross(i) += weight * gaussian_mean(kPolynomials.multiply(
                                          features[static_cast<std::size_t>(i)], prompt.label));
        }
        mean.power += weight * gaussian_mean(kPolynomials.multiply(prompt.label, prompt.label));
    }
    return mean;
}

Population population_of(const std::vector<RegressionLaw>& laws, QueryToken query) {
    std::vector<Prompt> prompts;
    prompts.reserve(laws.size());
    for (const RegressionLaw& law : laws) {
        prompts.push_back(prompt_of(law));
    }
    return population_of(prompts, query);
}

}  // namespace attest
