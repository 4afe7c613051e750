// magus: check sender.c receiver.c window.spec
// want: conforms
// magus: check -DNUMBERS=2 sender.c receiver.c window.spec
// want: violates

// A sliding window: two frames are sent ahead of their answers, and again if these do not come (go back n). Lines hold
// frames in order, and may lose them. There have to be more numbers than frames on the way: with as many, an answer that
// says that both have come looks like one that says that none has.

#include "frame.h"

// Whatever is sent may be lost.
static void transmit(unsigned char number, unsigned char item)
{
	struct frame f = { number, item };
	if (__VERIFIER_nondet_int())
		__MAGUS_SEND__frame("data", f);
}

void sender(void)
{
	unsigned char oldest = 0, item = 0; // of the frames that are not answered
	unsigned char ahead = 0;            // how many there are
	for (;;) {
		if (ahead < WINDOW && __VERIFIER_nondet_int()) {
			ahead++;
		} else if (__VERIFIER_nondet_int()) {
			if (ahead > 0)
				transmit(oldest, item);
			if (ahead > 1)
				transmit(NEXT(oldest), AFTER(item));
		} else {
			unsigned char next = __MAGUS_RECEIVE__("answers");
			if (ahead > 0 && next == NEXT(oldest)) {
				oldest = next;
				item = AFTER(item);
				ahead--;
			} else if (ahead > 1 && next == NEXT(NEXT(oldest))) {
				oldest = next;
				item = AFTER(AFTER(item));
				ahead = 0;
			}
		}
	}
}
