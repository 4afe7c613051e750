/* A whole member given after a part of it replaces it, and so does a member of a union (C11 6.7.9p19). */
extern void reach_error(void);
struct in { int a, b; }; struct out { struct in i; int c; };
union u { int i; char c[4]; };
int main(void) {
	struct out o = { .i.b = 5, .i = { 1 }, .c = 2 };
	union u x = { .i = 0x01020304, .c = { 9 } };
	struct in t[4] = { [1 ... 3].b = 5, [2] = { 3 } };
	if (o.i.a == 1 && o.i.b == 0 && o.c == 2 && x.c[0] == 9 && x.c[1] == 0 && t[1].b == 5 && t[2].a == 3 && t[2].b == 0 && t[3].b == 5)
		reach_error();
	return 0; }
