// Declarations of ours; see darwin.h.
#pragma once
#include "_types.h"
double floor(double value);
double ceil(double value);
double pow(double base, double exponent);
double log2(double value);
