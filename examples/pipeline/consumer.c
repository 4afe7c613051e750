// Takes items from the producer until there are no more, and complains if one comes
// out of turn. That it never does depends on data of both components: on `bit` there
// and on `expected` here. (The checks stand in producer.c and producer_bad.c.)

#include "pipeline.h"

int consumer(void)
{
	int expected = 0;
	int got;

	while ((got = get()) >= 0) {
		if (got != expected)
			complain();
		consume();
		expected = !expected;
	}
	return 0;
}
