// A pointer is written to a file and read again.
#include <stdio.h>
extern void reach_error(void);
int x;
int main(void)
{
	int *p = &x, *q;
	FILE *f = tmpfile();
	if (!f)
		return 0;
	fwrite(&p, sizeof p, 1, f);
	rewind(f);
	if (fread(&q, sizeof q, 1, f) != 1)
		return 0;
	*q = 9;
	if (x)
		reach_error();
	return 0;
}
