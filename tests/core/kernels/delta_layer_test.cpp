#include "core/data/sources/moments.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/cubic.hpp"
#include "core/kernels/follow_head.hpp"
#include "core/layers/layer_heads.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/core/kernels/small_dumps.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace attest {
namespace {

constexpr Index kRecordedTokens = 6;
constexpr Index kKey = 3;
constexpr Index kValue = 2;

/// Tokens of a layer whose values V z and queries Q z a dump of one head holds.
struct RecordedLayer {
    Matrix tokens;
    Matrix V;
    Matrix Q;
    KernelDump dump;
};

RecordedLayer recorded_layer(Recurrence recurrence) {
    RecordedLayer layer{Matrix(2, kRecordedTokens), Matrix(kValue, 2), Matrix(kKey, 2), {}};
    layer.V << 1, -2, 3, 1;
    layer.Q << 2, 1, -1, 1, 0, 3;
    for (Index t = 0; t < kRecordedTokens; ++t) {
        layer.tokens.col(t) << static_cast<double>(t % 4 - 1), static_cast<double>(2 - t % 3);
    }
    layer.dump = test::small_dump(recurrence, kRecordedTokens, 1, kKey, kValue);
    layer.dump.initial_state.clear();
    const Matrix values = layer.V * layer.tokens;
    const Matrix queries = layer.Q * layer.tokens;
    layer.dump.v.assign(values.data(), values.data() + values.size());
    layer.dump.q.assign(queries.data(), queries.data() + queries.size());
    return layer;
}

Matrix columns_of(const std::vector<double>& array, Index rows) {
    return Eigen::Map<const Matrix>(array.data(), rows, std::ssize(array) / rows);
}

/// The dump beside the tokens, an example after every token.
Dataset data_of(const RecordedLayer& from, std::string_view layer) {
    const KernelDump& dump = from.dump;
    Dataset data;
    data.layer = layer_named(layer);
    data.tokens = from.tokens;
    data.offsets = {0, kRecordedTokens};
    data.labels = LabelKind::per_prefix;
    data.y = columns_of(dump.o, kValue);
    data.columns.keys = columns_of(dump.k, kKey);
    data.columns.beta = columns_of(dump.beta, 1);
    if (dump.gate_width > 0) {
        data.columns.gates = columns_of(dump.gates, dump.gate_width);
    }
    check(data);
    return data;
}

/// Outputs of the layer with these heads, exactly.
MatrixOf<Rational> outputs_of(const RecordedLayer& from, const Dataset& data) {
    const Matrix P = coefficients(data.layer,
                                  data.layer_input(),
                                  kValue,
                                  {{{from.V, from.dump.scale * from.Q, 0}}, Matrix()});
    const auto batch = sequence_moments<Rational>(data, 0, 1);
    const MatrixOf<Rational> H = feature_columns<Rational>(batch, data.layout());
    MatrixOf<Rational> outputs = MatrixOf<Rational>::Zero(kValue, kRecordedTokens);
    for (Index a = 0; a < kValue; ++a) {
        for (Index i = 0; i < P.rows(); ++i) {
            for (Index t = 0; t < kRecordedTokens; ++t) {
                outputs(a, t) += to_rational(P(i, a)) * H(i, t);
            }
        }
    }
    return outputs;
}

const std::vector<std::pair<Recurrence, std::string_view>> kLayers{
    {Recurrence::delta, "delta"},
    {Recurrence::gated_delta, "delta gates"},
    {Recurrence::kda, "delta gates=vector"}};

TEST(DeltaLayer, IsTheKernelsRecurrenceOfItsValuesAndQueriesOverTheRationals) {
    for (const auto& [recurrence, name] : kLayers) {
        const RecordedLayer layer = recorded_layer(recurrence);
        const MatrixOf<Rational> outputs = outputs_of(layer, data_of(layer, name));
        const test::ExactHead exact = test::exact_head(layer.dump, 0);
        for (Index t = 0; t < kRecordedTokens; ++t) {
            for (Index a = 0; a < kValue; ++a) {
                EXPECT_EQ(outputs(a, t), exact.outputs(a, t)) << name << ", token " << t;
            }
        }
    }
}

TEST(DeltaLayer, LiesWithinTheBoundsOfTheKernelsReference) {
    for (const auto& each : kLayers) {
        const auto& [recurrence, name] = each;
        const RecordedLayer layer = recorded_layer(recurrence);
        const MatrixOf<Rational> outputs = outputs_of(layer, data_of(layer, name));
        (void)follow_head(layer.dump, 0, 0, {}, [&](Index t, const Enclosed& output) {
            for (Index a = 0; a < kValue; ++a) {
                const auto at = static_cast<std::size_t>(a);
                const auto value = static_cast<double>(output.value[at]);
                EXPECT_LE(abs(Rational(outputs(a, t) - to_rational(value))),
                          to_rational(output.radius[at]) + to_rational(0x1p-52 * std::abs(value)))
                    << each.second << ", token " << t;
            }
            return true;
        });
    }
}

TEST(DeltaLayer, IsNotThatOfAnotherTokensKey) {
    for (const auto& [recurrence, name] : kLayers) {
        const RecordedLayer layer = recorded_layer(recurrence);
        Dataset data = data_of(layer, name);
        const MatrixOf<Rational> right = outputs_of(layer, data);
        data.columns.keys.col(1).swap(data.columns.keys.col(2));
        EXPECT_NE(outputs_of(layer, data), right) << name;
    }
}

}  // namespace
}  // namespace attest
