// The third of three components: stores what the filter passes on. It returns 0, unless
// something that is too small came through. (The checks stand in source.c.)

#include "filter.h"

int sink(void)
{
	int wrong = 0;
	int value;

	while ((value = fetch()) >= 0) {
		if (value < THRESHOLD)
			wrong = 1;
		store(value);
	}
	return wrong;
}
