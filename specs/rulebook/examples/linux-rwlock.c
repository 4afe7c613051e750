typedef struct { int raw; } rwlock_t;
void read_lock(rwlock_t *lock);
void read_unlock(rwlock_t *lock);
void write_lock(rwlock_t *lock);
void write_unlock(rwlock_t *lock);

int kept(rwlock_t *lock, int *value)
{
	int v;
	read_lock(lock);
	v = *value;
	read_unlock(lock);
	return v;
}

int broken(rwlock_t *lock, int *value)
{
	int v;
	read_lock(lock);
	v = *value;
	write_unlock(lock); // broken
	return v;
}
