#include "core/solve/rates.hpp"

#include "core/base/atomic_file.hpp"
#include "core/solve/calibrate.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

const WorkByKind kRates{1e9, 2e9, 3e9, 4e9, 5e9, 6e9, 0.1};

TEST(Rates, PredictsSecondsByHand) {
    SolveCost cost;
    cost.flops.gram64 = 2e9;       // 2 s
    cost.flops.orthogonal = 24e9;  // 4 s
    EXPECT_EQ(predicted_seconds(cost, {kRates, ""}, 1), 6.0);
    EXPECT_EQ(predicted_seconds(cost, {kRates, ""}, 2), 3.0);
    EXPECT_EQ(total(cost.flops), 26e9);
}

TEST(Rates, ReadBackWhatTheyWrote) {
    const WorkByKind back = rates_from_text(to_text(kRates), "file");
    EXPECT_EQ(to_text(back), to_text(kRates));
    EXPECT_EQ(back.multiprecision, 0.1);
    EXPECT_EQ(back.cholesky32, 5e9);
}

TEST(Rates, RefuseAFileThatIsNone) {
    const auto message = [](const std::string& text) {
        return test::invalid_input_message([&] { (void)rates_from_text(text, "rates.txt"); });
    };
    EXPECT_EQ(message("gram64 fast\n"),
              "rates.txt: got 'gram64 fast', expected a kind of work and its rate; "
              "run attest doctor --calibrate");
    EXPECT_EQ(message("gram99 1e9\n").substr(0, 27), "rates.txt: got 'gram99 1e9'");
    EXPECT_EQ(message("gram64 -1\n").substr(0, 26), "rates.txt: got 'gram64 -1'");
    EXPECT_EQ(message("gram64 1e9\n"),
              "rates.txt: no rate for gram32; run attest doctor --calibrate");
}

TEST(Rates, ComeFromTheFileTheEnvironmentNames) {
    const test::TemporaryFolder folder;
    write_file_atomically(folder.file("mine.txt"), to_text(kRates));
    {
        const test::EnvironmentVariable chosen("ATTEST_RATES", folder.file("mine.txt"));
        EXPECT_EQ(current_rates().per_second.product, 3e9);
        EXPECT_EQ(current_rates().origin, folder.file("mine.txt"));
    }
    const test::EnvironmentVariable absent("ATTEST_RATES", folder.file("absent.txt"));
    EXPECT_EQ(test::invalid_input_message([] { (void)current_rates(); }),
              "ATTEST_RATES: " + folder.file("absent.txt") + " cannot be read");
}

TEST(Rates, AreBuiltInWhereTheCacheHoldsNone) {
    const test::TemporaryFolder folder;
    const test::EnvironmentVariable cache("XDG_CACHE_HOME", folder.file("cache"));
    EXPECT_EQ(rates_path(), folder.file("cache") + "/attest/rates.txt");
    EXPECT_EQ(current_rates().origin, "built in");
}

TEST(MeasuredRates, ArePositiveAndReadable) {
    const WorkByKind measured = measure_rates();
    EXPECT_EQ(to_text(rates_from_text(to_text(measured), "measured")), to_text(measured));
}

}  // namespace
}  // namespace attest
