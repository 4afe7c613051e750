typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
void *kmalloc(unsigned long size, unsigned flags);
#define GFP_ATOMIC 32
#define GFP_KERNEL 208

void *kept(spinlock_t *lock)
{
	void *p;
	spin_lock(lock);
	p = kmalloc(16, GFP_ATOMIC);
	spin_unlock(lock);
	return p;
}

void *broken(spinlock_t *lock)
{
	void *p;
	spin_lock(lock);
	p = kmalloc(16, GFP_KERNEL); // broken
	spin_unlock(lock);
	return p;
}
