#include "core/questions/certify_cost.hpp"

#include "core/data/dataset.hpp"
#include "tests/core/questions/planted_layers.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

std::vector<AuditPart> parts_of(const CertifyRequest& request, const Dataset& data) {
    std::vector<AuditPart> parts;
    for (const PlannedPart& one : certify_plan(sequence_shape(data), request, 1.0).parts) {
        EXPECT_TRUE(one.included);
        parts.push_back(one.part);
    }
    return parts;
}

TEST(CertifyPlan, HasThePartsThatAreAsked) {
    const PlantedLayer layer = healthy_layer();
    using enum AuditPart;
    using Parts = std::vector<AuditPart>;
    CertifyRequest request;
    EXPECT_EQ(parts_of(request, layer.data), (Parts{rank, singular_values}));
    request.parts.reasons = true;
    request.parts.coverage = 0.95;
    request.parts.queries = &layer.data;
    EXPECT_EQ(parts_of(request, layer.data),
              (Parts{rank, singular_values, held_out, reasons, coverage}));
    CertifyRequest heads;
    heads.model = &layer.model;
    heads.parts.heads = 1;
    EXPECT_EQ(parts_of(heads, layer.data), (Parts{rank, singular_values, few_heads}));
    heads.level = CertifyLevel::numerical;
    heads.parts.heads = 0;
    EXPECT_EQ(parts_of(heads, layer.data), (Parts{singular_values}));
    heads.level = CertifyLevel::grouped;
    EXPECT_EQ(parts_of(heads, layer.data), Parts{});
}

TEST(CertifyPlan, HeadsOfSmallerSizesAreEstimatedByTheirFactors) {
    const PlantedLayer layer = healthy_layer();
    CertifyRequest request;
    request.model = &layer.model;
    request.parts.heads = 1;
    const auto entries = [&] {
        return certify_plan(sequence_shape(layer.data), request, 1.0).size.head_entries;
    };
    EXPECT_EQ(entries(), 2 * 3 + 3 * 3);
    request.parts.head_sizes = {1, 2};
    EXPECT_EQ(entries(), (3 + 3) * 1 + (2 + 3) * 2);
}

TEST(CertifyPlan, AFasterMachineTakesLess) {
    const PlantedLayer layer = healthy_layer();
    const SequenceShape shape = sequence_shape(layer.data);
    EXPECT_EQ(certify_plan(shape, {}, 1.0).seconds(), 2.0 * certify_plan(shape, {}, 2.0).seconds());
}

}  // namespace
}  // namespace attest::test
