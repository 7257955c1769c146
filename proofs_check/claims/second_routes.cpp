#include "proofs_check/claims/second_routes.hpp"

namespace attest {

const SecondRoute* second_route_of(std::string_view id) {
    for (const SecondRoute& route : second_routes()) {
        if (route.id == id) {
            return &route;
        }
    }
    return nullptr;
}

}  // namespace attest
