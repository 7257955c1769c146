#include "proofs_check/checker/digest.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::checker {
namespace {

TEST(Sha256, GivesThePublishedExamples) {
    // FIPS 180-4 examples and NIST CAVP.
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PadsMessagesAroundABlock) {
    // sha256sum of that many letters a.
    EXPECT_EQ(sha256(std::string(55, 'a')),
              "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    EXPECT_EQ(sha256(std::string(56, 'a')),
              "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    EXPECT_EQ(sha256(std::string(63, 'a')),
              "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    EXPECT_EQ(sha256(std::string(64, 'a')),
              "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Describe, IsTheShapeAndTheDigestOfTheCanonicalBytes) {
    Dataset data;
    data.d = 2;
    data.o = 1;
    data.offsets = {0, 1, 3};
    data.query = {0, 1};
    data.y = {0.5, -2};
    data.tokens = {1, 2, 3, 4, 5, 6};
    data.num_examples = 2;

    // hashlib.sha256(b"attest-dataset-1\n" + struct.pack("<11q", 2, 1, 1, 2, 3, 0, 1, 3, 1, 0, 1) +
    //                struct.pack("<8d", .5, -2, 1, 2, 3, 4, 5, 6)).hexdigest()
    EXPECT_EQ(describe(data),
              "dimension 2 outputs 1 labels per_sequence sequences 2 tokens 3 sha256 "
              "e5f24117fc08faa05e134b9bdf205b1fb729f1d8180a2d1968fe4bb4d30bc891");
}

TEST(Describe, IncludesWhatLayersRead) {
    Dataset data;
    data.d = 1;
    data.offsets = {0, 1, 3};
    data.tokens = {1, 2, 3};
    data.num_examples = 2;
    data.x = {2, {5, 6, 7, 8}};
    data.gates = {1, {0.5, 0.25, 0}};

    // hashlib.sha256(b"attest-dataset-2\n" + struct.pack("<9q", 1, 0, 0, 2, 3, 0, 1, 3, 0) +
    //                struct.pack("<3d", 1, 2, 3) + struct.pack("<2q4d", 2, 2, 5, 6, 7, 8) +
    //                struct.pack("<2q", 0, 0) + struct.pack("<2q3d", 1, 3, .5, .25, 0) +
    //                struct.pack("<4q", 0, 0, 0, 0)).hexdigest()
    EXPECT_EQ(describe(data),
              "dimension 1 outputs 0 labels none sequences 2 tokens 3 sha256 "
              "7fdb0a5cf680b6bbbf7b9507211b26bc434497eea6bc391dddec5ee35c6ae30a");
}

TEST(Describe, TellsTheLabelKindsApart) {
    Dataset data;
    data.d = 1;
    data.offsets = {0, 1};
    data.tokens = {1};
    data.num_examples = 1;
    const std::string unlabelled = describe(data);

    data.o = 1;
    data.y = {0};
    const std::string per_sequence = describe(data);
    data.prefixes = true;
    const std::string per_prefix = describe(data);

    EXPECT_SAYS(unlabelled, "outputs 0 labels none");
    EXPECT_SAYS(per_prefix, "outputs 1 labels per_prefix");
    EXPECT_NE(per_sequence.substr(per_sequence.size() - 64),
              per_prefix.substr(per_prefix.size() - 64));
}

}  // namespace
}  // namespace attest::checker
