// 24×9 (double) and 48×9 (float) micro-kernels on 512-bit registers: 27 accumulators, 3 row
// vectors, 1 broadcast.
#include "core/moments/gram_path.hpp"

#if defined(__x86_64__)

#include "core/moments/gram_compiler.hpp"

#include <immintrin.h>

#define ATTEST_TARGET __attribute__((target("avx512f")))
#define ATTEST_COLUMNS 9

// A vector type cannot be aliased by `using` in GCC 12, and the body comes once for each scalar.
// NOLINTBEGIN(modernize-use-using, readability-duplicate-include)
namespace attest {

namespace {

namespace f64 {

using Scalar = double;
typedef double Vector __attribute__((vector_size(64)));
constexpr Index kLanes = 8;
constexpr Index kColumns = ATTEST_COLUMNS;

ATTEST_TARGET ATTEST_INLINE Vector broadcast(double x) {
    return _mm512_set1_pd(x);
}

ATTEST_TARGET ATTEST_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
    return _mm512_fmadd_pd(a, b, c);
}

using Mask = __mmask8;

ATTEST_TARGET ATTEST_INLINE Mask mask_from(Index lane) {
    return static_cast<Mask>(~0U << lane);
}

ATTEST_TARGET ATTEST_INLINE Vector load_over(Vector below, Mask mask, const double* from) {
    return _mm512_mask_loadu_pd(below, mask, from);
}

ATTEST_TARGET ATTEST_INLINE Vector broadcast_over(Vector below, Mask mask, double x) {
    return _mm512_mask_mov_pd(below, mask, _mm512_set1_pd(x));
}

#include "core/moments/gram_kernel_body.inc"

}  // namespace f64

namespace f32 {

using Scalar = float;
typedef float Vector __attribute__((vector_size(64)));
constexpr Index kLanes = 16;
constexpr Index kColumns = ATTEST_COLUMNS;

ATTEST_TARGET ATTEST_INLINE Vector broadcast(float x) {
    return _mm512_set1_ps(x);
}

ATTEST_TARGET ATTEST_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
    return _mm512_fmadd_ps(a, b, c);
}

using Mask = __mmask16;

ATTEST_TARGET ATTEST_INLINE Mask mask_from(Index lane) {
    return static_cast<Mask>(~0U << lane);
}

ATTEST_TARGET ATTEST_INLINE Vector load_over(Vector below, Mask mask, const float* from) {
    return _mm512_mask_loadu_ps(below, mask, from);
}

ATTEST_TARGET ATTEST_INLINE Vector broadcast_over(Vector below, Mask mask, float x) {
    return _mm512_mask_mov_ps(below, mask, _mm512_set1_ps(x));
}

#include "core/moments/gram_kernel_body.inc"

}  // namespace f32

}  // namespace

const GramPathOf<double>* gram_path_avx512(double /*tag*/) {
    return &f64::kPath;
}

const GramPathOf<float>* gram_path_avx512(float /*tag*/) {
    return &f32::kPath;
}

}  // namespace attest

#else

namespace attest {

const GramPathOf<double>* gram_path_avx512(double /*tag*/) {
    return nullptr;
}

const GramPathOf<float>* gram_path_avx512(float /*tag*/) {
    return nullptr;
}

}  // namespace attest

// NOLINTEND(modernize-use-using, readability-duplicate-include)

#endif
