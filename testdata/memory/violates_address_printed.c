// An address is printed, and may be what is read afterwards.
#include <stdio.h>
extern void reach_error(void);
int x;
int main(void)
{
	int *q;
	printf("%d %p\n", 5, (void *)&x);
	if (scanf("%p", (void **)&q) != 1)
		return 0;
	*q = 9;
	if (x)
		reach_error();
	return 0;
}
