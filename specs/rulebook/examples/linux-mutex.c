struct mutex { int count; };
void mutex_lock(struct mutex *lock);
int mutex_lock_interruptible(struct mutex *lock);
void mutex_unlock(struct mutex *lock);

int kept(struct mutex *lock, int *n)
{
	if (mutex_lock_interruptible(lock))
		return -4;
	++*n;
	mutex_unlock(lock);
	return 0;
}

int broken(struct mutex *lock, int *n)
{
	mutex_lock_interruptible(lock);
	++*n;
	mutex_unlock(lock); // broken
	return 0;
}
