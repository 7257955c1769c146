#include "core/rng/philox.hpp"

#include <Random123/philox.h>

namespace attest {

PhiloxCounter philox(const PhiloxCounter& counter, const PhiloxKey& key) {
    const philox4x32_ctr_t block =
        philox4x32_R(10,
                     philox4x32_ctr_t{{counter[0], counter[1], counter[2], counter[3]}},
                     philox4x32_key_t{{key[0], key[1]}});
    return {block.v[0], block.v[1], block.v[2], block.v[3]};
}

}  // namespace attest
