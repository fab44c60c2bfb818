// Declarations of ours; see darwin.h.
// Pages: man 3 and the name.
#pragma once
#include "_types.h"
double floor(double value);
double ceil(double value);
double pow(double base, double exponent);
double log2(double value);
