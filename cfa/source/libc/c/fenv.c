/* The floating-point environment: the rounding mode, which arithmetic follows. Of exceptions nothing is known. */

static int libc_rounding;

/* Sets the rounding mode, if it is one. */
int fesetround(int mode)
{
	if (__magus_threads())
		__magus_unmodelled("rounding modes of threads");
	if (mode != 0 && mode != 0x400 && mode != 0x800 && mode != 0xc00)
		return 1;
	libc_rounding = mode;
	return 0;
}

/* The rounding mode. */
int fegetround(void)
{
	return libc_rounding;
}

/* Stores an environment: the rounding mode, with which it begins, and others, which are not modelled. */
int fegetenv(void *env)
{
	__magus_object(env);
	*(unsigned int *)env = (unsigned int)libc_rounding;
	return __magus_open_int();
}

/* The same; the rounding mode stays. */
int feholdexcept(void *env)
{
	__magus_object(env);
	*(unsigned int *)env = (unsigned int)libc_rounding;
	return __magus_open_int();
}

/* The rounding mode is that of the environment, to nearest for the default one. */
int fesetenv(const void *env)
{
	if (__magus_threads())
		__magus_unmodelled("rounding modes of threads");
	libc_rounding = env == (const void *)-1 ? 0 : (int)(*(const unsigned int *)env & 0xc00);
	return __magus_open_int();
}

/* The same. */
int feupdateenv(const void *env)
{
	if (__magus_threads())
		__magus_unmodelled("rounding modes of threads");
	libc_rounding = env == (const void *)-1 ? 0 : (int)(*(const unsigned int *)env & 0xc00);
	return __magus_open_int();
}

/* Any exceptions, which no violation rests on. */
int fetestexcept(int excepts)
{
	return __magus_unknown_int() & excepts;
}

/* Nothing that is modelled. */
int feclearexcept(int excepts)
{
	return __magus_open_int();
}

/* Nothing that is modelled. */
int feraiseexcept(int excepts)
{
	return __magus_open_int();
}
