// magus: check --property unreach-call battery.c
// want: conforms
// magus: check --property unreach-call --check-float all battery.c
// want: conforms

// A battery gauge: the charge is what flows in and out, summed up over time, and shown in percent. Whatever the
// currents, the percentage is one from 0 to 100, and its conversion to an integer fits.

#include <assert.h>

float read_current(void); /* in A; negative while the battery is used */
void show(unsigned char percent);

#define CAPACITY 72.0f /* in As: a small cell */
#define MOST_CURRENT 20.0f
#define DT 0.5f

static float charge = CAPACITY / 2;

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
		if (charge > CAPACITY)
			charge = CAPACITY;
		assert(percent() <= 100);
		show(percent());
	}
}
