#include "core/stack/stack_file.hpp"

#include "tests/core/stack/stacks.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

/// Every part that a stack can have.
Stack everything() {
    StackShape shape = stack_shape(4, 2, 3, 4, 2, [](StackLayer& layer) {
        layer.groups = 2;
        layer.decay = StackDecay::fixed;
        layer.rotary = layer.residual = layer.query_bias = layer.output_bias = true;
        layer.norm = StackNorm::rms_gain;
        layer.epsilon = 1e-6;
        layer.activation = Activation::gelu;
        layer.width = 5;
        layer.mlp_biases = true;
    });
    shape.layers[1].decay = StackDecay::learned;
    shape.layers[1].key_bias = shape.layers[1].value_bias = true;
    shape.final_norm = StackNorm::rms_gain;
    shape.readout = Readout::last;
    Stack stack = integer_stack(shape, 3);
    stack.meta = R"({"origin": "test"})";
    return stack;
}

Stack reread(const Stack& stack) {
    const std::vector<std::byte> bytes = stack_bytes(stack);
    return read_stack(NpzReader::from_bytes(bytes, "stack.npz"));
}

TEST(StackFile, ReadsWhatItWrote) {
    const Stack stack = everything();
    const Stack again = reread(stack);
    EXPECT_EQ(again.shape, stack.shape);
    EXPECT_EQ(again.parameters, stack.parameters);
    EXPECT_EQ(again.constants[0].decays, stack.constants[0].decays);
    EXPECT_EQ(again.constants[1].angles, stack.constants[1].angles);
    EXPECT_EQ(again.meta, stack.meta);
    const Matrix X = integer_sequences(1, 4, 3, 1).sequence(0);
    EXPECT_EQ(outputs(again, X), outputs(stack, X));
}

TEST(StackFile, HasEachParameterOnceUnderAName) {
    const StackShape shape = everything().shape;
    Index next = 0;
    for (const NamedSlot& each : named_slots(shape)) {
        EXPECT_EQ(each.slot.first, next) << each.name;
        next += each.slot.size();
    }
    EXPECT_EQ(next, layout_of(shape).num_parameters);
}

/// The text of an architecture with one part replaced.
std::string complaint(const std::string& from, const std::string& to) {
    std::string text = shape_json(everything().shape);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return invalid_input_message([&] { static_cast<void>(shape_from_json(text, "s.npz: stack")); });
}

TEST(StackFile, RefusesAnArchitectureThatIsNone) {
    EXPECT_EQ(complaint(R"("version":1)", R"("version":2)"),
              "s.npz: stack is of version 2, expected 1");
    for (const auto& [from, to, key] : {std::tuple{R"("d":4)", R"("d":0)", "d is 0"},
                                        {R"("d":4)", R"("d":"4")", "d reads"},
                                        {R"("heads":4)", R"("heads":5)", "do not divide"},
                                        {R"("key_size":2)", R"("key_size":3)", "rotary"},
                                        {R"("score":"linear")", R"("score":"max")", "score"},
                                        {R"("residual")", R"("residuals")", "unknown key"},
                                        {R"("readout")", R"("read")", "unknown key"},
                                        {R"("layers":[)", R"("layers":[3,)", "no JSON object"},
                                        {R"({"version")", R"("version")", "no JSON"}}) {
        EXPECT_NE(complaint(from, to).find(key), std::string::npos) << complaint(from, to);
    }
}

TEST(StackFile, RefusesArraysThatAreMissingOrTooMany) {
    NpzWriter none;
    none.add("Z", {DType::float64, {1}, {0.0}});
    const std::vector<std::byte> other = none.bytes();
    EXPECT_EQ(invalid_input_message(
                  [&] { static_cast<void>(read_stack(NpzReader::from_bytes(other, "z.npz"))); }),
              "z.npz: the key stack is missing: this is no stack of layers");
    NpzWriter bare;
    const std::string text = shape_json(stack_shape(1, 1, 1, 1, 1));
    NpyArray letters{DType::uint8, {static_cast<Index>(text.size())}, {}};
    letters.data.assign(text.begin(), text.end());
    bare.add("stack", letters);
    const std::vector<std::byte> bytes = bare.bytes();
    EXPECT_EQ(invalid_input_message(
                  [&] { static_cast<void>(read_stack(NpzReader::from_bytes(bytes, "s.npz"))); }),
              "s.npz: the array layers.0.groups.0.K is missing, expected shape (1, 1)");
    for (const char* name : {"groups.0.K", "groups.0.V", "heads.0.Q", "heads.0.O", "heads.1.Q"}) {
        bare.add(formatted("layers.0.{}", name), {DType::float64, {1, 1}, {1.0}});
    }
    const std::vector<std::byte> more = bare.bytes();
    EXPECT_EQ(invalid_input_message(
                  [&] { static_cast<void>(read_stack(NpzReader::from_bytes(more, "s.npz"))); }),
              "s.npz: layers.0.heads.1.Q is no array of this stack; leave it out or name it in the "
              "architecture");
}

TEST(StackFile, WritesNoNumberThatIsNotFinite) {
    Stack stack = everything();
    stack.parameters[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(invalid_input_message([&] { static_cast<void>(stack_bytes(stack)); }),
              "stack: a parameter is no finite number");
}

}  // namespace
}  // namespace attest::test
