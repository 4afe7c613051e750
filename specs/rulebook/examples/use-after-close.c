#include <stdio.h>

int kept(const char *path)
{
	FILE *f = fopen(path, "r");
	if (!f)
		return -1;
	int failed = ferror(f);
	fclose(f);
	return failed;
}

int broken(const char *path)
{
	FILE *f = fopen(path, "r");
	if (!f)
		return -1;
	fclose(f);
	return ferror(f); // broken
}
