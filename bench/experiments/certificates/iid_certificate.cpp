#include "bench/experiments/certificates/iid_certificate_report.hpp"
#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/moments/population.hpp"
#include "tasks/iid_entries.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace attest {

// Lemma A.5 of arXiv 2410.10101: independent entries with m4 > m2² give λ_min(Λ) > 0. The smallest
// eigenvalue of samples beside the population's, for six laws of the entries.
//
// Expected outcome: for n = 1 and for signs 0 at every N, proved over the rationals; otherwise
// λ_min(Λ_D) is positive from N = ψ on, too small at first, and within O(N^(−1/2)) of the
// population's, which is (n−1)m2³ where d ≥ 3, the mean is 0 and m4 − m2² ≥ m2².

namespace {

/// The distribution of the sequences.
struct IidLaw {
    std::string name;
    EntryLaw law;
    double p;
    Index d;
    Index n;

    friend bool operator==(const IidLaw&, const IidLaw&) = default;

    [[nodiscard]] IidEntriesOptions options() const {
        IidEntriesOptions options;
        options.d = d;
        options.n = {n, n};
        options.law = law;
        options.p = p;
        return options;
    }
};

struct IidSetting {
    IidLaw law;
    Index repetition;
    std::uint64_t seed;

    [[nodiscard]] Stream stream() const {
        return Stream(seed).child("iid_certificate").child(law.name).child(repetition);
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

Population population_of(const IidLaw& setting) {
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
    return population;
}

using Populations = LastProblem<IidLaw, Population>;

CaseOutcome measure(const IidSetting& setting, Index N, Populations& populations) {
    const auto kept = populations.of(setting.law);
    const Population& population = *kept;
    const Dataset data =
        materialise(*iid_entries(setting.law.options(), setting.stream()), 0, N, 1);
    const NumericalSpectrum spectrum = numerical_spectrum(triangular_factor(DatasetSource(data)));
    const ExactRank rank = certify_rank(data);
    CaseOutcome outcome;
    outcome.metrics["lambda_min"] = {spectrum.lambda_min, spectrum.lambda_min_bound()};
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

Case certificate_case(const IidSetting& setting,
                      Index multiple,
                      const std::shared_ptr<Populations>& populations) {
    const Index N = multiple * feature_dim(setting.law.d);
    CaseKey key;
    key.task = "iid_entries";
    key.parameters = {{"law", setting.law.name},
                      {"d", std::int64_t{setting.law.d}},
                      {"n", std::int64_t{setting.law.n}},
                      {"n_over_psi", std::int64_t{multiple}},
                      {"num_examples", std::int64_t{N}}};
    key.learner = "certificate";
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [=] { return measure(setting, N, *populations); }};
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

void add_law(Experiment& experiment,
             const Law& law,
             Index d,
             const std::shared_ptr<Populations>& populations) {
    const bool quick = experiment.profile == Profile::quick;
    std::vector<Index> multiples{1, 4, 16, 64, 256};
    if (!quick) {
        multiples.push_back(1024);
    }
    for (const Index n : {1, 2, 8}) {
        for (Index repetition = 0; repetition < (quick ? 5 : 10); ++repetition) {
            for (const Index multiple : multiples) {
                const IidLaw of{std::string(law.name), law.law, law.p, d, n};
                experiment.cases.push_back(
                    certificate_case({of, repetition, experiment.seed}, multiple, populations));
            }
        }
    }
}

Experiment make_iid_certificate(Profile profile, std::uint64_t seed) {
    Experiment experiment{"iid_certificate", profile, seed};
    const auto populations = std::make_shared<Populations>(population_of);
    for (const Law& law : kLaws) {
        if (profile == Profile::quick) {
            add_law(experiment, law, 3, populations);
            continue;
        }
        for (const Index d : {2, 3, 4}) {
            add_law(experiment, law, d, populations);
        }
    }
    return experiment;
}

}  // namespace

ExperimentEntry iid_certificate() {
    return {.id = "iid_certificate",
            .summary = "Lemma A.5: the smallest eigenvalue of samples beside the population's",
            .quick_seconds = 3.0,
            .full_seconds = 170.0,
            .make = make_iid_certificate,
            .text = iid_certificate_text,
            .derive_numbered = iid_certificate_derived};
}

}  // namespace attest
