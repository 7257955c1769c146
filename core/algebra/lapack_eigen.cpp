#include "core/algebra/lapack.hpp"
