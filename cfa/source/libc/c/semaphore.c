/* Semaphores: the first int is the value. */

/* Has the value. */
int sem_init(void *semaphore, int shared, unsigned int value)
{
	if (value > 2147483647) {
		*__errno_location() = 22;
		return -1;
	}
	__magus_succeeds();
	*(int *)semaphore = value;
	return 0;
}

/* Always succeeds. */
int sem_destroy(void *semaphore)
{
	return 0;
}

/* Waits until the value is positive, and takes one off. EINTR needs a signal. */
int sem_wait(void *semaphore)
{
	int *value = semaphore;
	__magus_succeeds();
	__magus_atomic_begin();
	if (*value <= 0)
		__magus_wait();
	--*value;
	__magus_atomic_end();
	return 0;
}

/* Takes one off, or -1 with EAGAIN where the value is 0. */
int sem_trywait(void *semaphore)
{
	int *value = semaphore;
	int taken = 0;
	__magus_atomic_begin();
	if (*value > 0) {
		--*value;
		taken = 1;
	}
	__magus_atomic_end();
	if (taken)
		return 0;
	*__errno_location() = 11;
	return -1;
}

/* Takes one off, or -1 with ETIMEDOUT where the value is 0. */
int sem_timedwait(void *semaphore, const void *until)
{
	int *value = semaphore;
	__magus_told("no signal interrupts it");
	int taken = 0;
	__magus_atomic_begin();
	if (*value > 0) {
		--*value;
		taken = 1;
	}
	__magus_atomic_end();
	if (taken)
		return 0;
	*__errno_location() = 110;
	return -1;
}

/* One more; -1 with EOVERFLOW where there are too many. */
int sem_post(void *semaphore)
{
	int *value = semaphore;
	int full = 0;
	__magus_atomic_begin();
	if (*value == 2147483647)
		full = 1;
	else
		++*value;
	__magus_atomic_end();
	if (!full)
		return 0;
	*__errno_location() = 75;
	return -1;
}

/* Stores the value. */
int sem_getvalue(void *semaphore, int *result)
{
	int value = 0;
	__magus_atomic_begin();
	value = *(int *)semaphore;
	__magus_atomic_end();
	*result = value;
	return 0;
}
