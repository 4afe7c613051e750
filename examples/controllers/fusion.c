// magus: check --property unreach-call fusion.c
// want: conforms

// Three sensors measure one height. A reading that is no height, or is further than 5 m from the last estimate, is an
// outlier and left out; the others are averaged. The estimate is a height always, and never jumps by more than 5 m.

#include <assert.h>
#include <math.h>

float height(int sensor);

#define MOST 1000.0f
#define JUMP 5.0f

static int plausible(float reading, float estimate)
{
	return reading >= 0 && reading <= MOST && fabsf(reading - estimate) <= JUMP;
}

static float fuse(float estimate, float a, float b, float c)
{
	float sum = 0;
	int n = 0;

	if (plausible(a, estimate)) {
		sum += a;
		n++;
	}
	if (plausible(b, estimate)) {
		sum += b;
		n++;
	}
	if (plausible(c, estimate)) {
		sum += c;
		n++;
	}
	return n > 0 ? sum / n : estimate;
}

int main(void)
{
	float estimate = 0;

	for (;;) {
		estimate = fuse(estimate, height(0), height(1), height(2));
		assert(isfinite(estimate));
		assert(estimate >= 0 && estimate <= MOST + 1);
	}
}
