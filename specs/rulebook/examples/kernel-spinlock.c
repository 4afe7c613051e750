typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);

struct port { spinlock_t lock; int users; };

int kept(struct port *p)
{
	int n;
	spin_lock(&p->lock);
	n = p->users++;
	spin_unlock(&p->lock);
	return n;
}

int broken(struct port *p)
{
	spin_lock(&p->lock);
	if (p->users > 0)
		return -1; // broken
	p->users++;
	spin_unlock(&p->lock);
	return 0;
}
