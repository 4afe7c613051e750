#include "queue.h"

int length = 0;

static int calls = 10;

void put(void)
{
	calls++;
	if (length < CAPACITY)
		length++;
}

void get(void)
{
	calls--;
	if (length > 0)
		length--;
}
