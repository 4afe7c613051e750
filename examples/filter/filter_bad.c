// The filter with a threshold of its own: from 50 to 99 it passes on what it should
// not. Whether the small reading in hand is one of those is data; the trace that
// shows it is raw.small, clean.small. (The checks stand in source.c.)

#include "filter.h"

int filter(void)
{
	int value;

	while ((value = take()) >= 0) {
		if (value >= THRESHOLD / 2)
			pass(value);
	}
	pass_end();
	return 0;
}
