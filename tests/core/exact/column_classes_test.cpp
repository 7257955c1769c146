#include "core/exact/column_classes.hpp"

#include "core/exact/integer_rows.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <array>

namespace attest {
namespace {

using Row = std::vector<IntegerEntry>;

/// Columns 0 and 2 agree, column 3 is −1 times column 1, column 4 is never active.
ColumnClasses five_columns() {
    ColumnClasses classes(5);
    classes.observe(Row{{0, 2}, {2, 2}});
    classes.observe(Row{{0, 1}, {2, 1}, {1, 3}, {3, -3}});
    classes.observe(Row{{1, 1}, {3, -1}});
    classes.close();
    return classes;
}

TEST(ColumnClasses, MergesColumnsThatAgreeUpToSign) {
    const ColumnClasses classes = five_columns();

    EXPECT_EQ(classes.num_active(), 4);
    EXPECT_EQ(classes.num_classes(), 2);
    EXPECT_EQ(classes.class_of(2), classes.class_of(0));
    EXPECT_EQ(classes.class_of(4), -1);
    EXPECT_EQ(classes.sign(2), 1);
    EXPECT_EQ(classes.sign(3), -1);
    EXPECT_EQ(classes.representative(1), 1);
}

TEST(ColumnClasses, ProjectsRowsThatKeepTheClassesAndNoOthers) {
    const ColumnClasses classes = five_columns();

    EXPECT_EQ(classes.project(Row{{3, 5}, {0, 1}, {1, -5}, {2, 1}}), (ClassRow{{1, -5}, {0, 1}}));
    EXPECT_FALSE(classes.project(Row{{0, 1}}).has_value());
    EXPECT_FALSE(classes.project(Row{{0, 1}, {2, 2}}).has_value());
    EXPECT_FALSE(classes.project(Row{{1, 1}, {3, 1}}).has_value());
    EXPECT_FALSE(classes.project(Row{{4, 1}}).has_value());
    // A failed projection leaves nothing behind.
    EXPECT_EQ(classes.project(Row{{0, 1}, {2, 1}}), (ClassRow{{0, 1}}));
}

TEST(ColumnClasses, NumbersTheRarestFirstWhenAsked) {
    ColumnClasses classes(5);
    classes.observe(Row{{0, 1}, {1, 2}});
    classes.observe(Row{{0, 1}, {2, -1}, {4, 1}});
    classes.observe(Row{{0, 3}, {1, 1}});
    classes.close(ClassOrder::rarest_first);

    // Column 2 occurs once and stands for column 4, column 1 occurs twice, column 0 always.
    EXPECT_EQ(classes.representative(0), 2);
    EXPECT_EQ(classes.representative(1), 1);
    EXPECT_EQ(classes.representative(2), 0);
    EXPECT_EQ(classes.class_of(4), 0);
    EXPECT_EQ(classes.sign(4), -1);
    EXPECT_EQ(classes.class_of(3), -1);
    EXPECT_EQ(classes.project(Row{{0, 1}, {2, -1}, {4, 1}}), (ClassRow{{2, 1}, {0, -1}}));
}

TEST(ColumnClasses, AClosedSetTakesNoMoreRows) {
    ColumnClasses classes = five_columns();
    EXPECT_REFUSED("ColumnClasses: the classes are closed", classes.observe(Row{{0, 1}}));
}

TEST(IntegerMap, SumsOverTheEntriesOfARow) {
    const IntegerMap map(2, 3, {{1, 2, 5}, {0, 0, 2}, {0, 2, -1}});

    EXPECT_EQ(map.apply(Row{{0, 3}, {2, 4}}), (std::vector<std::int64_t>{2, 20}));
    EXPECT_EQ(map.apply(Row{}), (std::vector<std::int64_t>{0, 0}));
}

TEST(IntegerMap, RefusesToWrapAroundAndEntriesOutside) {
    const std::int64_t big = std::int64_t{1} << 62;
    const IntegerMap map(1, 1, {{0, 0, big}});

    EXPECT_THROW((void)map.apply(Row{{0, 2}}), NotAvailable);
    EXPECT_REFUSED("IntegerMap: an entry lies outside the matrix", IntegerMap(1, 1, {{0, 1, 1}}));
}

}  // namespace
}  // namespace attest
