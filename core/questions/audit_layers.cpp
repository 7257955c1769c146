#include "core/questions/audit_layers.hpp"

#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/questions/output.hpp"

#include <algorithm>

namespace attest {

namespace {

// An import is exact up to how outputs were stored: a relative error of a percent is none of that.
constexpr double kLargeError = 0.01;
constexpr double kFarBetter = 1e-3;

double relative_error(const RecordedLayer& layer, const Dataset& records) {
    return empirical_risk(coefficients(layer.model, layer.name), DatasetSource(records)).relative;
}

bool same_shape(const Model& one, const Model& other) {
    return one.layer == other.layer && one.d == other.d && one.o == other.o &&
           one.layout() == other.layout();
}

std::optional<std::string> layer_of_records(const std::vector<RecordedLayer>& layers,
                                            const RecordedLayer& own,
                                            double error) {
    for (const RecordedLayer& other : layers) {
        if (other.name != own.name && same_shape(other.model, own.model) &&
            relative_error(other, own.records) < kFarBetter * error) {
            return other.name;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<AuditedLayer> audit_layers(const std::vector<RecordedLayer>& layers,
                                       const LayerAuditRequest& request) {
    std::vector<AuditedLayer> found;
    for (const RecordedLayer& layer : layers) {
        throw_if_stopped("audit");
        LayerAuditRequest own = request;
        own.model_name = layer.name;
        own.held_out = layer.held_out ? &*layer.held_out : nullptr;
        own.held_out_name = formatted("held-out records of {}", layer.name);
        own.layers = std::ssize(layers);
        const DatasetSource source(layer.records);
        LayerAudit audit = audit_layer(FactoredSource(source), layer.model, own);
        AuditSummary summary = summarise(audit);
        std::optional<std::string> records_fit;
        if (audit.risk && audit.risk->relative > kLargeError) {
            records_fit = layer_of_records(layers, layer, audit.risk->relative);
        }
        if (records_fit) {
            summary.observations.insert(
                summary.observations.begin(),
                {"records_of_another_layer",
                 Concern::alarm,
                 formatted("The error on its records is {} of the labels' mean square: they are "
                           "records of {}.",
                           brief(audit.risk->relative),
                           *records_fit),
                 "Give each layer its own records."});
        }
        found.push_back({layer.name, std::move(audit), std::move(summary), std::move(records_fit)});
    }
    return found;
}

Decision decision(const std::vector<AuditedLayer>& layers) {
    Decision all = Decision::yes;
    for (const AuditedLayer& one : layers) {
        const Decision own = decision(one.summary.unique);
        if (own == Decision::no) {
            return own;
        }
        all = own == Decision::undecided ? own : all;
    }
    return all;
}

}  // namespace attest
