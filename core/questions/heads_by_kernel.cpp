#include "core/questions/heads_by_kernel.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/questions/learn.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

// With more features one step of the search takes minutes.
constexpr Index kMostSearchedFeatures = 1000;

/// Entries of a kernel after which all are 0, all are 1, or decays of distinct rates are as
/// independent as they will be.
Index distances_that_tell(const std::vector<Kernel>& kernels) {
    Index longest = 0;
    for (const Kernel& kernel : kernels) {
        longest = std::max({longest, kernel.width, std::ssize(kernel.values)});
    }
    return longest + std::ssize(kernels) + 1;
}

/// Rank over Q of the table κ_g(δ), by elimination: kernels are few.
bool are_independent(const std::vector<Kernel>& kernels) {
    const Index distances = distances_that_tell(kernels);
    std::vector<std::vector<Rational>> rows;
    for (const Kernel& kernel : kernels) {
        std::vector<Rational> row;
        for (Index delta = 0; delta < distances; ++delta) {
            row.push_back(value_at(kernel, delta));
        }
        for (const std::vector<Rational>& known : rows) {
            const auto pivot = std::find_if(
                known.begin(), known.end(), [](const Rational& entry) { return entry != 0; });
            const auto at = static_cast<std::size_t>(pivot - known.begin());
            const Rational factor = row[at] / *pivot;
            for (std::size_t k = 0; k < row.size(); ++k) {
                row[k] -= factor * known[k];
            }
        }
        if (std::all_of(row.begin(), row.end(), [](const Rational& x) { return x == 0; })) {
            return false;
        }
        rows.push_back(std::move(row));
    }
    return true;
}

Index heads_of_kernel(const LayerHeads& heads, Index g) {
    return std::count_if(heads.heads.begin(), heads.heads.end(), [&](const LayerHead& head) {
        return head.kernel == g;
    });
}

}  // namespace

Index KernelReduction::at_least() const {
    Index sum = 0;
    for (const KernelHeads& one : kernels) {
        sum += one.at_least;
    }
    return independent ? sum : std::min<Index>(sum, 1);
}

bool KernelReduction::same_function() const {
    return std::all_of(kernels.begin(), kernels.end(), [](const KernelHeads& one) {
        return one.residual <= kSameFunction;
    });
}

std::string why_not_by_kernel(const Layer& layer) {
    if (layer.form != TokenForm::square) {
        return "its features are not those of z z' and z";
    }
    if (layer.affine || layer.cross) {
        return layer.affine ? "it is affine" : "a column of its own asks";
    }
    return layer.gates == GateForm::vector ? "its gates are vectors" : "";
}

std::string why_not_sought(const Model& model, const Matrix& P) {
    const std::string refused = model.layer.is_linear() ? "" : why_not_by_kernel(model.layer);
    if (!refused.empty()) {
        return formatted("not sought for the layer {}: {}", to_string(model.layer), refused);
    }
    const Index features = P.rows() / num_sums(model.layer);
    if (features > kMostSearchedFeatures) {
        return formatted("{} features{}, sought up to {}; attest heads takes more",
                         features,
                         model.layer.is_linear() ? "" : " of each kernel",
                         kMostSearchedFeatures);
    }
    return P.isZero(0.0) ? "the layer is zero" : "";
}

KernelReduction reduce_heads_by_kernel(const Model& model,
                                       const HeadRequest& request,
                                       const Stream& stream,
                                       const HeadObserver& observer) {
    const std::string refused = why_not_by_kernel(model.layer);
    require(
        refused.empty(), "heads: the layer {} is not reduced: {}", to_string(model.layer), refused);
    const Matrix all = coefficients(model, "model");
    const Index sums = num_sums(model.layer);
    const Index size = all.rows() / sums;
    KernelReduction found;
    found.independent = model.layer.kernels.empty() || are_independent(model.layer.kernels);
    HeadRequest own = request;
    own.choice = HeadChoice::fewest;
    own.budget = request.budget / static_cast<double>(sums);
    for (Index g = 0; g < sums; ++g) {
        KernelHeads one;
        one.kernel = model.layer.kernels.empty()
                         ? "all tokens alike"
                         : describe(model.layer.kernels[static_cast<std::size_t>(g)]);
        one.before = heads_of_kernel(model.layer_heads, g);
        const Matrix part = all.middleRows(g * size, size);
        if (!part.isZero(0.0)) {
            const auto [P, exponent] = scaled_coefficients(part);
            HeadReduction reduced =
                reduce_heads(frobenius_target(P, model.d), own, stream.child(g), observer);
            const Parameters heads = times_power(std::move(reduced.heads), exponent);
            one.after = heads.num_heads();
            one.at_least = reduced.bound->num_heads;
            one.proved = reduced.search->end == HeadSearchEnd::proved;
            one.residual = reduced.loss.residual;
            for (const Head& head : heads.heads) {
                found.heads.heads.push_back({head.V, head.Q, g});
            }
        } else {
            one.proved = true;
        }
        found.kernels.push_back(std::move(one));
    }
    return found;
}

HeadNeeds head_needs_by_kernel(const Model& model, double budget, const Stream& stream) {
    HeadRequest request;
    request.choice = HeadChoice::fewest;
    request.budget = budget;
    const KernelReduction found = reduce_heads_by_kernel(model, request, stream, {});
    HeadNeeds needs;
    needs.has = num_heads(model);
    needs.at_least = found.at_least();
    if (found.same_function()) {
        needs.found = found.num_heads();
        needs.same_everywhere = true;
        needs.proved_fewest = needs.found == needs.at_least;
    }
    return needs;
}

void describe(Output& output, const KernelReduction& found) {
    output.add("num_heads", found.num_heads());
    output.add("lower_bound",
               found.at_least(),
               found.independent
                   ? formatted("{} (certified for each kernel, and kernels are independent)",
                               found.at_least())
                   : formatted("{} (the kernels depend on one another)", found.at_least()));
    output.add("same_function",
               found.same_function(),
               found.same_function() ? "yes, up to rounding" : "no, an approximation");
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const KernelHeads& one : found.kernels) {
        list.push_back({{"kernel", one.kernel},
                        {"heads_before", one.before},
                        {"num_heads", one.after},
                        {"lower_bound", one.at_least},
                        {"proved_fewest", one.proved},
                        {"residual", number_or_null(one.residual)}});
        output.say(formatted("{}: {} -> {}, at least {}",
                             one.kernel,
                             one.before,
                             plural(one.after, "head"),
                             one.at_least));
    }
    output.add_json("kernels", list);
}

}  // namespace attest
