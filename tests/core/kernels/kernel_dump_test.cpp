#include "core/kernels/kernel_dump.hpp"

#include "core/data/archive/npz.hpp"
#include "core/kernels/kernel_call.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace attest {
namespace {

/// An array 0, 1, 2, … of this shape.
NpyArray counting(const std::vector<Index>& shape) {
    NpyArray array{DType::float64, shape, {}};
    array.data.resize(static_cast<std::size_t>(
        std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>())));
    std::iota(array.data.begin(), array.data.end(), 0.0);
    return array;
}

using Arrays = std::map<std::string, NpyArray>;

/// B = 1, T = 3, H = 2, K = 2, V = 1.
Arrays one_batch() {
    return {{"q", counting({1, 3, 2, 2})},
            {"k", counting({1, 3, 2, 2})},
            {"v", counting({1, 3, 2, 1})},
            {"o", counting({1, 3, 2, 1})}};
}

KernelDump read_dump(const std::string& path, const DumpFormat& format) {
    return kernel_dump(read_weights(path, "", NonFinite::kept), format);
}

class DumpFile : public ::testing::Test {
protected:
    [[nodiscard]] std::string written(const Arrays& arrays) const {
        NpzWriter file;
        for (const auto& [name, array] : arrays) {
            file.add(name, array);
        }
        std::string path = folder_.file("d.npz");
        file.write(path);
        return path;
    }

    [[nodiscard]] KernelDump read(const Arrays& arrays, const DumpFormat& format = {}) const {
        return read_dump(written(arrays), format);
    }

    /// The complaint behind the file's name.
    [[nodiscard]] std::string complaint(const Arrays& arrays, const DumpFormat& format = {}) const {
        const std::string path = written(arrays);
        const std::string message =
            test::invalid_input_message([&] { (void)read_dump(path, format); });
        return message.substr(0, path.size()) == path ? message.substr(path.size() + 2) : message;
    }

private:
    test::TemporaryFolder folder_;
};

TEST_F(DumpFile, ReadsAxesWithAndWithoutBatchAndHeads) {
    const KernelDump dump = read(one_batch());
    EXPECT_EQ(dump.tokens, 3);
    EXPECT_EQ(dump.heads, 2);
    EXPECT_EQ(dump.key_dim, 2);
    EXPECT_EQ(dump.value_dim, 1);
    EXPECT_EQ(dump.scale, 1.0 / std::sqrt(2.0));
    const Arrays bare{{"q", counting({3, 2})},
                      {"k", counting({3, 2})},
                      {"v", counting({3, 1})},
                      {"o", counting({3, 1})},
                      {"initial_state", counting({2, 1})}};
    const KernelDump one_head = read(bare, {.layout = DumpLayout::head_first});
    EXPECT_EQ(one_head.tokens, 3);
    EXPECT_EQ(one_head.heads, 1);
    EXPECT_EQ(one_head.q, counting({6}).data);
    EXPECT_EQ(one_head.initial_state, counting({2}).data);
}

TEST_F(DumpFile, BringsHeadsFirstToTimeFirst) {
    Arrays arrays = one_batch();
    for (auto& [name, array] : arrays) {
        array.shape = {2, 3, array.shape.back()};
    }
    const KernelDump dump = read(arrays, {.layout = DumpLayout::head_first});
    EXPECT_EQ(dump.heads, 2);
    EXPECT_EQ(dump.v, (std::vector<double>{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(dump.q, (std::vector<double>{0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}));
}

TEST_F(DumpFile, ReadsGatesOfEveryKind) {
    Arrays arrays = one_batch();
    arrays["g"] = counting({1, 3, 2});
    const KernelDump scalar = read(arrays, {.recurrence = Recurrence::simple_gla});
    EXPECT_EQ(scalar.gate_form, GateEntry::logarithm);
    EXPECT_EQ(scalar.gate_width, 1);
    EXPECT_EQ(complaint(arrays, {.recurrence = Recurrence::gla}),
              "g: has shape (1, 3, 2), expected (1, 3, 2, 2) beside q of shape (1, 3, 2, 2)");
    EXPECT_EQ(complaint(arrays),
              "g: a linear kernel reads no such array; drop it or name another --kind");
    arrays.erase("g");
    arrays["decay"] = counting({2});
    EXPECT_EQ(read(arrays, {.recurrence = Recurrence::retention}).gates,
              (std::vector<double>{0, 1, 0, 1, 0, 1}));
    arrays["decay"] = counting({3});
    EXPECT_EQ(complaint(arrays, {.recurrence = Recurrence::retention}),
              "decay: has shape (3,), expected one factor for each of 2 heads");
}

TEST_F(DumpFile, TheScaleIsTheOptionThenTheArray) {
    Arrays arrays = one_batch();
    arrays["scale"] = {DType::float64, {}, {0.25}};
    EXPECT_EQ(read(arrays).scale, 0.25);
    EXPECT_EQ(read(arrays, {.scale = 3.0}).scale, 3.0);
    arrays["scale"] = counting({2});
    EXPECT_EQ(complaint(arrays), "scale: expected one number");
}

TEST_F(DumpFile, RefusesWhatIsNoDump) {
    Arrays arrays = one_batch();
    arrays["mystery"] = counting({1});
    EXPECT_EQ(
        complaint(arrays),
        "mystery: is no array of a dump; expected q, k, v, o, initial_state, do, final_state, "
        "dfinal_state, scale, cu_seqlens, a flag, or a gradient such as dq");
    arrays = one_batch();
    arrays.erase("v");
    EXPECT_EQ(complaint(arrays), "v: is missing; a linear kernel is checked by it");
    EXPECT_EQ(complaint(one_batch(), {.recurrence = Recurrence::delta}),
              "beta: is missing; a delta kernel is checked by it");
    arrays = one_batch();
    arrays["q"] = counting({12});
    EXPECT_EQ(complaint(arrays), "q: has shape (12,), expected (B,T,H,K), (T,H,K) or (T,K)");
    arrays["q"] = counting({0, 2});
    EXPECT_EQ(complaint(arrays), "q: has shape (0, 2): it is empty");
}

TEST_F(DumpFile, GradientsStandBesideTheGradientsOfResults) {
    Arrays arrays = one_batch();
    arrays["dq"] = arrays["q"];
    EXPECT_EQ(complaint(arrays),
              "do: is missing; gradients such as dq are checked by it: save it, or dfinal_state "
              "where only that came back");
    Arrays with_outputs = arrays;
    with_outputs["do"] = counting({1, 3, 2, 1});
    EXPECT_NO_THROW((void)read(with_outputs));
    Arrays with_states = arrays;
    with_states["dfinal_state"] = counting({1, 2, 2, 1});
    EXPECT_NO_THROW((void)read(with_states));
}

TEST_F(DumpFile, OnlyOutputsMayHoldNan) {
    Arrays arrays = one_batch();
    arrays["o"].data[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(read(arrays).o[3]));
    arrays["k"].data[1] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(complaint(arrays),
              "k: element 1 is no finite number; the kernel was given it: fix its inputs");
}

TEST_F(DumpFile, PackedSequencesBeginWhereTheirNumbersSay) {
    Arrays arrays = one_batch();
    arrays["cu_seqlens"] = {DType::float64, {3}, {0, 1, 3}};
    const KernelCall call = kernel_call(read_weights(written(arrays), ""), {});
    EXPECT_EQ(call.starts, (std::vector<Index>{0, 1, 3}));
    EXPECT_EQ(bounded_dumps(call).size(), 2U);
    EXPECT_EQ(head_rows(call, call.arrays.at("v"), 1, 1), (Matrix(2, 1) << 3, 5).finished());
    arrays.erase("cu_seqlens");
    arrays["seq_idx"] = {DType::float64, {3}, {0, 1, 1}};
    EXPECT_EQ(kernel_call(read_weights(written(arrays), ""), {}).starts, call.starts);
    arrays["seq_idx"].data = {1, 0, 1};
    EXPECT_EQ(complaint(arrays),
              "seq_idx: falls at token 1, expected sequences one after the other");
    arrays.erase("seq_idx");
    arrays["cu_seqlens"] = {DType::float64, {3}, {0, 2, 1}};
    EXPECT_EQ(complaint(arrays),
              "cu_seqlens: holds 1 behind 2, expected 0 first and no smaller number behind it");
    arrays["cu_seqlens"] = {DType::float64, {2}, {0, 2}};
    EXPECT_EQ(complaint(arrays), "cu_seqlens: ends with 2, expected 3, the number of tokens");
}

TEST_F(DumpFile, HeadsMayBeSharedAndAreThenRepeatedForTheBound) {
    Arrays arrays = one_batch();
    arrays["q"] = counting({1, 3, 1, 2});
    const KernelDump dump = read(arrays);
    EXPECT_EQ(dump.heads, 2);
    EXPECT_EQ(dump.q, (std::vector<double>{0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5}));
    arrays["k"] = counting({1, 3, 3, 2});
    EXPECT_EQ(complaint(arrays), "o: has 2 heads, which do not divide 3, the most of any array");
    arrays["o"] = counting({1, 3, 3, 1});
    EXPECT_EQ(complaint(arrays), "v: has 2 heads, which do not divide 3, the most of any array");
}

TEST_F(DumpFile, StatesAreBroughtToKeysFirst) {
    Arrays arrays = one_batch();
    arrays["initial_state"] = counting({1, 2, 1, 2});
    arrays["state_v_first"] = {DType::float64, {}, {1}};
    EXPECT_EQ(read(arrays).initial_state, (std::vector<double>{0, 1, 2, 3}));
    arrays["v"] = counting({1, 3, 2, 2});
    arrays["o"] = counting({1, 3, 2, 2});
    arrays["initial_state"] = counting({1, 2, 2, 2});
    EXPECT_EQ(read(arrays).initial_state, (std::vector<double>{0, 2, 1, 3, 4, 6, 5, 7}));
}

TEST_F(DumpFile, FlagsAreReadByTheKindsThatHaveThem) {
    Arrays arrays = one_batch();
    arrays["use_qk_l2norm_in_kernel"] = {DType::float64, {}, {1}};
    const KernelCall call = kernel_call(read_weights(written(arrays), ""), {});
    EXPECT_TRUE(call.flags.use_qk_l2norm_in_kernel);
    EXPECT_TRUE(bounded_dumps(call).empty()) << "no bound knows what the kernel does first";
    arrays["use_qk_l2norm_in_kernel"].data = {2};
    EXPECT_EQ(complaint(arrays), "use_qk_l2norm_in_kernel: holds 2, expected 0 or 1");
    arrays.erase("use_qk_l2norm_in_kernel");
    arrays["allow_neg_eigval"] = {DType::float64, {}, {1}};
    EXPECT_EQ(complaint(arrays),
              "allow_neg_eigval: a linear kernel reads no such flag; drop it or name another "
              "--kind");
}

TEST_F(DumpFile, AGatedDeltaRuleHasGatesOfAtMostOne) {
    Arrays arrays = one_batch();
    arrays["beta"] = counting({1, 3, 2});
    arrays["g"] = counting({1, 3, 2});
    EXPECT_EQ(complaint(arrays, {.recurrence = Recurrence::gated_delta}),
              "g: holds 1, expected gates of at most 1 for a gated delta rule: logarithms of at "
              "most 0");
}

}  // namespace
}  // namespace attest
