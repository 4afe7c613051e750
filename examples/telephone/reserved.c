// magus: check --property no-deadlock reserved.c exchange.spec
// want: conforms

// As conference.c, but who takes a line has reserved both.

void __MAGUS_ACTION__(const char *action);
int give(void), take(void);

void phone(void)
{
	for (;;) {
		__MAGUS_ACTION__("take");
		__MAGUS_ACTION__("talk");
		__MAGUS_ACTION__("give");
	}
}

void exchange(void)
{
	int lines = 3, r;

	for (;;) {
		if (lines < 2)
			r = give();
		else
			r = take();
		lines = r == 1 ? lines - 2 : lines + 2;
	}
}
