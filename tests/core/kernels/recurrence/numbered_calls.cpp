#include "tests/core/kernels/recurrence/numbered_calls.hpp"

#include <cmath>
#include <functional>
#include <numeric>

namespace attest::test {

std::vector<double> numbered(int a, Index n, double factor) {
    std::vector<double> values;
    for (Index i = 1; i <= n; ++i) {
        const auto step = static_cast<double>((i * (7919 * a + 104729)) % 257 - 128);
        values.push_back(factor * step / 64.0);
    }
    return values;
}

namespace {

const Index T = 7;
const Index K = 4;
const Index V = 3;

/// Arrays numbered q 1, k 2, v 3, g 4, beta 5, initial_state 6, do 7, dfinal_state 8, p or a 9, b
/// 10, w 11, i or A_log 12, dt_bias 13, initial_n 14, dfinal_n 15.
class Arrays {
public:
    Arrays& holding(const std::string& name, std::vector<Index> shape, std::vector<double> values) {
        weights_.tensors[name] = {std::move(shape), std::move(values)};
        return *this;
    }

    Arrays& with(const std::string& name,
                 const std::vector<Index>& shape,
                 int a,
                 double factor = 1.0) {
        return holding(name, shape, numbered(a, size_of(shape), factor));
    }

    /// −|ν|/2, as logarithms of gates, or |ν|/2.
    Arrays& with_sizes(const std::string& name,
                       const std::vector<Index>& shape,
                       int a,
                       double factor) {
        std::vector<double> values = numbered(a, size_of(shape));
        for (double& value : values) {
            value = factor * std::abs(value);
        }
        return holding(name, shape, std::move(values));
    }

    Arrays& number(const std::string& name, double value) { return holding(name, {}, {value}); }

    /// Zeros in place of a result: what is checked is the reference alone.
    Arrays& results(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            const std::string of = name == "o"             ? ""
                                   : name == "final_state" ? "initial_state"
                                   : name == "final_n"     ? "initial_n"
                                                           : name.substr(1);
            if (of.empty()) {
                continue;
            }
            const std::vector<Index> shape = weights_.tensors.at(of).shape;
            holding(name, shape, std::vector<double>(static_cast<std::size_t>(size_of(shape))));
        }
        return *this;
    }

    [[nodiscard]] Weights weights() const { return weights_; }

private:
    static Index size_of(const std::vector<Index>& shape) {
        return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
    }

    Weights weights_{"f", "", {}};
};

Arrays base() {
    Arrays arrays;
    arrays.with("q", {T, K}, 1).with("k", {T, K}, 2, 0.25).with("v", {T, V}, 3);
    arrays.with("o", {T, V}, 3).with("do", {T, V}, 7);
    arrays.with("initial_state", {K, V}, 6);
    arrays.with("dfinal_state", {K, V}, 8).number("scale", 0.5);
    return arrays;
}

Arrays gated(Arrays arrays, Index width) {
    const std::vector<Index> shape = width == 1 ? std::vector<Index>{T} : std::vector<Index>{T, K};
    return arrays.with_sizes("g", shape, 4, -0.5);
}

Arrays with_beta(Arrays arrays) {
    return arrays.with_sizes("beta", {T}, 5, 0.5);
}

using Sums = std::vector<std::pair<std::string, double>>;

NumberedCall made(const std::string& what, const std::string& kind, Arrays arrays, Sums sums) {
    for (const auto& [name, sum] : sums) {
        arrays.results({name});
    }
    DumpFormat format;
    format.recurrence = recurrence_named(kind);
    return {what, kind, arrays.weights(), format, std::move(sums)};
}

std::vector<NumberedCall> without_corrections() {
    Arrays positive;
    positive.with_sizes("q", {T, K}, 1, 1.0).with_sizes("k", {T, K}, 2, 0.25);
    positive.with_sizes("v", {T, V}, 3, 1.0).with("o", {T, V}, 3).with("do", {T, V}, 7);
    positive.number("scale", 0.5);
    NumberedCall normalised = made(
        "normalised, sizes of q, k, v, epsilon 1/8",
        "normalised",
        positive,
        {{"o", 206.888323674}, {"dq", 5.5544297376}, {"dk", 5.8864022048}, {"dv", 37.729306752}});
    normalised.format.epsilon = 0.125;
    return {made("linear",
                 "linear",
                 base(),
                 {{"o", 3.47566890717},
                  {"final_state", 21.4442749023},
                  {"dq", -6.9982919693},
                  {"dk", 213.68740273},
                  {"dv", -27.124335289},
                  {"dinitial_state", -126.24365234}}),
            normalised,
            made("retention 7/8",
                 "retention",
                 base().holding("decay", {1}, {0.875}),
                 {{"o", 28.3694271701},
                  {"final_state", 24.3051740844},
                  {"dq", -6.8385506381},
                  {"dk", 114.77454432},
                  {"dv", -19.519763284},
                  {"dinitial_state", -51.18682973}}),
            made("one gate a token",
                 "simple-gla",
                 gated(base(), 1),
                 {{"o", 37.9690695467},
                  {"final_state", 24.1382854333},
                  {"dq", -2.2749637423},
                  {"dk", -10.461448507},
                  {"dv", -7.9325921774},
                  {"dg", 20.373818858}}),
            made("a gate a row",
                 "gla",
                 gated(base(), K),
                 {{"o", 46.3831656283},
                  {"final_state", 29.1107907221},
                  {"dq", 9.8489793702},
                  {"dk", -104.3703788},
                  {"dv", -15.323583602},
                  {"dg", 31.144149077}})};
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<NumberedCall> with_corrections() {
    Arrays product = gated(base(), 1);
    product.with("k", {2 * T, K}, 2, 0.25).with("v", {2 * T, V}, 3);
    product.with_sizes("beta", {2 * T}, 5, 0.5);
    return {made("delta",
                 "delta",
                 with_beta(base()),
                 {{"o", -30.6906769356},
                  {"final_state", 13.066302815},
                  {"dq", 26.420927145},
                  {"dk", -396.2086001},
                  {"dv", -8.1586997745},
                  {"dbeta", 13.540011113}}),
            made("gated delta",
                 "gated-delta",
                 gated(with_beta(base()), 1),
                 {{"o", 6.2713046028},
                  {"final_state", 11.8504485295},
                  {"dq", 7.9892753334},
                  {"dk", -478.77160252},
                  {"dv", .25676485704},
                  {"dbeta", 2.8891786473},
                  {"dg", 6.7256769667}}),
            made("kda",
                 "kda",
                 gated(with_beta(base()), K),
                 {{"o", 2.35290221782},
                  {"final_state", 13.1440373483},
                  {"dq", 13.2123271},
                  {"dk", -521.0383771},
                  {"dv", -11.383292543},
                  {"dbeta", -4.0046934112},
                  {"dg", 19.907128969}}),
            made("comba",
                 "comba",
                 gated(with_beta(base()), 1).with("p", {T, K}, 9, 0.25),
                 {{"o", 6.538741700825},
                  {"final_state", 11.46428192343},
                  {"dq", 8.837775879953},
                  {"dk", -484.2429807287},
                  {"dv", -.1195394911332},
                  {"dp", -11.60583059708},
                  {"dbeta", 4.732722651107},
                  {"dg", 7.291363273286},
                  {"dinitial_state", -5.269018418318}}),
            made("gdn2",
                 "gdn2",
                 gated(base(), K).with_sizes("b", {T, K}, 10, 0.5).with_sizes("w", {T, V}, 11, 0.5),
                 {{"o", 25.604691566},
                  {"final_state", 14.8151011526},
                  {"dq", 2.6634224407},
                  {"dk", 206.60488286},
                  {"dv", -5.7641790725},
                  {"db", -2.7202538791},
                  {"dw", -12.277060351}}),
            made("dplr",
                 "dplr",
                 gated(base(), K).with("a", {T, K}, 9, 0.25).with("b", {T, K}, 10, 0.25),
                 {{"o", 26.6563798499},
                  {"final_state", 26.9507628421},
                  {"dq", 10.752073532},
                  {"dk", -196.22557974},
                  {"dv", -22.29251285},
                  {"da", -7.4406393609},
                  {"db", 218.1856102}}),
            made("two micro-steps a token",
                 "gated-delta-product",
                 product,
                 {{"o", -90.4603233067},
                  {"final_state", -.357848730797},
                  {"dq", -23.146830993},
                  {"dk", -885.98749068},
                  {"dv", 200.31310897},
                  {"dg", -4.867734099}})};
}

std::vector<NumberedCall> of_other_families() {
    // Mamba-2's states are (P,N), row by row the transposed of (N,P).
    const auto transposed = [](int a) {
        const std::vector<double> given = numbered(a, K * V);
        std::vector<double> turned;
        for (Index c = 0; c < V; ++c) {
            for (Index j = 0; j < K; ++j) {
                turned.push_back(given[static_cast<std::size_t>(j * V + c)]);
            }
        }
        return turned;
    };
    Arrays ssd;
    ssd.with("C", {T, K}, 1).with("B", {T, K}, 2, 0.25).with("x", {T, V}, 3).with("dt", {T}, 5);
    ssd.holding("A", {1}, {-1.25}).with("D", {1, V}, 11).with("dt_bias", {1}, 13);
    ssd.number("dt_softplus", 1.0).with("o", {T, V}, 3).with("do", {T, V}, 7);
    ssd.holding("initial_state", {V, K}, transposed(6));
    ssd.holding("dfinal_state", {V, K}, transposed(8));
    Arrays mlstm = base();
    std::vector<double> f = numbered(4, T);
    for (double& entry : f) {
        entry += 2.0;
    }
    mlstm.holding("f", {T}, f)
        .with("i", {T}, 12)
        .with("initial_n", {K}, 14)
        .with("dfinal_n", {K}, 15);
    Arrays hgrn2;
    hgrn2.with("q", {T, K}, 1).with("v", {T, V}, 3).with("o", {T, V}, 3).with("do", {T, V}, 7);
    hgrn2.with("initial_state", {K, V}, 6).with("dfinal_state", {K, V}, 8).number("scale", 1.0);
    return {made("Mamba-2 with softplus and bias",
                 "ssd",
                 ssd,
                 {{"o", 11.303523581},
                  {"final_state", 2.0227029971},
                  {"dC", 20.900128017},
                  {"dB", 253.74909475},
                  {"dx", 64.229311966},
                  {"ddt", -7.7175942819},
                  {"dA", 3.3380269747},
                  {"dD", -3.2119140625}}),
            made("mlstm",
                 "mlstm",
                 mlstm,
                 {{"o", 59.1331903401},
                  {"final_state", 69.4797894903},
                  {"dq", 9.4483005581},
                  {"dk", -2268.1103748},
                  {"dv", 21.451264768},
                  {"di", 12.466030251},
                  {"df", 4.3552129394}}),
            made("hgrn2",
                 "hgrn2",
                 gated(hgrn2, K),
                 {{"o", 75.2763966866},
                  {"final_state", 5.57081657805},
                  {"dq", 139.45648136},
                  {"dv", -224.93468551},
                  {"dg", 166.96718256}})};
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<NumberedCall> as_calls_have_them() {
    Arrays packed = gated(with_beta(base()), K);
    packed.with("initial_state", {3, K, V}, 6).with("dfinal_state", {3, K, V}, 8);
    packed.holding("cu_seqlens", {4}, {0, 1, 4, 7});
    Arrays grouped;
    grouped.with("q", {T, 1, K}, 1).with("k", {T, 1, K}, 2, 0.25).with("v", {T, 2, V}, 3);
    grouped.with_sizes("g", {T, 2, K}, 4, -0.5).with_sizes("beta", {T, 2}, 5, 0.5);
    grouped.with("initial_state", {2, K, V}, 6).with("dfinal_state", {2, K, V}, 8);
    grouped.with("o", {T, 2, V}, 3).with("do", {T, 2, V}, 7).number("scale", 0.5);
    Arrays raw_gate = with_beta(base());
    raw_gate.with("g", {T, K}, 4).with("A_log", {1}, 12, 0.25).with("dt_bias", {K}, 13);
    raw_gate.number("use_gate_in_kernel", 1.0);
    return {made("sequences of 1, 3 and 3 tokens",
                 "kda",
                 packed,
                 {{"o", -20.746422718},
                  {"final_state", 64.0949984837},
                  {"dq", -27.535958593},
                  {"dk", -53.956516823},
                  {"dv", -9.1766458295},
                  {"dinitial_state", -218.89051413}}),
            made("two heads that share queries and keys",
                 "kda",
                 grouped,
                 {{"o", 54.4682404355},
                  {"final_state", 36.5457266036},
                  {"dq", 6.7157571766},
                  {"dk", -262.52603663},
                  {"dv", 34.384487366},
                  {"dg", -241.01122516}}),
            made("queries and keys normalised inside",
                 "gated-delta",
                 gated(with_beta(base()), 1).number("use_qk_l2norm_in_kernel", 1.0),
                 {{"o", 8.64047578322},
                  {"final_state", 42.1324183943},
                  {"dq", 8.7586493607},
                  {"dk", -2586.6675197},
                  {"dv", 22.396079151},
                  {"dg", -13.430154987}}),
            made("beta twice the sigmoid",
                 "gated-delta",
                 gated(base(), 1)
                     .with("beta", {T}, 5)
                     .number("use_beta_sigmoid_in_kernel", 1.0)
                     .number("allow_neg_eigval", 1.0),
                 {{"o", 37.0813198101},
                  {"final_state", 15.0264377354},
                  {"dq", -3.6105674706},
                  {"dk", 721.2360154},
                  {"dv", 1.2471497638},
                  {"dbeta", .80376482782}}),
            made("gates made inside",
                 "kda",
                 raw_gate,
                 {{"o", 2.7921042547},
                  {"final_state", 11.273569712},
                  {"dq", 3.0676342431},
                  {"dk", -541.40660708},
                  {"dv", -4.682272473},
                  {"dA_log", -1.393855012},
                  {"ddt_bias", -.92128004208},
                  {"dg", 2.8598577541}})};
}

}  // namespace

std::vector<NumberedCall> numbered_calls() {
    std::vector<NumberedCall> all;
    for (auto group :
         {without_corrections, with_corrections, of_other_families, as_calls_have_them}) {
        for (NumberedCall& call : group()) {
            all.push_back(std::move(call));
        }
    }
    return all;
}

}  // namespace attest::test
