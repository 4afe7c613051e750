// magus: check lock.c lock.spec
// want: conforms
// magus: check lock.c imported.spec
// want: conforms
// magus: check lock.c twice.spec
// want: violates
// trace: lock take take

// Takes entries from a shared queue, at most `limit`, under one lock. Whether the
// lock is held is remembered in `holding`; that the flag is right at every
// lock() and unlock() depends on the data: the condition under which the lock is
// given back is exactly the one under which the loop ends.

void lock(void);
void unlock(void);
int take(void); // 1: took an entry, 0: the queue is empty

int drain(int limit)
{
	int taken = 0;
	int holding = 0;
	int more;

	do {
		if (!holding) {
			lock();
			holding = 1;
		}
		more = take();
		if (more)
			taken++;
		if (taken >= limit || !more) {
			unlock();
			holding = 0;
		}
	} while (more && taken < limit);

	return holding;
}
