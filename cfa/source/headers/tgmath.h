#ifndef __MAGUS_TGMATH_H
#define __MAGUS_TGMATH_H
/* The functions of math.h and complex.h for any type of argument: those for
   double stand for all, since a floating-point value is any value. */
#include <math.h>
#include <complex.h>
#endif
