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

/* Stores an environment. */
int fegetenv(void *env)
{
	__magus_object(env);
	return __magus_open_int();
}

/* Stores the environment; the rounding mode stays. */
int feholdexcept(void *env)
{
	__magus_object(env);
	return __magus_open_int();
}

/* The rounding mode is to nearest for the default environment, else any, which no violation rests on. */
int fesetenv(const void *env)
{
	if (__magus_threads())
		__magus_unmodelled("rounding modes of threads");
	libc_rounding = env == (const void *)-1 ? 0 : __magus_unknown_int() & 0xc00;
	return __magus_open_int();
}

/* The same. */
int feupdateenv(const void *env)
{
	if (__magus_threads())
		__magus_unmodelled("rounding modes of threads");
	libc_rounding = env == (const void *)-1 ? 0 : __magus_unknown_int() & 0xc00;
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
