// Uses the installed headers and libraries: the cubic features of one sequence, and a prediction
// from one head.
#include "core/base/bitwise.hpp"
#include "core/data/sources/moments.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/features/predict.hpp"

#include <cstdlib>
#include <iostream>

int main() {
    // Z = [1 2; 3 4]: S = [5 11; 11 25], z = (2, 4), so H = (22, 44 | 10, 20 | 50, 100).
    attest::Dataset data;
    data.tokens = attest::Matrix{{1.0, 2.0}, {3.0, 4.0}};
    data.offsets = {0, 2};
    const attest::Vector h = attest::cubic_features<double>(data.sequence(0));

    // V = I, Q = I: the output is S z = (54, 122).
    const attest::Head head{attest::Matrix::Identity(2, 2), attest::Matrix::Identity(2, 2)};
    const attest::Matrix P = attest::coefficients(attest::Parameters{2, 2, {head}});
    const attest::Matrix y = attest::predict(P, attest::DatasetSource(data));

    const bool right = h.size() == 6 && attest::bitwise_equal(h(0), 22.0) &&
                       attest::bitwise_equal(h(5), 100.0) && attest::bitwise_equal(y(0), 54.0) &&
                       attest::bitwise_equal(y(1), 122.0);
    std::cout << "features " << h.transpose() << ", prediction " << y.transpose() << '\n';
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
