// What goes over the lines.

#ifndef NUMBERS
#define NUMBERS 3
#endif
#define NEXT(n) ((n) + 1 == NUMBERS ? 0 : (n) + 1)
#define WINDOW 2
#define AFTER(item) ((item) == 2 ? 0 : (item) + 1)

struct frame {
	unsigned char number, item;
};

void __MAGUS_SEND__frame(const char *, struct frame);
struct frame __MAGUS_RECEIVE__frame(const char *);
void __MAGUS_SEND__(const char *, unsigned char);
unsigned char __MAGUS_RECEIVE__(const char *);
int __VERIFIER_nondet_int(void);
