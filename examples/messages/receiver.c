// The receiver gives on what has the number that it expects, and answers with the number
// of each frame. One that is forgetful takes any frame with number 0 for a new one.

#ifndef NUMBERS
#define NUMBERS 2
#endif
#ifdef FORGETFUL
#define IS_NEW(number) ((number) == expected || (number) == 0)
#else
#define IS_NEW(number) ((number) == expected)
#endif

void __MAGUS_SEND__(const char *, unsigned);
unsigned __MAGUS_RECEIVE__(const char *);

void receiver(void)
{
	unsigned expected = 0;
	for (;;) {
		unsigned number = __MAGUS_RECEIVE__("arrives.number");
		unsigned item = __MAGUS_RECEIVE__("arrives.item");
		if (IS_NEW(number)) {
			__MAGUS_SEND__("out", item);
			expected = expected + 1 == NUMBERS ? 0 : expected + 1;
		}
		__MAGUS_SEND__("ack", number);
	}
}
