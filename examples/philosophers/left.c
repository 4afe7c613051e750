// magus: check --property no-deadlock left.c forks.c table.spec
// want: violates
// magus: check --property no-deadlock right.c forks.c table.spec
// want: conforms
// magus: check left.c forks.c table.spec
// want: conforms

// Two philosophers, each of whom takes the left fork first.

void __MAGUS_ACTION__(const char *action);

void plato(void)
{
	for (;;) {
		__MAGUS_ACTION__("plato_take_1");
		__MAGUS_ACTION__("plato_take_2");
		__MAGUS_ACTION__("plato_put_1");
		__MAGUS_ACTION__("plato_put_2");
	}
}

void hume(void)
{
	for (;;) {
		__MAGUS_ACTION__("hume_take_2");
		__MAGUS_ACTION__("hume_take_1");
		__MAGUS_ACTION__("hume_put_2");
		__MAGUS_ACTION__("hume_put_1");
	}
}
