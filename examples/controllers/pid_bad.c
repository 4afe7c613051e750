// magus: check --property unreach-call pid_bad.c
// want: violates

// The controller of pid.c with the test for broken readings turned round: `measured < -40 || measured > 125` is
// false of a NaN, which then stays in the integral for ever: clamp hands it on, since it is neither below the
// least nor above the most.

#include <assert.h>

float read_sensor(void);
void drive(float output);

#define KP 2.0f
#define KI 0.5f
#define KD 0.125f
#define DT 0.01f
#define RATE 100.0f /* steps a second */
#define INTEGRAL_LIMIT 50.0f
#define OUTPUT_LIMIT 100.0f
#define SETPOINT 20.0f

struct pid {
	float integral;
	float previous;
};

static float clamp(float x, float least, float most)
{
	if (x < least)
		return least;
	if (x > most)
		return most;
	return x;
}

/* One step: the error is at most 120 in size. */
static float step(struct pid *c, float error)
{
	float rate = (error - c->previous) * RATE;
	float output;

	c->integral = clamp(c->integral + KI * error * DT, -INTEGRAL_LIMIT, INTEGRAL_LIMIT);
	c->previous = error;
	output = KP * error + c->integral + KD * rate;
	return clamp(output, -OUTPUT_LIMIT, OUTPUT_LIMIT);
}

int main(void)
{
	struct pid c = { 0, 0 };

	for (;;) {
		float measured = read_sensor();
		float output;

		if (measured < -40.0f || measured > 125.0f)
			continue;
		output = step(&c, SETPOINT - measured);
		assert(c.integral >= -INTEGRAL_LIMIT && c.integral <= INTEGRAL_LIMIT);
		assert(output >= -OUTPUT_LIMIT && output <= OUTPUT_LIMIT);
		drive(output);
	}
}
