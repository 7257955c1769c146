#include "cli/claims_code.hpp"

namespace attest::cli {

ExitCode claims_code(const std::vector<Agreement>& claims) {
    switch (joint_agreement(claims)) {
        case Agreement::differs:
            return kDoesNotHold;
        case Agreement::undecided:
            return kUndecided;
        case Agreement::as_documented:
            break;
    }
    return kHolds;
}

}  // namespace attest::cli
