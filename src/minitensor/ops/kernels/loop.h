#pragma once

/// Stands before a loop whose iterations do not depend on each other, though its input and output may be one array. The
/// compiler then makes vector code without asking whether they overlap. Clang says when it could not, which is an error
/// here: a loop that stays scalar is a mistake.
///
/// Kernels are written as functions of one element, called in such loops: vector code and the elements that are left
/// over then come from one source and give the same bits, on every machine that rounds as IEEE 754 says.
/// MT_COMPACT: the opposite, before the loops of a kernel that are not worth more code than they need.
#if defined(__clang__)
#define MT_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#define MT_COMPACT _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define MT_VECTORIZE _Pragma("GCC ivdep")
#define MT_COMPACT _Pragma("GCC unroll 1")
#endif
