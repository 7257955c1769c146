#include "core/audit/head_request.hpp"

#include "core/base/error.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(HeadRequest, IsReadFromAWordOrANumber) {
    EXPECT_EQ(head_request("svd").choice, HeadChoice::svd);
    EXPECT_EQ(head_request("min").choice, HeadChoice::fewest);
    EXPECT_EQ(head_request("elbow").choice, HeadChoice::elbow);
    EXPECT_EQ(head_request("3").choice, HeadChoice::count);
    EXPECT_EQ(head_request("3").count, 3);
}

TEST(HeadRequest, RefusesEverythingElse) {
    for (const char* text : {"0", "-1", "1.5", "some", ""}) {
        EXPECT_THROW((void)head_request(text), UnknownName) << text;
    }
}

}  // namespace
}  // namespace attest
