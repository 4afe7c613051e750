/* Floating point: any value. */

/* Any number. */
double acos(double x)
{
	return __magus_double();
}

/* Any number. */
double asin(double x)
{
	return __magus_double();
}

/* Any number. */
double atan(double x)
{
	return __magus_double();
}

/* Any number. */
double cos(double x)
{
	return __magus_double();
}

/* Any number. */
double sin(double x)
{
	return __magus_double();
}

/* Any number. */
double tan(double x)
{
	return __magus_double();
}

/* Any number. */
double acosh(double x)
{
	return __magus_double();
}

/* Any number. */
double asinh(double x)
{
	return __magus_double();
}

/* Any number. */
double atanh(double x)
{
	return __magus_double();
}

/* Any number. */
double cosh(double x)
{
	return __magus_double();
}

/* Any number. */
double sinh(double x)
{
	return __magus_double();
}

/* Any number. */
double tanh(double x)
{
	return __magus_double();
}

/* Any number. */
double exp(double x)
{
	return __magus_double();
}

/* Any number. */
double exp2(double x)
{
	return __magus_double();
}

/* Any number. */
double expm1(double x)
{
	return __magus_double();
}

/* Any number. */
double log(double x)
{
	return __magus_double();
}

/* Any number. */
double log10(double x)
{
	return __magus_double();
}

/* Any number. */
double log2(double x)
{
	return __magus_double();
}

/* Any number. */
double log1p(double x)
{
	return __magus_double();
}

/* Any number. */
double sqrt(double x)
{
	return __magus_double();
}

/* Any number. */
double cbrt(double x)
{
	return __magus_double();
}

/* Any number. */
double ceil(double x)
{
	return __magus_double();
}

/* Any number. */
double floor(double x)
{
	return __magus_double();
}

/* Any number. */
double fabs(double x)
{
	return __magus_double();
}

/* Any number. */
double round(double x)
{
	return __magus_double();
}

/* Any number. */
double trunc(double x)
{
	return __magus_double();
}

/* Any number. */
double rint(double x)
{
	return __magus_double();
}

/* Any number. */
double nearbyint(double x)
{
	return __magus_double();
}

/* Any number. */
double atan2(double x, double y)
{
	return __magus_double();
}

/* Any number. */
double pow(double x, double y)
{
	return __magus_double();
}

/* Any number. */
double fmod(double x, double y)
{
	return __magus_double();
}

/* Any number. */
double hypot(double x, double y)
{
	return __magus_double();
}

/* Any number. */
double fmin(double x, double y)
{
	return __magus_double();
}

/* Any number. */
double fmax(double x, double y)
{
	return __magus_double();
}

/* Any number. */
double copysign(double x, double y)
{
	return __magus_double();
}

/* Any number. */
double ldexp(double x, int n)
{
	return __magus_double();
}

/* Any number, and any exponent. */
double frexp(double x, int *exponent)
{
	*exponent = __magus_unknown_int();
	return __magus_double();
}

/* Any number, and any whole part. */
double modf(double x, double *whole)
{
	*whole = __magus_double();
	return __magus_double();
}
