#include "core/questions/probe.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/questions/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

Probe probe(const ProbeRequest& request) {
    const auto is_size = [](Index size) { return size >= 1 && size <= kLargestProbed; };
    require(is_size(request.d),
            "probe: got d = {}, expected a number from 1 to {}",
            request.d,
            kLargestProbed);
    const Layer& layer = request.layer;
    if (request.width != 0 && !layer.cross) {
        throw UnknownName(
            formatted("probe: got a width, which belongs to the layer cross, for the layer {}",
                      to_string(layer)));
    }
    const Index width = request.width != 0 ? request.width : request.d;
    require(is_size(width),
            "probe: got a width of {}, expected a number from 1 to {}",
            width,
            kLargestProbed);
    if (request.noise) {
        require_noise(*request.noise);
    }
    Probe found;
    found.d = request.d;
    found.design =
        probe_design(layer,
                     request.d,
                     width,
                     request.noise ? DivisorsOfDesign::leave_out : DivisorsOfDesign::find);
    if (request.noise) {
        ProbeDesign& design = found.design;
        const double variance = *request.noise * *request.noise;
        QuieterQueries quieter =
            quieter_queries(design.queries,
                            layer.is_linear() ? two_token_candidates(request.d)
                                              : probe_candidates(layer, request.d, width));
        found.noise = {variance * quieter.before, variance * quieter.factor, quieter.exchanged};
        design.queries = std::move(quieter.queries);
    }
    return found;
}

double probe_seconds(const ProbeRequest& request) {
    const Layer& layer = request.layer;
    if (layer.gates != GateForm::none || layer.form == TokenForm::mapped ||
        layer.form == TokenForm::supplied) {
        return 0.0;  // refused
    }
    if (request.noise) {
        return 0.0;  // seconds at most, refused beyond
    }
    LayerInput input;
    input.d = request.d;
    input.x = !layer.cross ? 0 : request.width > 0 ? request.width : request.d;
    const auto psi = static_cast<double>(layout_of(layer, input).psi());
    // The paper's layer falls into d blocks: measured 3.4 s of 2176 features and 19 s of 4200. On a
    // machine 1.25 times as fast, with two decays 1.6 s of 252 and 19 s of 392, with decay and bias
    // 3.2 s of 258.
    return layer.is_linear() ? 4e-10 * psi * psi * psi : 40.0 * std::pow(psi / 392.0, 5.5);
}

namespace {

/// "1 of all 40", or what they are: "1 (38 times), 2, 4".
std::string in_words(const std::vector<Integer>& divisors) {
    std::string text;
    for (auto first = divisors.begin(); first != divisors.end();) {
        const auto next = std::upper_bound(first, divisors.end(), *first);
        text += (text.empty() ? "" : ", ") + first->str();
        text += next - first > 1 ? formatted(" ({} times)", next - first) : "";
        first = next;
    }
    return text;
}

void show_divisors(Output& output, const ProbeDesign& design) {
    if (design.divisors.empty()) {
        output.add(
            "elementary_divisors", nullptr, "not computed: too many features, or numbers too long");
        return;
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Integer& divisor : design.divisors) {
        list.push_back(divisor.str());
    }
    const bool unimodular = design.divisors.back() == 1;
    output.add_json("elementary_divisors", list);
    output.add("unimodular",
               unimodular,
               unimodular ? "yes: integer answers have integer coefficients"
                          : "no: elementary divisors " + in_words(design.divisors));
}

void show_noise(Output& output, const ProbeNoise& noise, bool all_seen) {
    output.add("noise_error_default",
               number_or_null(noise.before),
               formatted("{} expected in |P - truth|^2 for each output, of the default queries{}",
                         brief(noise.before),
                         all_seen ? "" : ", coefficients that no input shows left out"));
    output.add("noise_error",
               number_or_null(noise.after),
               formatted("{} of these, {} of them exchanged", brief(noise.after), noise.exchanged));
}

}  // namespace

Output describe(const Probe& found) {
    const ProbeDesign& design = found.design;
    const bool all_seen = design.rank == design.psi;
    Output output;
    output.add("layer", to_string(design.queries.layer));
    output.add("d", found.d);
    output.add("psi", design.psi);
    output.add("num_queries", design.queries.num_sequences());
    output.add(
        "rank",
        design.rank,
        all_seen ? formatted(
                       "{} of {}: the answers determine every coefficient", design.rank, design.psi)
                 : formatted("{} of {}, that of all inputs: the answers determine the function",
                             design.rank,
                             design.psi));
    if (found.noise) {
        show_noise(output, *found.noise, all_seen);
    } else {
        show_divisors(output, design);
    }
    return output;
}

}  // namespace attest
