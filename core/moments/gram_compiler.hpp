#pragma once

// Spellings the instruction-set files need of GCC and of clang.

#define ATTEST_INLINE inline __attribute__((always_inline))

#if defined(__clang__)
#define ATTEST_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ATTEST_UNROLL _Pragma("GCC unroll 16")
#endif
