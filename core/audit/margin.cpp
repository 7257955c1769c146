#include "core/audit/margin.hpp"

#include "core/certify/row_scale.hpp"

namespace attest {

namespace {

// What λ_min may cost beside the proof, in multiplications N ψ².
constexpr double kSpectrumWork = 1e10;
constexpr double kEnclosureWork = 1e7;

}  // namespace

std::optional<Margin> margin_where_cheap(const FactoredSource& data, const ExactRank& rank) {
    const SourceShape shape = data.source().shape();
    const auto psi = static_cast<double>(shape.psi());
    const double work = static_cast<double>(shape.num_examples) * psi * psi;
    if (work > kSpectrumWork) {
        return std::nullopt;
    }
    Margin margin{data.spectrum(), std::nullopt};
    const bool dyadic = odd_base(data.sequences().shape().layer) == 1;  // what an enclosure needs
    if (rank.verdict == RankVerdict::full_rank && work <= kEnclosureWork && dyadic) {
        margin.enclosure = enclose_lambda_min(exact_second_moment(data.sequences()));
    }
    return margin;
}

}  // namespace attest
