// docs/sample-complexity.md quotes tables: each must be the committed one, line by line.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace attest {
namespace {

std::set<std::string> lines_of(const std::string& path) {
    std::set<std::string> lines;
    std::ifstream file(std::string(ATTEST_ROOT) + "/" + path);
    EXPECT_TRUE(file.good()) << path;
    for (std::string line; std::getline(file, line);) {
        lines.insert(line);
    }
    return lines;
}

/// How many lines of a committed table the page lacks.
int missing(const std::set<std::string>& page, const std::string& table) {
    int count = 0;
    for (const std::string& line : lines_of("results/" + table + ".md")) {
        count += page.contains(line) ? 0 : 1;
    }
    return count;
}

TEST(SampleComplexityPage, QuotesTheCommittedTables) {
    const std::set<std::string> page = lines_of("docs/sample-complexity.md");

    for (const char* table : {"full/tables/sample_complexity_slopes",
                              "quick/tables/robustness",
                              "quick/tables/robustness_prediction",
                              "quick/tables/length_generalisation_noise"}) {
        EXPECT_EQ(missing(page, table), 0) << table;
    }
    // The eight lines without noise are left out on the page.
    EXPECT_EQ(missing(page, "quick/tables/length_generalisation"), 8);
}

TEST(SampleComplexityPage, QuotesNoLineOfAnotherTable) {
    EXPECT_GT(missing(lines_of("docs/sample-complexity.md"), "full/tables/sample_complexity"), 0);
}

}  // namespace
}  // namespace attest
