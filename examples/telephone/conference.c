// magus: check --property no-deadlock conference.c exchange.spec
// want: violates

// Telephones in any number, and an exchange with three lines. A conference takes two, one after the other.

void __MAGUS_ACTION__(const char *action);
int take_or_give(void), give(void), take(void);

void phone(void)
{
	for (;;) {
		__MAGUS_ACTION__("take");
		__MAGUS_ACTION__("take");
		__MAGUS_ACTION__("talk");
		__MAGUS_ACTION__("give");
		__MAGUS_ACTION__("give");
	}
}

void exchange(void)
{
	int lines = 3, r;

	for (;;) {
		if (lines == 0)
			r = give();
		else if (lines == 3)
			r = take();
		else
			r = take_or_give();
		lines = r == 1 ? lines - 1 : lines + 1;
	}
}
