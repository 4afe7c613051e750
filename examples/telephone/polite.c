// magus: check --property no-deadlock polite.c telephone.spec
// want: violates

// As stuck.c, but Bert answers a call also where he wants to call.

void __MAGUS_ACTION__(const char *action);
int __VERIFIER_nondet_int(void);
int call_or_answer(void);

void anna(void)
{
	for (;;) {
		int calls = __VERIFIER_nondet_int();

		if (calls) {
			__MAGUS_ACTION__("anna_calls");
			__MAGUS_ACTION__("anna_hangs_up");
		} else {
			__MAGUS_ACTION__("bert_calls");
			__MAGUS_ACTION__("bert_hangs_up");
		}
	}
}

void bert(void)
{
	for (;;) {
		int calls = __VERIFIER_nondet_int();

		if (calls && call_or_answer() == 2) {
			__MAGUS_ACTION__("bert_hangs_up");
		} else {
			if (!calls)
				__MAGUS_ACTION__("anna_calls");
			__MAGUS_ACTION__("anna_hangs_up");
		}
	}
}
