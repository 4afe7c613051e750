// magus: check thermostat_bad.c thermostat.spec
// want: violates

// The thermostat of thermostat.c, which remembers the temperature in place of whether it heats: it takes what was
// measured last for what it has done. Two readings below 19 degrees with a broken one between them switch the
// heater on twice.

double temperature(void);
void heater_on(void);
void heater_off(void);

#define LOW 19.0
#define HIGH 21.0

int thermostat(int steps)
{
	double before = 20.0;
	int heating = 0;

	while (steps-- > 0) {
		double t = temperature();

		if (!(before < LOW) && t < LOW) {
			heater_on();
			heating = 1;
		}
		if (heating && t > HIGH) {
			heater_off();
			heating = 0;
		}
		before = t;
	}
	if (heating)
		heater_off();
	return 0;
}
