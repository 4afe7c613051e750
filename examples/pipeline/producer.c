// magus: check producer.c consumer.c link.spec bounded.spec
// want: conforms
// magus: check producer.c consumer.c link.spec strict.spec
// want: violates
// trace: produce produce

// Makes `count` items and hands each to the consumer, marked with a bit that
// alternates. Together with consumer.c this is a program of two components: each has
// its own memory, and they share nothing but actions.

#include "pipeline.h"

int producer(int count)
{
	int bit = 0;
	int i;

	for (i = 0; i < count; i++) {
		produce();
		put(bit);
		bit = 1 - bit;
	}
	finish();
	return 0;
}
