#include "bench/experiments/certificates/iid_certificate.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/moments/population.hpp"
#include "tasks/iid_entries.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace attest {

namespace {

struct Setting {
    std::string name;
    EntryLaw law;
    double p;
    Index d;
    Index n;
    Index repetition;
    std::uint64_t seed;

    [[nodiscard]] Stream stream() const {
        return Stream(seed).child("iid_certificate").child(name).child(repetition);
    }

    [[nodiscard]] IidEntriesOptions options() const {
        IidEntriesOptions options;
        options.d = d;
        options.n = {n, n};
        options.law = law;
        options.p = p;
        return options;
    }
};

struct Population {
    double lambda_min = 0.0;
    double rounding = 0.0;  ///< ψ·ε·λ_max, what the eigenvalue solver may be off; 0 if not used
    std::string exact;      ///< λ_min where a formula gives it
    double m2 = 0.0;
};

/// Lemma A.5 and its complement: 0 for a single token or constant squares; (n−1)m2³ for d ≥ 3,
/// mean 0 and m4 − m2² ≥ m2².
std::optional<Rational> exact_lambda_min(const EntryMoments& law, Index d, Index n) {
    if (d >= 2 && (n == 1 || law.kappa() == 0)) {
        return Rational(0);
    }
    if (d >= 3 && law.m[1] == 0 && law.kappa() >= law.m[2] * law.m[2]) {
        return Rational(Rational(n - 1) * law.m[2] * law.m[2] * law.m[2]);
    }
    return std::nullopt;
}

const Population& population_of(const Setting& setting) {
    static std::map<std::tuple<std::string, Index, Index>, Population> kept;
    const auto key = std::tuple(setting.name, setting.d, setting.n);
    if (const auto found = kept.find(key); found != kept.end()) {
        return found->second;
    }
    const EntryMoments law = moments_of(entry_law(setting.options()));
    const MatrixOf<Rational> exact = population_second_moment(law, setting.d, setting.n);
    const Matrix Lambda =
        exact.unaryExpr([](const Rational& entry) { return entry.convert_to<double>(); });
    const Vector values = symmetric_eigenvalues(Lambda);
    Population population;
    population.lambda_min = values(0);
    population.rounding = static_cast<double>(values.size()) *
                          std::numeric_limits<double>::epsilon() * values(values.size() - 1);
    if (const auto least = exact_lambda_min(law, setting.d, setting.n)) {
        const auto value = least->convert_to<double>();
        ensure(std::abs(values(0) - value) <= population.rounding,
               "iid_certificate: the formula for lambda_min and the eigenvalue differ");
        population.lambda_min = value;
        population.rounding = 0.0;
        population.exact = least->str();
    }
    population.m2 = law.m[2].convert_to<double>();
    return kept.emplace(key, population).first->second;
}

CaseOutcome measure(const Setting& setting, Index N) {
    const Population& population = population_of(setting);
    const Dataset data = materialise(*iid_entries(setting.options(), setting.stream()), 0, N, 1);
    const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(DatasetSource(data)));
    const ExactRank rank = certify_rank(data);
    CaseOutcome outcome;
    // The solver's bound, squared: what is below it is rounding.
    const double resolution = spectrum.threshold * spectrum.threshold;
    outcome.metrics["lambda_min"] = {spectrum.lambda_min, resolution};
    outcome.metrics["population"] = {
        population.lambda_min, population.rounding, "", population.exact};
    outcome.metrics["m2_cubed"] = {population.m2 * population.m2 * population.m2};
    outcome.metrics["rank"] = {static_cast<double>(rank.rank_lower),
                               0.0,
                               "",
                               rank.rank_is_exact() ? std::to_string(rank.rank_lower) : ""};
    outcome.metrics["rank_upper"] = {static_cast<double>(rank.rank_upper)};
    outcome.metrics["psi"] = {static_cast<double>(rank.psi)};
    if (population.lambda_min > population.rounding) {
        const double ratio = spectrum.lambda_min / population.lambda_min;
        outcome.metrics["ratio"] = {ratio};
        outcome.metrics["shortfall"] = {1.0 - ratio};
    }
    return outcome;
}

Case certificate_case(const Setting& setting, Index multiple) {
    const Index N = multiple * feature_dim(setting.d);
    CaseKey key;
    key.task = "iid_entries";
    key.parameters = {{"law", setting.name},
                      {"d", std::int64_t{setting.d}},
                      {"n", std::int64_t{setting.n}},
                      {"n_over_psi", std::int64_t{multiple}},
                      {"num_examples", std::int64_t{N}}};
    key.learner = "certificate";
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [=] { return measure(setting, N); }};
}

struct Law {
    std::string_view name;
    EntryLaw law;
    double p;
};

constexpr std::array kLaws{Law{"gaussian", EntryLaw::gaussian, 0.5},
                           Law{"uniform", EntryLaw::uniform, 0.5},
                           Law{"laplace", EntryLaw::laplace, 0.5},
                           Law{"three_point", EntryLaw::three_point, 0.5},
                           Law{"bernoulli", EntryLaw::bernoulli, 0.25},
                           Law{"rademacher", EntryLaw::rademacher, 0.5}};

void add_cases(Experiment& experiment, const Law& law, Index d) {
    const bool quick = experiment.profile == Profile::quick;
    std::vector<Index> multiples{1, 4, 16, 64, 256};
    if (!quick) {
        multiples.push_back(1024);
    }
    for (const Index n : {1, 2, 8}) {
        for (Index repetition = 0; repetition < (quick ? 5 : 10); ++repetition) {
            for (const Index multiple : multiples) {
                experiment.cases.push_back(certificate_case(
                    {std::string(law.name), law.law, law.p, d, n, repetition, experiment.seed},
                    multiple));
            }
        }
    }
}

}  // namespace

Experiment make_iid_certificate(Profile profile, std::uint64_t seed) {
    Experiment experiment{"iid_certificate", profile, seed};
    for (const Law& law : kLaws) {
        if (profile == Profile::quick) {
            add_cases(experiment, law, 3);
            continue;
        }
        for (const Index d : {2, 3, 4}) {
            add_cases(experiment, law, d);
        }
    }
    return experiment;
}

}  // namespace attest
