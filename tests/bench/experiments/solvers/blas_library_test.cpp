#include "bench/experiments/solvers/blas_library.hpp"

#include "core/base/error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest {
namespace {

class Libraries {
public:
    void add(const std::string& folder, const std::string& file) const {
        std::filesystem::create_directories(root() / "machine" / folder);
        std::ofstream(root() / "machine" / folder / file) << "x";
    }

    [[nodiscard]] std::filesystem::path root() const { return folder_.file("lib"); }

private:
    test::TemporaryFolder folder_;
};

TEST(BlasLibrary, PutsTheLibraryBeforeTheReferenceLapack) {
    Libraries libraries;
    libraries.add("blis-pthread", "libblas.so.3");
    libraries.add("lapack", "liblapack.so.3");
    const std::string machine = (libraries.root() / "machine").string();

    EXPECT_EQ(blas_library_path("blis", libraries.root()),
              machine + "/blis-pthread:" + machine + "/lapack");
}

TEST(BlasLibrary, SaysWhatToInstall) {
    Libraries libraries;
    libraries.add("blis-pthread", "libblas.so.3");
    for (const std::string_view name : {"openblas", "blis", "reference"}) {
        EXPECT_THROW((void)blas_library_path(name, libraries.root()), NotAvailable) << "no LAPACK";
    }
    libraries.add("lapack", "liblapack.so.3");
    EXPECT_NO_THROW((void)blas_library_path("blis", libraries.root()));
    EXPECT_THROW((void)blas_library_path("reference", libraries.root()), NotAvailable);
    EXPECT_THROW((void)blas_library_path("mkl", libraries.root()), UnknownName);
}

}  // namespace
}  // namespace attest
