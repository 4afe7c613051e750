#include <stdlib.h>

int kept(int n)
{
	int *p = malloc(sizeof *p);
	if (!p)
		return -1;
	*p = n;
	int twice = *p + *p;
	free(p);
	return twice;
}

int broken(int n)
{
	int *p = malloc(sizeof *p);
	if (!p)
		return -1;
	if (n < 0)
		return -1; // broken
	free(p);
	return 0;
}
