// What is printed otherwise tells no address.
#include <stdio.h>
extern void reach_error(void);
int x;
int main(void)
{
	int *q;
	printf("%s %d\n", "x", x);
	if (scanf("%p", (void **)&q) != 1)
		return 0;
	*q = 9;
	if (x)
		reach_error();
	return 0;
}
