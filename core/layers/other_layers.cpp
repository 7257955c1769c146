#include "core/layers/other_layers.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace attest {

namespace {

struct OtherLayer {
    std::string_view name;  ///< small letters without separators
    std::string_view way;
};

constexpr std::string_view kDelta =
    "DeltaNet's state depends on the keys; record keys, strengths and gates: --layer delta, "
    "\"delta gates\" or \"delta gates=vector\", docs/families.md 3.12 (attest kernel check "
    "judges a kernel of it)";
constexpr std::string_view kSoftmax =
    "softmax attention is no member of the family; attest distil finds the best one in its "
    "place, docs/distil.md";
constexpr std::string_view kMamba =
    "Mamba's gates and steps depend on the token; record them: --layer \"gates cross\", "
    "docs/families.md 3.7";
constexpr std::string_view kGla =
    "GLA's gates depend on the token; record them: --layer \"mapped gates=vector\", "
    "docs/families.md 3.8";
constexpr std::string_view kRwkv =
    "RWKV's decays and keys depend on the token; record them, compute the states and bring them "
    "as s and u: --layer moments, docs/families.md 3.11";

constexpr std::array<OtherLayer, 17> kOthers{{{"delta", kDelta},  // where weights are imported
                                              {"deltanet", kDelta},
                                              {"deltarule", kDelta},
                                              {"gateddelta", kDelta},
                                              {"gateddeltanet", kDelta},
                                              {"gdn", kDelta},
                                              {"kda", kDelta},
                                              {"softmax", kSoftmax},
                                              {"attention", kSoftmax},
                                              {"mha", kSoftmax},
                                              {"transformer", kSoftmax},
                                              {"mamba", kMamba},
                                              {"mamba2", kMamba},
                                              {"ssd", kMamba},
                                              {"gla", kGla},
                                              {"gatedlinearattention", kGla},
                                              {"rwkv", kRwkv}}};

}  // namespace

std::string way_to_ask(std::string_view name) {
    std::string letters;
    for (const char c : name) {
        const auto code = static_cast<unsigned char>(c);
        if (std::isalnum(code) != 0) {
            letters += static_cast<char>(std::tolower(code));
        }
    }
    const auto* const found =
        std::find_if(kOthers.begin(), kOthers.end(), [&](const OtherLayer& each) {
            return each.name == letters;
        });
    return found == kOthers.end() ? "" : std::string(found->way);
}

}  // namespace attest
