#include "bench/experiments/memory/fig2_exact_rank.hpp"

#include "core/certify/exact_rank.hpp"
#include "tasks/associative_memory.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest {

namespace {

/// The least common denominator of a rational matrix.
Integer common_denominator(const MatrixOf<Rational>& Z) {
    Integer result = 1;
    for (Index k = 0; k < Z.size(); ++k) {
        result = lcm(result, Integer(denominator(Z.data()[k])));
    }
    return result;
}

/// Unitary sequences first, then Gaussian ones, all exact in double: a unitary Z is multiplied by
/// its common denominator, which multiplies H(Z) by the cube and leaves every rank as it is.
Dataset exact_dataset(Index d, Index num_unitary, Index num_gaussian, std::uint64_t seed) {
    AssociativeMemoryOptions options;
    options.d = d;
    options.orthogonal = OrthogonalKind::cayley;
    options.num_gaussian = num_gaussian;
    const AssociativeMemory task(options, Stream(seed).child("fig2").child("exact"));
    const Index n = d + 1;
    Dataset data;
    Matrix tokens(2 * d, n * (num_unitary + num_gaussian));
    data.offsets.push_back(0);
    for (Index i = 0; i < num_unitary + num_gaussian; ++i) {
        // The task's Gaussian sequences come first; here the unitary ones do.
        const Index drawn = i < num_unitary ? num_gaussian + i : i - num_unitary;
        const MatrixOf<Rational> Z = task.draw_exact(drawn);
        const MatrixOf<Rational> integral = Z * Rational(common_denominator(Z));
        for (Index k = 0; k < integral.size(); ++k) {
            const auto entry = integral.data()[k].convert_to<double>();
            ensure(Rational(entry) == integral.data()[k], "fig2: a scaled entry is not a double");
            tokens.data()[i * Z.size() + k] = entry;
        }
        data.offsets.push_back((i + 1) * n);
    }
    data.tokens = std::move(tokens);
    return data;
}

/// Lower bound: pivots of the whole set modulo a prime. Upper bound: the unitary part's, proved by
/// null vectors that annihilate every unitary example over Z, plus one for every Gaussian example.
CaseOutcome prove_rank(Index d, Index num_gaussian, std::uint64_t seed) {
    const Index psi = feature_dim(2 * d);
    const Index num_unitary = psi + 20;
    const Dataset all = exact_dataset(d, num_unitary, num_gaussian, seed);
    const Index upper =
        std::min(psi, certify_rank(subset(all, 0, num_unitary)).rank_upper + num_gaussian);
    const Index lower = certify_rank(all, {NullVectors::none, {}}).rank_lower;
    CaseOutcome outcome;
    const auto exact = [&](const char* name, Index value) {
        outcome.metrics[name] = {static_cast<double>(value), 0.0, "", std::to_string(value)};
    };
    exact("d", d);
    exact("psi", psi);
    exact("num_unitary", num_unitary);
    exact("num_gaussian", num_gaussian);
    exact("rank", lower);
    exact("nullity", psi - lower);
    exact("proved", lower == upper ? 1 : 0);
    return outcome;
}

}  // namespace

std::vector<Case> fig2_exact_rank_cases(std::uint64_t seed) {
    std::vector<Case> cases;
    for (const Index d : {2, 3, 4}) {
        const Index nullity = 2 * d * (d * d - 1) / 3;
        for (const Index num_gaussian : std::array<Index, 4>{0, 1, nullity - 1, nullity}) {
            CaseKey key;
            key.task = "associative_memory";
            key.parameters = {{"d", std::int64_t{d}},
                              {"num_gaussian", std::int64_t{num_gaussian}},
                              {"orthogonal", std::string("cayley")}};
            key.learner = "exact_rank";
            key.seed = seed;
            key.stream = Stream(seed).child("fig2").child("exact").path();
            key.precision = "exact";
            cases.push_back({key, [=] { return prove_rank(d, num_gaussian, seed); }});
        }
    }
    return cases;
}

}  // namespace attest
