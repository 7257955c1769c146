#include "record/configuration.hpp"

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::record_test {

namespace {

using Json = nlohmann::ordered_json;

TEST(Configuration, ShowsOnlyWhereLongSettingsDiffer) {
    Configuration here = sample_header().configuration;
    here.parameters["text"] = std::string(300, 'a') + "ä1" + std::string(300, 'b');
    Configuration there = here;
    there.parameters["text"] = std::string(300, 'a') + "ä2" + std::string(300, 'b');

    const std::string words = difference(there, here);

    EXPECT_SAYS(words, "ä2bbb");
    EXPECT_SAYS(words, "ä1bbb");
    EXPECT_LT(words.size(), 280U) << words;
}

TEST(Configuration, NamesTheFirstDifference) {
    const Configuration here = sample_header().configuration;
    std::vector<Configuration> there(5, here);
    there[0].id = "other";
    there[1].profile = Profile::full;
    there[2].seed = 2;
    there[3].parameters["num_examples"] = std::int64_t{41};
    there[4].code_version = "def";
    const std::vector<std::string> expected{
        R"(id is "other" there and "demo" here)",
        R"(profile is "full" there and "quick" here)",
        R"(seed is 2 there and 1 here)",
        R"(parameters is {"num_examples":41} there and {"num_examples":40} here)",
        R"(code_version is "def" there and "abc" here)"};

    EXPECT_EQ(difference(here, here), "");
    for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_EQ(difference(there[i], here), expected[i]);
        EXPECT_NE(configuration_hash(there[i]), configuration_hash(here));
    }
}

TEST(Configuration, HashIsTheDigestOfTheDocumentedText) {
    // From sha256sum, of {"id":"demo","profile":"quick","seed":1,"parameters":{"num_examples":40},
    // "code_version":"abc"} on one line.
    const Configuration configuration = sample_header().configuration;

    EXPECT_EQ(configuration_hash(configuration),
              "f4e723ce45efe65aeaf402a0208874669da4c581a7001758c3042608f4886c24");
}

TEST(ResultHeader, RoundTripsThroughItsLine) {
    const std::string line = json_text(to_json_object(sample_header()));

    const ResultHeader back = header_from_json(parse_json(line, "test"));

    EXPECT_EQ(json_text(to_json_object(back)), line);
    EXPECT_EQ(line.find(R"({"schema":1,"kind":"provenance","configuration":{"id":"demo",)"), 0U);
}

TEST(ResultHeader, ConfigurationThatWasEditedByHandIsRejected) {
    Json object = to_json_object(sample_header());
    object["configuration"]["seed"] = 7;

    EXPECT_REFUSED("header: configuration_sha256 does not belong to the configuration",
                   header_from_json(object));
}

TEST(ResultHeader, EveryMissingKeyIsNamed) {
    const Json whole = to_json_object(sample_header());
    for (const auto& [key, value] : whole.items()) {
        Json part = whole;
        part.erase(key);

        EXPECT_EQ(test::error_message<InvalidInput>([&] { (void)header_from_json(part); }),
                  "header: got no \"" + key + "\"");
    }
}

TEST(ResultHeader, ARowIsNoHeader) {
    const Json row = to_json_object(sample_row(0));

    EXPECT_REFUSED("header: got kind \"row\"", header_from_json(row));
}

}  // namespace

}  // namespace attest::record_test
