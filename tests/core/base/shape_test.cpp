#include "core/base/shape.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(PackedDim, CountsUnorderedPairs) {
    for (Index d = 0; d <= 8; ++d) {
        Index pairs = 0;
        for (Index j = 0; j < d; ++j) {
            for (Index k = j; k < d; ++k) {
                ++pairs;
            }
        }
        EXPECT_EQ(packed_dim(d), pairs) << "d = " << d;
    }
}

TEST(FeatureDim, IsThePapersPsi) {
    // psi = C(d,2)·d + d² of Algorithm 2.
    EXPECT_EQ(feature_dim(1), 1);
    EXPECT_EQ(feature_dim(2), 6);
    EXPECT_EQ(feature_dim(3), 18);
    EXPECT_EQ(feature_dim(8), 288);
    EXPECT_EQ(feature_dim(12288), 927788433408);
}

}  // namespace
}  // namespace attest
