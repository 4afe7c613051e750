// A fork is taken by one of both, and put back by the same one.

void __MAGUS_ACTION__(const char *action);
int taken_1(void), taken_2(void);

void fork_1(void)
{
	for (;;) {
		if (taken_1() == 1)
			__MAGUS_ACTION__("plato_put_1");
		else
			__MAGUS_ACTION__("hume_put_1");
	}
}

void fork_2(void)
{
	for (;;) {
		if (taken_2() == 1)
			__MAGUS_ACTION__("plato_put_2");
		else
			__MAGUS_ACTION__("hume_put_2");
	}
}
