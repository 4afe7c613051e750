// The second of three components: passes on what is not below the threshold.
// (The checks stand in source.c.)

#include "filter.h"

int filter(void)
{
	int value;

	while ((value = take()) >= 0) {
		if (value >= THRESHOLD)
			pass(value);
	}
	pass_end();
	return 0;
}
