// Two lines that lose what they are given, and say so.

void __MAGUS_ACTION__(const char *);
void __MAGUS_SEND__(const char *, unsigned);
unsigned __MAGUS_RECEIVE__(const char *);
int __VERIFIER_nondet_int(void);

// A frame is a number and an item.
void data_line(void)
{
	for (;;) {
		unsigned number = __MAGUS_RECEIVE__("frame.number");
		unsigned item = __MAGUS_RECEIVE__("frame.item");
		if (__VERIFIER_nondet_int()) {
			__MAGUS_SEND__("arrives.number", number);
			__MAGUS_SEND__("arrives.item", item);
		} else {
			__MAGUS_ACTION__("frame.lost");
		}
	}
}

void ack_line(void)
{
	for (;;) {
		unsigned number = __MAGUS_RECEIVE__("ack");
		if (__VERIFIER_nondet_int())
			__MAGUS_SEND__("answer", number);
		else
			__MAGUS_ACTION__("ack.lost");
	}
}
