#include "distributed/communicator.hpp"

#include <gtest/gtest.h>

#include <array>

/// All ranks run the same tests in the same order, so that collective calls meet. Only rank 0
/// reports what passes.
int main(int argc, char** argv) {
    const attest::MpiScope mpi(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    const attest::Communicator ranks;
    if (ranks.rank() != 0) {
        testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
    }
    const int mine = RUN_ALL_TESTS();
    std::array<double, 1> worst{static_cast<double>(mine)};
    ranks.largest(worst);
    return worst[0] > 0.0 ? 1 : 0;
}
