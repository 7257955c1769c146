#include "record/xml_text.hpp"

#include <gtest/gtest.h>

namespace {

TEST(XmlText, MarkupAndQuotesBecomeEntities) {
    EXPECT_EQ(attest::xml_text("x < y & y > \"z\"'s"), "x &lt; y &amp; y &gt; &quot;z&quot;'s");
}

TEST(XmlText, ControlCharactersBecomeSpacesAndUnicodeStays) {
    EXPECT_EQ(attest::xml_text("λ\nψ\x01!"), "λ ψ !");
}

}  // namespace
