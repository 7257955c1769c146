// The headers below are included for their version numbers only.
#include "core/base/text.hpp"
#include "record/provenance.hpp"

#include <Eigen/Core>
#include <boost/version.hpp>
#include <flint/flint.h>
#include <gmp.h>
#include <nlohmann/json.hpp>
#include <zip.h>
#include <zlib.h>

namespace attest {

std::map<std::string, std::string> library_versions() {
    return {
        {"boost",
         formatted(
             "{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
        {"eigen",
         formatted("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
        {"flint", static_cast<const char*>(flint_version)},
        {"gmp", gmp_version},
        {"libzip", zip_libzip_version()},
        {"nlohmann_json",
         formatted("{}.{}.{}",
                   NLOHMANN_JSON_VERSION_MAJOR,
                   NLOHMANN_JSON_VERSION_MINOR,
                   NLOHMANN_JSON_VERSION_PATCH)},
        {"zlib", zlibVersion()}};
}

}  // namespace attest
