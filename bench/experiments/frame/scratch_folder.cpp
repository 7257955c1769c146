#include "bench/experiments/frame/scratch_folder.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

namespace attest {

ScratchFolder::ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "attest-race-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw EnvironmentFailure(formatted("{}: no temporary folder can be made", name));
    }
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace attest
