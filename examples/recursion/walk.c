// magus: check walk.c walk.spec
// want: violates
// trace: lock lock

// A walk through a list that locks at each node, and forgets to unlock one whose key is
// negative before it goes on to the next: found in the second call.

void lock(void);
void unlock(void);

struct node {
	int key;
	struct node *next;
};

static int walk(struct node *n)
{
	int sum;

	if (!n)
		return 0;
	lock();
	if (n->key >= 0) {
		unlock();
		return 1 + walk(n->next);
	}
	sum = walk(n->next);
	unlock();
	return sum;
}

int count(struct node *list)
{
	return walk(list);
}
