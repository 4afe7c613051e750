typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *lock);
int spin_trylock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);

int kept(spinlock_t *lock, int *n)
{
	if (!spin_trylock(lock))
		return -1;
	++*n;
	spin_unlock(lock);
	return 0;
}

int broken(spinlock_t *lock, int *n)
{
	spin_lock(lock);
	if (!spin_trylock(lock)) // broken
		return -1;
	++*n;
	spin_unlock(lock);
	return 0;
}
