// 12×4 (double) and 24×4 (float) micro-kernels on 256-bit registers: 12 accumulators, 3 row
// vectors, 1 broadcast.
#include "core/moments/gram_path.hpp"

#if defined(__x86_64__)

#include "core/moments/gram_compiler.hpp"

#include <immintrin.h>

#define ATTEST_TARGET __attribute__((target("avx2,fma")))
#define ATTEST_COLUMNS 4

// A vector type cannot be aliased by `using` in GCC 12, and the body comes once for each scalar.
// NOLINTBEGIN(modernize-use-using, readability-duplicate-include)
namespace attest {

namespace {

namespace f64 {

using Scalar = double;
typedef double Vector __attribute__((vector_size(32)));
constexpr Index kLanes = 4;
constexpr Index kColumns = ATTEST_COLUMNS;

ATTEST_TARGET ATTEST_INLINE Vector broadcast(double x) {
    return _mm256_set1_pd(x);
}

ATTEST_TARGET ATTEST_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
    return _mm256_fmadd_pd(a, b, c);
}

using Mask = __m256i;

ATTEST_TARGET ATTEST_INLINE Mask mask_from(Index lane) {
    return _mm256_cmpgt_epi64(_mm256_setr_epi64x(1, 2, 3, 4), _mm256_set1_epi64x(lane));
}

ATTEST_TARGET ATTEST_INLINE Vector load_over(Vector below, Mask mask, const double* from) {
    const Vector above = _mm256_maskload_pd(from, mask);
    return _mm256_blendv_pd(below, above, _mm256_castsi256_pd(mask));
}

ATTEST_TARGET ATTEST_INLINE Vector broadcast_over(Vector below, Mask mask, double x) {
    return _mm256_blendv_pd(below, _mm256_set1_pd(x), _mm256_castsi256_pd(mask));
}

#include "core/moments/gram_kernel_body.inc"

}  // namespace f64

namespace f32 {

using Scalar = float;
typedef float Vector __attribute__((vector_size(32)));
constexpr Index kLanes = 8;
constexpr Index kColumns = ATTEST_COLUMNS;

ATTEST_TARGET ATTEST_INLINE Vector broadcast(float x) {
    return _mm256_set1_ps(x);
}

ATTEST_TARGET ATTEST_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
    return _mm256_fmadd_ps(a, b, c);
}

using Mask = __m256i;

ATTEST_TARGET ATTEST_INLINE Mask mask_from(Index lane) {
    const __m256i lanes = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8);
    return _mm256_cmpgt_epi32(lanes, _mm256_set1_epi32(static_cast<int>(lane)));
}

ATTEST_TARGET ATTEST_INLINE Vector load_over(Vector below, Mask mask, const float* from) {
    const Vector above = _mm256_maskload_ps(from, mask);
    return _mm256_blendv_ps(below, above, _mm256_castsi256_ps(mask));
}

ATTEST_TARGET ATTEST_INLINE Vector broadcast_over(Vector below, Mask mask, float x) {
    return _mm256_blendv_ps(below, _mm256_set1_ps(x), _mm256_castsi256_ps(mask));
}

#include "core/moments/gram_kernel_body.inc"

}  // namespace f32

}  // namespace

const GramPathOf<double>* gram_path_avx2(double /*tag*/) {
    return &f64::kPath;
}

const GramPathOf<float>* gram_path_avx2(float /*tag*/) {
    return &f32::kPath;
}

}  // namespace attest

#else

namespace attest {

const GramPathOf<double>* gram_path_avx2(double /*tag*/) {
    return nullptr;
}

const GramPathOf<float>* gram_path_avx2(float /*tag*/) {
    return nullptr;
}

}  // namespace attest

// NOLINTEND(modernize-use-using, readability-duplicate-include)

#endif
