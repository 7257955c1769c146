// 6×4 (double) and 12×4 (float) micro-kernels in the compilers' generic 128-bit vectors: SSE2, NEON
// or scalar code.
#include "core/moments/gram_compiler.hpp"
#include "core/moments/gram_path.hpp"

#define ATTEST_TARGET
#define ATTEST_COLUMNS 4

// A vector type cannot be aliased by `using` in GCC 12, and the body comes once for each scalar.
// NOLINTBEGIN(modernize-use-using, readability-duplicate-include)
namespace attest {

namespace {

namespace f64 {

using Scalar = double;
typedef double Vector __attribute__((vector_size(16)));
constexpr Index kLanes = 2;
constexpr Index kColumns = ATTEST_COLUMNS;

ATTEST_INLINE Vector broadcast(double x) {
    return Vector{x, x};
}

ATTEST_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
#if defined(__FP_FAST_FMA)
    return Vector{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
#else
    return a * b + c;
#endif
}

using Mask = Index;

ATTEST_INLINE Mask mask_from(Index lane) {
    return lane;
}

ATTEST_INLINE Vector load_over(Vector below, Mask mask, const double* from) {
    for (Index lane = mask; lane < kLanes; ++lane) {
        below[lane] = from[lane];
    }
    return below;
}

ATTEST_INLINE Vector broadcast_over(Vector below, Mask mask, double x) {
    for (Index lane = mask; lane < kLanes; ++lane) {
        below[lane] = x;
    }
    return below;
}

#include "core/moments/gram_kernel_body.inc"

}  // namespace f64

namespace f32 {

using Scalar = float;
typedef float Vector __attribute__((vector_size(16)));
constexpr Index kLanes = 4;
constexpr Index kColumns = ATTEST_COLUMNS;

ATTEST_INLINE Vector broadcast(float x) {
    return Vector{x, x, x, x};
}

ATTEST_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
#if defined(__FP_FAST_FMAF)
    return Vector{__builtin_fmaf(a[0], b[0], c[0]),
                  __builtin_fmaf(a[1], b[1], c[1]),
                  __builtin_fmaf(a[2], b[2], c[2]),
                  __builtin_fmaf(a[3], b[3], c[3])};
#else
    return a * b + c;
#endif
}

using Mask = Index;

ATTEST_INLINE Mask mask_from(Index lane) {
    return lane;
}

ATTEST_INLINE Vector load_over(Vector below, Mask mask, const float* from) {
    for (Index lane = mask; lane < kLanes; ++lane) {
        below[lane] = from[lane];
    }
    return below;
}

ATTEST_INLINE Vector broadcast_over(Vector below, Mask mask, float x) {
    for (Index lane = mask; lane < kLanes; ++lane) {
        below[lane] = x;
    }
    return below;
}

#include "core/moments/gram_kernel_body.inc"

}  // namespace f32

}  // namespace

const GramPathOf<double>* gram_path_portable(double /*tag*/) {
    return &f64::kPath;
}

const GramPathOf<float>* gram_path_portable(float /*tag*/) {
    return &f32::kPath;
}

}  // namespace attest

// NOLINTEND(modernize-use-using, readability-duplicate-include)
