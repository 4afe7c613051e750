// Two philosophers who take the forks in one order.

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
		__MAGUS_ACTION__("hume_take_1");
		__MAGUS_ACTION__("hume_take_2");
		__MAGUS_ACTION__("hume_put_2");
		__MAGUS_ACTION__("hume_put_1");
	}
}
