#include "core/base/sha256.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string_view>

namespace attest {

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

// The examples NIST publishes with FIPS 180-4.
TEST(Sha256, AgreesWithThePublishedVectors) {
    EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(bytes_of("abc")),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(bytes_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                              "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu")),
              "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

TEST(Sha256, AgreesWithThePublishedVectorOfAMillionLetters) {
    const std::string thousand(1000, 'a');

    Sha256 hash;
    for (int i = 0; i < 1000; ++i) {
        hash.update(bytes_of(thousand));
    }

    EXPECT_EQ(hash.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Lengths 55, 56, 63, 64, 65 straddle the place where the padding needs a further block; digests by
// sha256sum.
TEST(Sha256, PadsAtTheEdgesOfABlock) {
    EXPECT_EQ(sha256(bytes_of(std::string(55, 'a'))),
              "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    EXPECT_EQ(sha256(bytes_of(std::string(56, 'a'))),
              "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    EXPECT_EQ(sha256(bytes_of(std::string(63, 'a'))),
              "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    EXPECT_EQ(sha256(bytes_of(std::string(64, 'a'))),
              "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    EXPECT_EQ(sha256(bytes_of(std::string(65, 'a'))),
              "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0");
}

TEST(Sha256, GoesOnAfterADigestWasTaken) {
    Sha256 hash;
    hash.update(bytes_of("a"));

    EXPECT_NE(hash.hex(), sha256(bytes_of("abc")));
    hash.update(bytes_of("bc"));

    EXPECT_EQ(hash.hex(), sha256(bytes_of("abc")));
}

RC_GTEST_PROP(Sha256, DoesNotDependOnHowTheBytesAreCut, (const std::string& text)) {
    const auto size = static_cast<std::size_t>(*rc::gen::inRange(1, 200));

    Sha256 hash;
    std::span<const std::byte> rest = bytes_of(text);
    while (!rest.empty()) {
        const std::size_t taken = std::min(size, rest.size());
        hash.update(rest.first(taken));
        rest = rest.subspan(taken);
    }

    RC_ASSERT(hash.hex() == sha256(bytes_of(text)));
}

RC_GTEST_PROP(Sha256, ChangesWithEveryBit, ()) {
    std::string text = *rc::gen::nonEmpty<std::string>();
    const std::string before = sha256(bytes_of(text));
    const auto at =
        static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size())));
    const int bit = *rc::gen::inRange(0, 8);

    text[at] = static_cast<char>(text[at] ^ (1 << bit));

    RC_ASSERT(sha256(bytes_of(text)) != before);
}

}  // namespace attest
