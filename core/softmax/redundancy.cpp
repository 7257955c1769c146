#include "core/softmax/redundancy.hpp"

#include "core/softmax/net_search.hpp"
#include "core/softmax/polish.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace attest {

namespace {

// Two heads that stand for one, Θ ± δ, fit to relative squared error O(δ⁴): at the polish's 10⁻²⁶ δ
// is about 3·10⁻⁷. From that far the Gauss–Newton steps converge quadratically.
constexpr Index kSteps = 10;

}  // namespace

double error_without_a_head(const SoftmaxHeads& heads,
                            const SoftmaxExamples& training,
                            const SoftmaxExamples& held_out) {
    double least = std::numeric_limits<double>::infinity();
    FitControl control = polish_control();
    control.max_iterations = kSteps;
    for (std::size_t left_out = 0; heads.size() > 1 && left_out < heads.size(); ++left_out) {
        std::vector<Matrix> thetas;
        for (std::size_t i = 0; i < heads.size(); ++i) {
            if (i != left_out) {
                thetas.push_back(heads[i].Theta);
            }
        }
        const SoftmaxFit fit = polish(thetas, training, control);
        least = std::min(least, relative_error(fit.heads, held_out));
    }
    return least;
}

}  // namespace attest
