#include <stdio.h>

int kept(const char *path)
{
	FILE *f = fopen(path, "w");
	if (!f)
		return -1;
	int failed = fputs("done", f) < 0;
	return fclose(f) != 0 || failed ? -1 : 0;
}

int broken(const char *path)
{
	FILE *f = fopen(path, "w");
	if (!f)
		return -1;
	if (fputs("done", f) < 0)
		return -1; // broken
	return fclose(f);
}
