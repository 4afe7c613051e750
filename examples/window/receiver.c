// The receiver gives on the frame that it expects, and answers each with the number of the one that it expects then.

#include "frame.h"

void receiver(void)
{
	unsigned char expected = 0;
	for (;;) {
		struct frame f = __MAGUS_RECEIVE__frame("data");
		if (f.number == expected) {
			__MAGUS_SEND__("out", f.item);
			expected = NEXT(expected);
		}
		if (__VERIFIER_nondet_int())
			__MAGUS_SEND__("answers", expected);
	}
}
