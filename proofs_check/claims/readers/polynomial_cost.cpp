#include "core/algebra/residual_ratio.hpp"
#include "core/exact/dyadic.hpp"
#include "core/solve/cost_model.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <optional>
#include <set>
#include <sstream>

namespace attest::readers {

namespace {

/// The leading term c·d^degree of a polynomial in d; degree −1 for 0.
struct LeadingTerm {
    Index degree = -1;
    Rational coefficient = 0;

    friend bool operator==(const LeadingTerm&, const LeadingTerm&) = default;
};

/// Of the polynomial through values at d = 1, 2, …: the last difference that does not vanish is
/// c·degree!. No value unless at least two higher differences vanish.
std::optional<LeadingTerm> leading_term(std::vector<Rational> values) {
    LeadingTerm found;
    Rational factorial = 1;
    for (Index k = 0; !values.empty(); ++k) {
        factorial *= k == 0 ? 1 : k;
        if (std::any_of(values.begin(), values.end(), [](const Rational& v) { return v != 0; })) {
            found = {k, values.back() / factorial};
            if (values.size() < 3) {
                return std::nullopt;
            }
        }
        for (std::size_t i = 0; i + 1 < values.size(); ++i) {
            values[i] = values[i + 1] - values[i];
        }
        values.pop_back();
    }
    return found;
}

using Cost = SolveCost (*)(const SourceShape&);

/// Flops at o = d. The models' coefficients are multiples of 1/3, N a power of 2 and the flops
/// below 2^45 where there are thirds, so the nearest multiple of 1/3 is the value meant.
Rational flops(Cost cost, Index d, Index N) {
    const double computed = total(cost({.layout = d, .o = d, .num_examples = N}).flops);
    const Rational thirds = 3 * to_rational(computed) + Rational(1, 2);
    return {Integer(numerator(thirds) / denominator(thirds)), 3};
}

/// A cost a(d)·N + b(d), valid for N ≥ ψ, by the leading terms of a and b.
struct Law {
    LeadingTerm per_example;
    LeadingTerm rest;

    friend bool operator==(const Law&, const Law&) = default;
};

/// The law of a cost model; no value if it is not linear in N and a polynomial in d.
std::optional<Law> law_of(Cost cost) {
    // d up to 12 leaves two differences above the ninth; N exceeds psi(12) = 936 and d^4.
    constexpr Index kLargest = 12;
    constexpr Index kExamples = Index{1} << 20;
    std::vector<Rational> slopes;
    std::vector<Rational> rests;
    for (Index d = 1; d <= kLargest; ++d) {
        const Rational once = flops(cost, d, kExamples);
        const Rational twice = flops(cost, d, 2 * kExamples);
        if (flops(cost, d, 4 * kExamples) - twice != 2 * (twice - once)) {
            return std::nullopt;
        }
        slopes.emplace_back((twice - once) / kExamples);
        rests.emplace_back(2 * once - twice);
    }
    const std::optional<LeadingTerm> per_example = leading_term(slopes);
    const std::optional<LeadingTerm> rest = leading_term(rests);
    if (!per_example || !rest) {
        return std::nullopt;
    }
    return Law{*per_example, *rest};
}

std::string text(const LeadingTerm& term) {
    return term.degree < 0 ? "0" : formatted("{} d^{}", term.coefficient, term.degree);
}

struct SolverLaw {
    std::string_view name;
    Cost cost;
    Law law;
};

/// A fault: flops that double with every unit of d.
SolveCost doubling_cost(const SourceShape& shape) {
    SolveCost cost;
    cost.flops.gram64 =
        std::ldexp(static_cast<double>(shape.num_examples), static_cast<int>(shape.m()));
    return cost;
}

/// Accepted: the model is a polynomial with these leading terms.
Answer obeys(const SolverLaw& solver) {
    return {law_of(solver.cost) == solver.law,
            formatted("{}: flops a(d) N + b(d) for N >= psi and d outputs, polynomials with "
                      "leading terms {} and {}",
                      solver.name,
                      text(solver.law.per_example),
                      text(solver.law.rest))};
}

void check_solvers(Evidence& evidence) {
    const SolverLaw gram{"gram64", gram64_cost, {{6, Rational(1, 8)}, {9, Rational(1, 24)}}};
    const SharedTest law(evidence, obeys);
    law.check(Form::tested, gram);
    law.check(Form::tested,
              SolverLaw{"normal", normal_cost, {{6, Rational(1, 4)}, {9, Rational(1, 24)}}});
    law.check(Form::tested, SolverLaw{"tsqr", tsqr_cost, {{6, Rational(3, 4)}, {}}});
    law.check(Form::tested, SolverLaw{"literal", literal_cost, {{9, Rational(6)}, {}}});
    law.control(SolverLaw{"normal, by the law of gram64", normal_cost, gram.law});
    law.control(SolverLaw{"2^d N flops, by the law of gram64", doubling_cost, gram.law});
    // The coefficients of conjugate gradients follow from measured numbers of iterations.
    const std::optional<Law> iterative = law_of(kronecker_cost);
    evidence.check(Form::tested,
                   iterative && iterative->per_example.degree == 4 && iterative->rest.degree == 7,
                   "kron, with the iterations that Gaussian data took: degrees 4 and 7, terms " +
                       (iterative ? text(iterative->per_example) + " and " + text(iterative->rest)
                                  : std::string("not polynomial")) +
                       "; so N d^4, the printed time without n_max, is that of an iteration");
}

/// The Gram needs only its distinct entries: Σ S_p S_r z_l z_m depends on {p,r} and {l,m}.
void check_distinct(Evidence& evidence, const ClaimContext& context) {
    bool as_counted = true;
    std::string counts;
    for (Index d = 1; d <= context.pick(3, 4); ++d) {
        const RationalMatrix H =
            feature_rows(random_sequences(3, d, 3, 1000000, context.stream.child("gram").child(d)));
        const RationalMatrix G = H.transpose() * H;
        std::set<Rational> distinct;
        for (Index i = 0; i < G.size(); ++i) {
            distinct.insert(G(i % G.rows(), i / G.rows()));
        }
        const Index q = packed_dim(d);
        const auto count = static_cast<Index>(distinct.size());
        as_counted = as_counted && count == q * q * (q + 1) / 2;
        counts += formatted("{}{} of {}", d == 1 ? "" : ", ", count, G.rows() * (G.rows() + 1) / 2);
    }
    evidence.check(Form::tested,
                   as_counted,
                   "why gram64 takes d^6/8 flops an example where plain products take d^6/4: the "
                   "second moment has q^2(q+1)/2 distinct entries, q = d(d+1)/2, about psi^2/4; on "
                   "random data d = 1, 2, ... " +
                       counts,
                   kSampled);
}

std::string approximately(const Rational& value) {
    std::ostringstream out;
    out << std::scientific << std::setprecision(2) << value.convert_to<double>();
    return out.str();
}

/// The widths of BERT and GPT-3, at N = 2ψ.
void check_widths(Evidence& evidence) {
    for (const Index d : {Index{768}, Index{12288}}) {
        const Index N = 2 * feature_dim(d);
        const SourceShape shape{.layout = d, .o = d, .num_examples = N};
        const SolveCost dense = gram64_cost(shape);
        const Rational psi(feature_dim(d));
        const Rational exact = psi * psi * psi * 4 / 3;
        const Rational model = to_rational(dense.flops.gram64 + dense.flops.cholesky64);
        // Five roundings on the way to each of the two terms, one for their sum.
        const Rational rounding = exact * to_rational(gamma_bound(6));
        evidence.check(
            Form::tested,
            model - exact <= rounding && exact - model <= rounding,
            formatted(
                "d = {}: psi = {}; at N = 2 psi gram64 takes 4 psi^3/3 = {} flops for the second "
                "moment and its factor, and beside the data {} bytes; kron {} flops and beside the "
                "data {} bytes; the d outputs' coefficients alone are {} bytes",
                d,
                psi,
                approximately(exact),
                approximately(to_rational(dense.bytes)),
                approximately(to_rational(total(kronecker_cost(shape).flops))),
                approximately(to_rational(kronecker_cost(shape).bytes)),
                approximately(8 * psi * d)));
    }
}

Evidence test_polynomial_cost(const ClaimContext& context) {
    Evidence evidence;
    check_solvers(evidence);
    check_distinct(evidence, context);
    check_widths(evidence);
    return evidence;
}

}  // namespace

Claim polynomial_cost() {
    return {
        .id = "readers/polynomial_cost",
        .place = "a reader's question",
        .printed =
            "no statement, a question: polynomial of what degree, with what constants, and what "
            "does that mean at d = 768 and d = 12288?",
        .tested =
            "the solvers' cost models are polynomials: N d^6/8 + d^9/24 flops for the second "
            "moment and its factor, degrees 4 and 7 for conjugate gradients on "
            "well-conditioned data, 6 N d^9 for Algorithm 1 as printed, to leading order",
        .depends_on = "yau2024/theorem_2_2_running_time",
        .method = Method::exact,
        .explain =
            "A function of d is a polynomial of degree k on 1, ..., m if its differences beyond "
            "the k-th vanish. These are flops of the models by which auto chooses a solver; "
            "yau2024/theorem_2_2_running_time counts multiplications of running code, and the "
            "experiment scaling measures seconds.",
        .run = test_polynomial_cost,
    };
}

}  // namespace attest::readers
