#pragma once

/// Elementary functions of one float64. They are made of the four operations and square roots alone, so that they give
/// the same bits on every machine, and share one logarithm and one exponential, which need no tables. Edge cases are
/// those of C. docs/numerics.md states the errors.
namespace minitensor::kernels::float64 {

double exp(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double log2(double x);
double log10(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double pow(double x, double y);
double sin(double x);
double cos(double x);
double tan(double x);
double atan2(double y, double x);
double erf(double x);
/// The distribution function of the normal distribution with mean 0 and variance 1.
double normal(double x);

}  // namespace minitensor::kernels::float64
