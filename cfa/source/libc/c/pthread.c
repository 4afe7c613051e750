/* Locks. The first int of a lock is its state: 0 where nobody holds it, else how often, and which thread does from bit 20 on.
   What must not be interrupted is a section. Where a component creates no threads, sections are nothing. */

/* Where the kind of a mutex stands, which a static initialiser may give: in glibc, and in the headers that come with magus. */
static int libc_mutex_kind(void *mutex)
{
	int *words = mutex;
	return sizeof(long) == 8 ? (words[2] | words[4]) & 3 : (words[1] | words[3]) & 3;
}

/* Free, and of the kind that the attributes ask for. */
int pthread_mutex_init(void *mutex, const void *attributes)
{
	__magus_succeeds();
	int *words = mutex;
	words[0] = 0;
	words[sizeof(long) == 8 ? 2 : 1] = 0;
	words[sizeof(long) == 8 ? 4 : 3] = attributes ? *(const int *)attributes & 3 : 0;
	return 0;
}

/* Whether another thread has what is in this state. */
static int libc_others(int state)
{
	return __magus_threads() && state >> 20 != __magus_thread();
}

/* Held once more by the thread that holds it: EDEADLK if it checks errors, busy if it is not recursive. */
static int libc_mutex_again(void *mutex, int busy)
{
	int *held = mutex;
	int kind = libc_mutex_kind(mutex);
	if (kind == 2)
		return busy == 16 ? 16 : 35;
	if (kind != 1) {
		if (busy == 0)
			__magus_wait();
		return busy;
	}
	if ((*held & 0xfffff) == 0xfffff)
		return 11;
	++*held;
	return 0;
}

/* Waits while it is held, for ever if by this thread; but for a recursive mutex (it is held once more) and one that checks errors (EDEADLK). */
int pthread_mutex_lock(void *mutex)
{
	int *held = mutex;
	int result = 0;
	__magus_atomic_begin();
	if (*held != 0) {
		if (libc_others(*held))
			__magus_wait();
		result = libc_mutex_again(mutex, 0);
	} else
		*held = (__magus_thread() << 20) + 1;
	__magus_atomic_end();
	return result;
}

/* EBUSY where it is held, but for a recursive mutex. */
int pthread_mutex_trylock(void *mutex)
{
	int *held = mutex;
	int result = 0;
	__magus_atomic_begin();
	if (*held != 0) {
		if (libc_others(*held))
			result = 16;
		else
			result = libc_mutex_again(mutex, 16);
	} else
		*held = (__magus_thread() << 20) + 1;
	__magus_atomic_end();
	return result;
}

/* ETIMEDOUT, at any time, where it is held; else as without a time. */
int pthread_mutex_timedlock(void *mutex, const void *until)
{
	int *held = mutex;
	int result = 0;
	__magus_atomic_begin();
	if (*held != 0) {
		if (libc_others(*held))
			result = 110;
		else
			result = libc_mutex_again(mutex, 110);
	} else
		*held = (__magus_thread() << 20) + 1;
	__magus_atomic_end();
	return result;
}

/* EPERM where this thread does not hold it, if it is recursive or checks errors; other mutexes are free then, as in glibc. */
int pthread_mutex_unlock(void *mutex)
{
	int *held = mutex;
	int result = 0;
	__magus_atomic_begin();
	if (*held == 0 || libc_others(*held)) {
		int kind = libc_mutex_kind(mutex);
		if (kind == 1 || kind == 2)
			result = 1;
		else if (__magus_threads()) {
			__magus_undefined("a mutex is unlocked that the thread does not hold");
			*held = 0;
		}
	} else if (__magus_threads() && (*held & 0xfffff) == 1)
		*held = 0;
	else
		--*held;
	__magus_atomic_end();
	return result;
}

/* EBUSY where it is held. */
int pthread_mutex_destroy(void *mutex)
{
	if (*(int *)mutex) {
		if (__magus_threads())
			__magus_undefined("a mutex is destroyed that is held");
		return 16;
	}
	return 0;
}

/* The default kind. */
int pthread_mutexattr_init(void *attributes)
{
	__magus_succeeds();
	*(int *)attributes = 0;
	return 0;
}

/* Always succeeds. */
int pthread_mutexattr_destroy(void *attributes)
{
	return 0;
}

/* EINVAL for a kind that is none. */
int pthread_mutexattr_settype(void *attributes, int kind)
{
	if (kind < 0 || kind > 3)
		return 22;
	*(int *)attributes = kind;
	return 0;
}

/* The kind. */
int pthread_mutexattr_gettype(const void *attributes, int *kind)
{
	*kind = *(const int *)attributes & 3;
	return 0;
}

/* Always succeeds. */
int pthread_mutexattr_setpshared(void *attributes, int shared)
{
	__magus_succeeds();
	return 0;
}

/* Always succeeds. */
int pthread_mutexattr_setprotocol(void *attributes, int protocol)
{
	__magus_succeeds();
	return 0;
}

/* Calls the function the first time; other threads wait until it has returned. */
int pthread_once(int *once, void (*init)(void))
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
	return 0;
}

/* Free. */
int pthread_rwlock_init(void *lock, const void *attributes)
{
	__magus_succeeds();
	*(int *)lock = 0;
	return 0;
}

/* EBUSY where it is held. */
int pthread_rwlock_destroy(void *lock)
{
	if (*(int *)lock) {
		if (__magus_threads())
			__magus_undefined("a read-write lock is destroyed that is held");
		return 16;
	}
	return 0;
}

/* Held by one reader more; EDEADLK where this thread holds it for writing. */
int pthread_rwlock_rdlock(void *lock)
{
	int *readers = lock;
	int result = 0;
	__magus_atomic_begin();
	if (*readers < 0) {
		if (__magus_threads() && *readers != -1 - __magus_thread())
			__magus_wait();
		result = 35;
	} else if (*readers == 2147483647)
		result = 11;
	else
		++*readers;
	__magus_atomic_end();
	return result;
}

/* Held by one reader more; EBUSY where it is held for writing. */
int pthread_rwlock_tryrdlock(void *lock)
{
	int *readers = lock;
	int result = 0;
	__magus_atomic_begin();
	if (*readers < 0)
		result = 16;
	else if (*readers == 2147483647)
		result = 11;
	else
		++*readers;
	__magus_atomic_end();
	return result;
}

/* Held for writing; EDEADLK where this thread does so, and for ever where it reads. */
int pthread_rwlock_wrlock(void *lock)
{
	int *readers = lock;
	int result = 0;
	__magus_atomic_begin();
	if (*readers < 0) {
		if (__magus_threads() && *readers != -1 - __magus_thread())
			__magus_wait();
		result = 35;
	} else if (*readers > 0)
		__magus_wait();
	else
		*readers = -1 - __magus_thread();
	__magus_atomic_end();
	return result;
}

/* Held for writing, or EBUSY. */
int pthread_rwlock_trywrlock(void *lock)
{
	int *readers = lock;
	int result = 0;
	__magus_atomic_begin();
	if (*readers != 0)
		result = 16;
	else
		*readers = -1 - __magus_thread();
	__magus_atomic_end();
	return result;
}

/* Held by one less; which threads read is not told apart. */
int pthread_rwlock_unlock(void *lock)
{
	int *readers = lock;
	__magus_atomic_begin();
	if (__magus_threads() && (*readers == 0 || *readers < 0 && *readers != -1 - __magus_thread()))
		__magus_undefined("a read-write lock is unlocked that the thread does not hold");
	if (*readers < 0)
		*readers = 0;
	else if (*readers > 0)
		--*readers;
	__magus_atomic_end();
	return 0;
}

/* Free. */
int pthread_spin_init(int *lock, int shared)
{
	__magus_succeeds();
	*lock = 0;
	return 0;
}

/* Always succeeds. */
int pthread_spin_destroy(int *lock)
{
	if (__magus_threads() && *lock != 0)
		__magus_undefined("a spin lock is destroyed that is held");
	return 0;
}

/* Waits while it is held, for ever if by this thread, whose number is kept. */
int pthread_spin_lock(int *lock)
{
	__magus_atomic_begin();
	if (*lock != 0)
		__magus_wait();
	*lock = __magus_thread() + 1;
	__magus_atomic_end();
	return 0;
}

/* EBUSY where it is held. */
int pthread_spin_trylock(int *lock)
{
	int result = 0;
	__magus_atomic_begin();
	if (*lock != 0)
		result = 16;
	else
		*lock = __magus_thread() + 1;
	__magus_atomic_end();
	return result;
}

/* Free. */
int pthread_spin_unlock(int *lock)
{
	__magus_atomic_begin();
	if (__magus_threads() && *lock != __magus_thread() + 1)
		__magus_undefined("a spin lock is unlocked that the thread does not hold");
	*lock = 0;
	__magus_atomic_end();
	return 0;
}

/* 0. */
int pthread_cond_init(void *condition, const void *attributes)
{
	__magus_succeeds();
	if (__magus_deadlocks())
		*(int *)condition = 0;
	return 0;
}

/* 0. */
int pthread_cond_destroy(void *condition)
{
	return 0;
}

/* Where it is asked whether threads wait for ever, the first int of a condition has a bit for each thread that waits for a
   signal. One of them gets it. */
static void libc_signal(void *condition)
{
	int *waiting = condition;
	int any = __magus_open_int();
	__magus_atomic_begin();
	if (*waiting != 0) {
		int which = any & 31;
		__magus_assume(which != 31 && *waiting >> which & 1);
		*waiting &= ~(1 << which);
	}
	__magus_atomic_end();
}

/* 0: who waits may wake up at any time. */
int pthread_cond_signal(void *condition)
{
	if (__magus_deadlocks())
		libc_signal(condition);
	return 0;
}

/* 0: who waits may wake up at any time. */
int pthread_cond_broadcast(void *condition)
{
	if (__magus_deadlocks()) {
		__magus_atomic_begin();
		*(int *)condition = 0;
		__magus_atomic_end();
	}
	return 0;
}

/* Free for a while, and held as before. */
static void libc_mutex_pass(void *mutex)
{
	int *held = mutex;
	int before = 0;
	__magus_atomic_begin();
	before = *held;
	if (before == 0 || libc_others(before))
		__magus_undefined("a condition is waited for with a mutex that the thread does not hold");
	*held = 0;
	__magus_atomic_end();
	__magus_atomic_begin();
	if (*held != 0)
		__magus_wait();
	*held = before;
	__magus_atomic_end();
}

/* Waits for a signal, for ever if there is none, or until some time that comes; the mutex is free meanwhile, and held as before. */
static void libc_mutex_await(void *condition, void *mutex, int timed)
{
	int *held = mutex;
	int *waiting = condition;
	int before = 0;
	if (__magus_thread() > 30)
		__magus_unmodelled("more than 31 threads wait for conditions");
	__magus_atomic_begin();
	before = *held;
	if (before == 0 || libc_others(before))
		__magus_undefined("a condition is waited for with a mutex that the thread does not hold");
	*held = 0;
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
	if (*held != 0)
		__magus_wait();
	*held = before;
	__magus_atomic_end();
}

/* 0, at any time, as POSIX allows, with the mutex held as before. */
int pthread_cond_wait(void *condition, void *mutex)
{
	if (__magus_threads()) {
		if (__magus_early())
			libc_mutex_pass(mutex);
		else
			libc_mutex_await(condition, mutex, 0);
	} else
		__magus_told("other threads change nothing meanwhile");
	return 0;
}

/* 0 or ETIMEDOUT, at any time, with the mutex held as before. */
int pthread_cond_timedwait(void *condition, void *mutex, const void *until)
{
	if (__magus_threads()) {
		if (__magus_early())
			libc_mutex_pass(mutex);
		else
			libc_mutex_await(condition, mutex, 1);
	} else
		__magus_told("other threads change nothing meanwhile");
	return __magus_open_int() ? 0 : 110;
}

/* Always succeeds. */
int pthread_condattr_init(void *attributes)
{
	__magus_succeeds();
	return 0;
}

/* Always succeeds. */
int pthread_condattr_destroy(void *attributes)
{
	return 0;
}

/* Always succeeds. */
int pthread_condattr_setpshared(void *attributes, int shared)
{
	__magus_succeeds();
	return 0;
}

/* Nobody waits: how many are to come from bit 20 on, how often all have come from bit 10 on, and how many are there. */
int pthread_barrier_init(void *barrier, const void *attributes, unsigned int count)
{
	if (count == 0)
		return 22;
	if (count > 1023)
		__magus_unmodelled("a barrier for more than 1023 threads");
	__magus_succeeds();
	*(int *)barrier = count << 20;
	return 0;
}

/* Always succeeds. */
int pthread_barrier_destroy(void *barrier)
{
	if (__magus_threads() && *(int *)barrier & 1023)
		__magus_undefined("a barrier is destroyed that threads wait at");
	return 0;
}

/* Waits until as many have come as the barrier is for; the last one is told so. */
int pthread_barrier_wait(void *barrier)
{
	int *state = barrier;
	int before = 0;
	int last = 0;
	__magus_atomic_begin();
	before = *state;
	if ((before & 1023) + 1 == before >> 20) {
		*state = (before & ~1048575) | ((before + 1024) & 1047552);
		last = 1;
	} else
		*state = before + 1;
	__magus_atomic_end();
	if (last)
		return -1;
	__magus_atomic_begin();
	if ((*state & 1047552) == (before & 1047552))
		__magus_wait();
	__magus_atomic_end();
	return 0;
}

/* Nothing: the thread is joined or not. */
int pthread_detach(unsigned long thread)
{
	return 0;
}

extern const unsigned long libc_self;

/* Any number, always the same: the only thread. */
unsigned long pthread_self(void)
{
	unsigned long n = __magus_long();
	__magus_assume(n == libc_self);
	return n;
}

/* Whether they are the same. */
int pthread_equal(unsigned long a, unsigned long b)
{
	return a == b;
}

/* Always succeeds. */
int pthread_attr_init(void *attributes)
{
	__magus_succeeds();
	return 0;
}

/* Always succeeds. */
int pthread_attr_destroy(void *attributes)
{
	return 0;
}

/* Always succeeds: whether a thread can be joined is not looked at. */
int pthread_attr_setdetachstate(void *attributes, int state)
{
	return 0;
}

/* Always succeeds: stacks have no end. */
int pthread_attr_setstacksize(void *attributes, unsigned long size)
{
	__magus_succeeds();
	return 0;
}

/* Always succeeds. */
int pthread_attr_setscope(void *attributes, int scope)
{
	__magus_succeeds();
	return 0;
}

/* Always succeeds: threads take turns in any order. */
int pthread_attr_setschedpolicy(void *attributes, int policy)
{
	__magus_succeeds();
	return 0;
}

/* Always succeeds. */
int pthread_attr_setinheritsched(void *attributes, int inherit)
{
	__magus_succeeds();
	return 0;
}
