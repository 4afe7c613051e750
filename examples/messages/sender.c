// magus: check sender.c receiver.c line.c in_order.spec
// want: conforms
// magus: check -DNUMBERS=16 sender.c receiver.c line.c in_order.spec
// want: conforms
// magus: check --property no-deadlock sender.c receiver.c line.c in_order.spec
// want: violates
// magus: check -DFORGETFUL sender.c receiver.c line.c in_order.spec
// want: violates
// magus: check -DNUMBERS=1 sender.c receiver.c line.c in_order.spec
// want: violates

// The alternating bit protocol, with any number of sequence numbers, and any item. The
// sender sends a frame again until the answer has its number. Nobody tells it that a frame
// is lost: if it goes on waiting for the answer then, all wait for ever.

#ifndef NUMBERS
#define NUMBERS 2
#endif

void __MAGUS_ACTION__(const char *);
void __MAGUS_SEND__(const char *, unsigned);
unsigned __MAGUS_RECEIVE__(const char *);
int __VERIFIER_nondet_int(void);

void sender(void)
{
	unsigned number = 0;
	for (;;) {
		unsigned item = (unsigned)__VERIFIER_nondet_int();
		int answered = 0;
		__MAGUS_SEND__("in", item);
		while (!answered) {
			__MAGUS_SEND__("frame.number", number);
			__MAGUS_SEND__("frame.item", item);
			if (__VERIFIER_nondet_int())
				__MAGUS_ACTION__("timeout");
			else if (__MAGUS_RECEIVE__("answer") == number)
				answered = 1;
		}
		number = number + 1 == NUMBERS ? 0 : number + 1;
	}
}
