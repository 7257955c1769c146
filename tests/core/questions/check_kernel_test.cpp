#include "core/questions/check_kernel.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace attest::test {
namespace {

KernelCall call_of(Index tokens, const std::vector<std::string>& arrays) {
    KernelCall call;
    call.starts = {0, tokens};
    call.heads = 2;
    call.key_dim = 8;
    call.value_dim = 16;
    for (const std::string& name : arrays) {
        call.arrays[name] = {};
    }
    return call;
}

double seconds_of(const KernelCall& call) {
    return kernel_seconds(call, SharpLevel::on);
}

TEST(KernelSeconds, GrowWithTheEntriesOfTheStateAtEveryMicroStep) {
    KernelCall call = call_of(100, {"q", "k", "v", "o"});
    const double once = seconds_of(call);
    EXPECT_DOUBLE_EQ(seconds_of(call_of(300, {"q", "k", "v", "o"})), 3.0 * once);
    call.steps = 2;
    EXPECT_DOUBLE_EQ(seconds_of(call), 2.0 * once);
    call.value_dim = 32;
    EXPECT_DOUBLE_EQ(seconds_of(call), 4.0 * once);
}

TEST(KernelSeconds, AreMoreForCorrectionsGatesOfRowsAndGradientsAndFewerWithoutReplicas) {
    const KernelCall plain = call_of(100, {"q", "k", "v", "o"});
    KernelCall rows = call_of(100, {"q", "k", "v", "o", "g"});
    rows.arrays["g"].width = 8;
    EXPECT_GT(seconds_of(call_of(100, {"q", "k", "v", "o", "beta"})), seconds_of(plain));
    EXPECT_GT(seconds_of(rows), seconds_of(plain));
    EXPECT_EQ(seconds_of(call_of(100, {"q", "k", "v", "o", "do"})), 3.0 * seconds_of(plain));
    EXPECT_LT(kernel_seconds(plain, SharpLevel::off), seconds_of(plain));
}

}  // namespace
}  // namespace attest::test
