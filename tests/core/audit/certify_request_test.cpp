#include "core/audit/certify_request.hpp"

#include "core/base/error.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(CertifyLevel, IsReadBackFromItsName) {
    for (const CertifyLevel level : {CertifyLevel::automatic,
                                     CertifyLevel::numerical,
                                     CertifyLevel::matrix_free,
                                     CertifyLevel::rigorous,
                                     CertifyLevel::exact,
                                     CertifyLevel::grouped}) {
        EXPECT_EQ(certify_level_from_string(to_string(level)), level);
    }
    EXPECT_EQ(to_string(CertifyLevel::automatic), "auto");
}

TEST(CertifyLevel, OfAnUnknownNameIsRefusedWithTheNames) {
    try {
        (void)certify_level_from_string("maybe");
        ADD_FAILURE() << "nothing was thrown";
    } catch (const UnknownName& error) {
        EXPECT_STREQ(error.what(),
                     "level: got 'maybe', expected auto, numerical, matrix-free, rigorous, exact "
                     "or grouped");
    }
}

}  // namespace
}  // namespace attest
