// magus: check --property unreach-call lowpass_bad.c
// want: violates

// The filter of lowpass.c with a weight above 1: it overshoots, and leaves the range of its input.

#include <assert.h>

float sample(void);

#define ALPHA 1.25f
#define RANGE 10.0f

int main(void)
{
	float y = 0;

	for (;;) {
		float x = sample();

		if (!(x >= -RANGE && x <= RANGE))
			continue;
		y = y + ALPHA * (x - y);
		assert(y >= -RANGE && y <= RANGE);
	}
}
