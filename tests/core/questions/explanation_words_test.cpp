#include "core/questions/explanation_words.hpp"

#include "tests/core/questions/planted_layers.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest {
namespace {

TEST(ShownExplanation, HasEveryClassWithItsCause) {
    const Dataset data = test::layer_with_a_dead_coordinate().data;
    const Explanation why = explain(data, certify_rank(data), std::nullopt);
    const nlohmann::ordered_json json = explanation_json(why);
    ASSERT_EQ(json["classes"].size(), why.classes.size());
    EXPECT_EQ(json["classes"][0]["cause"], "zero_coordinate");
    EXPECT_EQ(json["classes"][0]["coordinates"][0], 2);
    EXPECT_EQ(json["listed"], json["nullity_at_most"]);
    EXPECT_EQ(relation_in_words(why.classes[0]), "z_2 = 0, times any entry of s");
}

}  // namespace
}  // namespace attest
