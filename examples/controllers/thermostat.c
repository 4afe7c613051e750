// magus: check thermostat.c thermostat.spec
// want: conforms

// A thermostat with hysteresis: the heater is switched on below 19 degrees and off above 21, never twice in a row, and
// not at all while the reading is broken. thermostat.spec says that on and off take turns.

double temperature(void);
void heater_on(void);
void heater_off(void);

#define LOW 19.0
#define HIGH 21.0

int thermostat(int steps)
{
	int heating = 0;

	while (steps-- > 0) {
		double t = temperature();

		if (t != t) /* a broken sensor: NaN */
			continue;
		if (!heating && t < LOW) {
			heater_on();
			heating = 1;
		}
		if (heating && t > HIGH) {
			heater_off();
			heating = 0;
		}
	}
	if (heating)
		heater_off();
	return 0;
}
