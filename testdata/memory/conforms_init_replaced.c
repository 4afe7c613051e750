/* A part that is given after a list around it replaces that part alone, also of a compound literal. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct in { int a, b; }; struct out { struct in i; int c; };
struct out at_once = { (struct in){ .b = 7 }, .i.a = 3 };
int main(void) {
	int n = __VERIFIER_nondet_int();
	struct { struct out first; struct in second[2]; } o = { .first = { { n, n }, n }, .first.i = { .b = 4 }, .second = { { 1, 2 }, { 3 } }, .second[0].b = n };
	if (o.first.i.a != 0 || o.first.i.b != 4 || o.first.c != n) reach_error();
	if (o.second[0].a != 1 || o.second[0].b != n || o.second[1].a != 3 || o.second[1].b != 0) reach_error();
	if (at_once.i.a != 3 || at_once.i.b != 7 || at_once.c != 0) reach_error();
	return 0; }
