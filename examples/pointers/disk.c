// magus: check disk.c disk.spec
// want: conforms

// A driver that keeps its requests in a list and its operations in a table.

#include <stdlib.h>

struct request {
	int sector;
	struct request *next;
};

struct device;

struct operations {
	int (*start)(struct device *);
	void (*done)(struct device *, struct request *);
};

struct device {
	const struct operations *ops;
	struct request *queue;
	int busy;
};

void __MAGUS_ACTION__(const char *);
int __VERIFIER_nondet_int(void);

static int disk_start(struct device *d)
{
	__MAGUS_ACTION__("start");
	d->busy = 1;
	return 0;
}

static void disk_done(struct device *d, struct request *r)
{
	__MAGUS_ACTION__("done");
	d->busy = 0;
	free(r);
}

static const struct operations disk = { .start = disk_start, .done = disk_done };

static void enqueue(struct device *d, int sector)
{
	struct request *r = malloc(sizeof *r);
	if (!r)
		return;
	r->sector = sector;
	r->next = d->queue;
	d->queue = r;
}

int main(void)
{
	struct device dev = { .ops = &disk };
	enqueue(&dev, 3);
	enqueue(&dev, __VERIFIER_nondet_int());
	while (dev.queue) {
		struct request *r = dev.queue;
		dev.queue = r->next;
		if (dev.ops->start(&dev) == 0 && dev.busy)
			dev.ops->done(&dev, r);
	}
	return 0;
}
