#pragma once

/// Stands before a loop whose iterations do not depend on each other, though its input and output may be one array. The
/// compiler then makes vector code without asking whether they overlap. Clang says when it could not, which is an error
/// here: a loop that stays scalar is a mistake.
///
/// Kernels are written as functions of one element, called in such loops: vector code and the elements that are left
/// over then come from one source and give the same bits, on every machine that rounds as IEEE 754 says.
#if defined(__clang__)
#define MT_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#else
#define MT_VECTORIZE _Pragma("GCC ivdep")
#endif
