// magus: check --property unreach-call fusion_bad.c
// want: violates

// The fusion of fusion.c without a look at how many sensors are left: with none of them the estimate is
// 0 / 0, a NaN, which no reading is ever near to.

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
	return sum / n;
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
