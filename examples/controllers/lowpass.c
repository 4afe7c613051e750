// magus: check --property unreach-call lowpass.c
// want: conforms

// A low-pass filter of first order: what comes out lies where what goes in lies, but for what rounding
// adds, however long it runs.

#include <assert.h>

float sample(void);

#define ALPHA 0.25f
#define RANGE 10.0f

int main(void)
{
	float y = 0;

	for (;;) {
		float x = sample();

		if (!(x >= -RANGE && x <= RANGE))
			continue;
		y = (1 - ALPHA) * y + ALPHA * x;
		assert(y >= -RANGE && y <= RANGE);
	}
}
