// magus: check stuck.c telephone.spec
// want: conforms
// magus: check --property no-deadlock stuck.c telephone.spec
// want: violates

// Two telephones on one wire. Who wants to talk calls; who does not waits for a call.

void __MAGUS_ACTION__(const char *action);
int __VERIFIER_nondet_int(void);

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

		if (calls) {
			__MAGUS_ACTION__("bert_calls");
			__MAGUS_ACTION__("bert_hangs_up");
		} else {
			__MAGUS_ACTION__("anna_calls");
			__MAGUS_ACTION__("anna_hangs_up");
		}
	}
}
