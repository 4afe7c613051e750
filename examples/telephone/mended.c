// magus: check --property no-deadlock mended.c telephone.spec
// want: conforms
// magus: check --relation failures mended.c telephone.spec
// want: conforms

// Whoever is not talking may call, and answers.

void __MAGUS_ACTION__(const char *action);
int call_or_answer(void);

void anna(void)
{
	for (;;) {
		if (call_or_answer() == 1)
			__MAGUS_ACTION__("anna_hangs_up");
		else
			__MAGUS_ACTION__("bert_hangs_up");
	}
}

void bert(void)
{
	for (;;) {
		if (call_or_answer() == 1)
			__MAGUS_ACTION__("anna_hangs_up");
		else
			__MAGUS_ACTION__("bert_hangs_up");
	}
}
