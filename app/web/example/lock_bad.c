// magus: check lock_bad.c lock.spec
// want: violates

// The routine of lock.c with `==` in the place of `>=`. Called with a limit below 1
// it takes one entry, is then beyond the limit without ever having met it, and
// leaves the loop with the lock held.

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
		if (taken == limit || !more) {
			unlock();
			holding = 0;
		}
	} while (more && taken < limit);

	return holding;
}
