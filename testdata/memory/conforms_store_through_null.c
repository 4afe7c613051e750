// entry f
// A store through NULL is where a run ends, also where the pointer may lead to memory that is not modelled.
#include <string.h>

extern void reach_error(void);
extern char *give(void);

struct node {
	int *value;
};

int f(struct node *a, int which)
{
	char *given = give();
	if (which == 1) {
		a->value = 0;
		*a->value = 1;
		reach_error();
	}
	if (which == 2 && !given) {
		memset(given, 0, 4);
		reach_error();
	}
	if (which == 3 && !given) {
		char c = given[2];
		reach_error();
		return c;
	}
	if (which == 4 && !given) {
		*(struct node *)given = *a;
		reach_error();
	}
	return 0;
}
