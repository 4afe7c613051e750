/* Locks, as one thread sees them: what another thread would hold is free when this one asks for it.
   The first int of a lock says how often it is held. */

/* Where the kind of a mutex stands, which a static initialiser may give: in glibc, and in the headers that come with magus. */
static int libc_mutex_kind(void *mutex)
{
	int *words = mutex;
	return sizeof(long) == 8 ? (words[2] | words[4]) & 3 : (words[1] | words[3]) & 3;
}

/* Free, and of the kind that the attributes ask for. */
int pthread_mutex_init(void *mutex, const void *attributes)
{
	int *words = mutex;
	words[0] = 0;
	words[sizeof(long) == 8 ? 2 : 1] = 0;
	words[sizeof(long) == 8 ? 4 : 3] = attributes ? *(const int *)attributes & 3 : 0;
	return 0;
}

/* Waits for ever where it is held, but for a recursive mutex (it is held once more) and one that checks errors (EDEADLK). */
int pthread_mutex_lock(void *mutex)
{
	int *held = mutex;
	if (*held != 0) {
		int kind = libc_mutex_kind(mutex);
		if (kind == 2)
			return 35;
		if (kind != 1)
			__magus_halt();
		if (*held == 2147483647)
			return 11;
		++*held;
		return 0;
	}
	*held = 1;
	return 0;
}

/* EBUSY where it is held, but for a recursive mutex. */
int pthread_mutex_trylock(void *mutex)
{
	int *held = mutex;
	if (*held != 0) {
		if (libc_mutex_kind(mutex) != 1)
			return 16;
		if (*held == 2147483647)
			return 11;
		++*held;
		return 0;
	}
	*held = 1;
	return 0;
}

/* EPERM where it is not held, if it is recursive or checks errors. */
int pthread_mutex_unlock(void *mutex)
{
	int *held = mutex;
	if (*held == 0) {
		int kind = libc_mutex_kind(mutex);
		return kind == 1 || kind == 2 ? 1 : 0;
	}
	--*held;
	return 0;
}

/* EBUSY where it is held. */
int pthread_mutex_destroy(void *mutex)
{
	return *(int *)mutex ? 16 : 0;
}

/* The default kind. */
int pthread_mutexattr_init(void *attributes)
{
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

/* Calls the function the first time. */
int pthread_once(int *once, void (*init)(void))
{
	if (*once == 0) {
		*once = 2;
		init();
	}
	return 0;
}

/* Free. */
int pthread_rwlock_init(void *lock, const void *attributes)
{
	*(int *)lock = 0;
	return 0;
}

/* EBUSY where it is held. */
int pthread_rwlock_destroy(void *lock)
{
	return *(int *)lock ? 16 : 0;
}

/* Held by one reader more; EDEADLK where it is held for writing. */
int pthread_rwlock_rdlock(void *lock)
{
	int *readers = lock;
	if (*readers < 0)
		return 35;
	if (*readers == 2147483647)
		return 11;
	++*readers;
	return 0;
}

/* Held by one reader more; EBUSY where it is held for writing. */
int pthread_rwlock_tryrdlock(void *lock)
{
	int *readers = lock;
	if (*readers < 0)
		return 16;
	if (*readers == 2147483647)
		return 11;
	++*readers;
	return 0;
}

/* Held for writing; EDEADLK where this thread does so, and for ever where it reads. */
int pthread_rwlock_wrlock(void *lock)
{
	int *readers = lock;
	if (*readers < 0)
		return 35;
	if (*readers > 0)
		__magus_halt();
	*readers = -1;
	return 0;
}

/* Held for writing, or EBUSY. */
int pthread_rwlock_trywrlock(void *lock)
{
	int *readers = lock;
	if (*readers != 0)
		return 16;
	*readers = -1;
	return 0;
}

/* Held by one less. */
int pthread_rwlock_unlock(void *lock)
{
	int *readers = lock;
	if (*readers < 0)
		*readers = 0;
	else if (*readers > 0)
		--*readers;
	return 0;
}

/* Free. */
int pthread_spin_init(int *lock, int shared)
{
	*lock = 0;
	return 0;
}

/* Always succeeds. */
int pthread_spin_destroy(int *lock)
{
	return 0;
}

/* Waits for ever where it is held. */
int pthread_spin_lock(int *lock)
{
	if (*lock != 0)
		__magus_halt();
	*lock = 1;
	return 0;
}

/* EBUSY where it is held. */
int pthread_spin_trylock(int *lock)
{
	if (*lock != 0)
		return 16;
	*lock = 1;
	return 0;
}

/* Free. */
int pthread_spin_unlock(int *lock)
{
	*lock = 0;
	return 0;
}

/* 0. */
int pthread_cond_init(void *condition, const void *attributes)
{
	return 0;
}

/* 0. */
int pthread_cond_destroy(void *condition)
{
	return 0;
}

/* 0: there is no other thread to wake. */
int pthread_cond_signal(void *condition)
{
	return 0;
}

/* 0: there is no other thread to wake. */
int pthread_cond_broadcast(void *condition)
{
	return 0;
}

/* 0, at any time, as POSIX allows, with the mutex held as before. */
int pthread_cond_wait(void *condition, void *mutex)
{
	__magus_told("other threads change nothing meanwhile");
	return 0;
}

/* 0 or ETIMEDOUT, at any time, with the mutex held as before. */
int pthread_cond_timedwait(void *condition, void *mutex, const void *until)
{
	__magus_told("other threads change nothing meanwhile");
	return __magus_open_int() ? 0 : 110;
}
