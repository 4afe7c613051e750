// magus: check producer_bad.c consumer.c link.spec bounded.spec
// want: violates

// A producer that does not turn the bit after an urgent item. The consumer, which is
// right, then complains about the item after it.

#include "pipeline.h"

int producer(int count)
{
	int bit = 0;
	int i;

	for (i = 0; i < count; i++) {
		produce();
		put(bit);
		if (!urgent())
			bit = 1 - bit;
	}
	finish();
	return 0;
}
