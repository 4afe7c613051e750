// magus: check --property unreach-call battery_bad.c
// want: violates

// The gauge of battery.c without the limit above: a battery that is charged on and on has more than 100 percent.

#include <assert.h>

float read_current(void); /* in A; negative while the battery is used */
void show(unsigned char percent);

#define CAPACITY 72.0f /* in As: a small cell */
#define MOST_CURRENT 20.0f
#define DT 0.5f

static float charge = CAPACITY;

static unsigned char percent(void)
{
	return (unsigned char)(charge * 100 / CAPACITY);
}

int main(void)
{
	for (;;) {
		float current = read_current();

		if (!(current >= -MOST_CURRENT && current <= MOST_CURRENT))
			continue;
		charge += current * DT;
		if (charge < 0)
			charge = 0;
		assert(percent() <= 100);
		show(percent());
	}
}
