/* C11's locks. The first int of a mutex says how often it is held, which thread does from bit 20 on, and whether it is recursive. */

/* Free. */
int mtx_init(void *mutex, int type)
{
	__magus_succeeds();
	*(int *)mutex = type & 1 ? 1073741824 : 0;
	return 0;
}

/* Taken, or 0 where it is held: a recursive one by another thread, any other one by any. */
static int libc_mtx_take(void *mutex)
{
	int *held = mutex;
	int state = *held;
	if ((state & 1073741823) == 0) {
		*held = state + (__magus_thread() << 20) + 1;
		return 1;
	}
	if (state < 1073741824 || __magus_threads() && (state - 1073741824) >> 20 != __magus_thread())
		return 0;
	*held = state + 1;
	return 1;
}

/* Waits while it is held, for ever if by this thread, but for a recursive one. */
int mtx_lock(void *mutex)
{
	__magus_atomic_begin();
	if (!libc_mtx_take(mutex))
		__magus_wait();
	__magus_atomic_end();
	return 0;
}

/* thrd_busy where it is held, but for a recursive one; and, as C17 7.26.4.5 allows, at any time. */
int mtx_trylock(void *mutex)
{
	int taken = 0;
	if (__magus_open_int())
		return 1;
	__magus_atomic_begin();
	taken = libc_mtx_take(mutex);
	__magus_atomic_end();
	return taken ? 0 : 1;
}

/* thrd_timedout, at any time, where it is held; else as without a time. */
int mtx_timedlock(void *mutex, const void *until)
{
	int taken = 0;
	__magus_atomic_begin();
	taken = libc_mtx_take(mutex);
	__magus_atomic_end();
	return taken ? 0 : 4;
}

/* Held once less. */
int mtx_unlock(void *mutex)
{
	int *held = mutex;
	__magus_atomic_begin();
	if ((*held & 1048575) == 0 || __magus_threads() && (*held & 1073741823) >> 20 != __magus_thread())
		__magus_undefined("a mutex is unlocked that the thread does not hold");
	if ((*held & 1048575) <= 1)
		*held = *held & 1073741824;
	else
		--*held;
	__magus_atomic_end();
	return 0;
}

/* Does nothing. */
void mtx_destroy(void *mutex)
{
	if (__magus_threads() && *(int *)mutex & 1048575)
		__magus_undefined("a mutex is destroyed that is held");
}

/* thrd_success. */
int cnd_init(void *condition)
{
	__magus_succeeds();
	if (__magus_deadlocks())
		*(int *)condition = 0;
	return 0;
}

/* Does nothing. */
void cnd_destroy(void *condition)
{
}

/* A condition's first int is as for pthread_cond_signal. */
static void libc_cnd_signal(void *condition)
{
	int *waiting = condition;
	int which = __magus_open_int();
	__magus_atomic_begin();
	if (*waiting != 0) {
		__magus_assume(which >= 0 && which < 31 && *waiting >> which & 1);
		*waiting &= ~(1 << which);
	}
	__magus_atomic_end();
}

/* thrd_success: who waits may wake up at any time. */
int cnd_signal(void *condition)
{
	if (__magus_deadlocks())
		libc_cnd_signal(condition);
	return 0;
}

/* thrd_success: who waits may wake up at any time. */
int cnd_broadcast(void *condition)
{
	if (__magus_deadlocks()) {
		__magus_atomic_begin();
		*(int *)condition = 0;
		__magus_atomic_end();
	}
	return 0;
}

/* Free for a while, and held as before. */
static void libc_mtx_pass(void *mutex)
{
	int *held = mutex;
	int before = 0;
	__magus_atomic_begin();
	before = *held;
	if ((before & 1048575) == 0 || __magus_threads() && (before & 1073741823) >> 20 != __magus_thread())
		__magus_undefined("a condition is waited for with a mutex that the thread does not hold");
	*held = before & 1073741824;
	__magus_atomic_end();
	__magus_atomic_begin();
	if ((*held & 1073741823) != 0)
		__magus_wait();
	*held = before;
	__magus_atomic_end();
}

/* Waits for a signal, for ever if there is none, or until some time that comes; the mutex is free meanwhile, and held as before. */
static void libc_mtx_await(void *condition, void *mutex, int timed)
{
	int *held = mutex;
	int *waiting = condition;
	int before = 0;
	if (__magus_thread() > 30)
		__magus_unmodelled("more than 31 threads wait for conditions");
	__magus_atomic_begin();
	before = *held;
	if ((before & 1048575) == 0 || __magus_threads() && (before & 1073741823) >> 20 != __magus_thread())
		__magus_undefined("a condition is waited for with a mutex that the thread does not hold");
	*held = before & 1073741824;
	*waiting |= 1 << __magus_thread();
	__magus_atomic_end();
	__magus_atomic_begin();
	if (*waiting >> __magus_thread() & 1) {
		if (timed)
			__magus_assume(0);
		__magus_wait();
	}
	__magus_atomic_end();
	__magus_atomic_begin();
	if ((*held & 1073741823) != 0)
		__magus_wait();
	*held = before;
	__magus_atomic_end();
}

/* thrd_success, at any time, with the mutex held as before. */
int cnd_wait(void *condition, void *mutex)
{
	if (__magus_early())
		libc_mtx_pass(mutex);
	else
		libc_mtx_await(condition, mutex, 0);
	return 0;
}

/* thrd_success or thrd_timedout, at any time, with the mutex held as before. */
int cnd_timedwait(void *condition, void *mutex, const void *until)
{
	if (__magus_early())
		libc_mtx_pass(mutex);
	else
		libc_mtx_await(condition, mutex, 1);
	return __magus_open_int() ? 0 : 4;
}

/* thrd_success. */
int thrd_detach(unsigned long thread)
{
	return 0;
}

/* Any number, always the same: the only thread. */
unsigned long thrd_current(void)
{
	unsigned long n = __magus_long();
	__magus_assume(n == libc_self);
	return n;
}

/* Whether they are the same. */
int thrd_equal(unsigned long a, unsigned long b)
{
	return a == b;
}

/* Does nothing: other threads may always run. */
void thrd_yield(void)
{
}

/* Calls the function the first time; other threads wait until it has returned. */
void call_once(int *once, void (*init)(void))
{
	int first = 0;
	__magus_atomic_begin();
	if (*once == 0) {
		*once = 1;
		first = 1;
	} else if (*once == 1)
		__magus_wait();
	__magus_atomic_end();
	if (first) {
		init();
		__magus_atomic_begin();
		*once = 2;
		__magus_atomic_end();
	}
}
