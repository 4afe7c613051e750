#include <dirent.h>

int kept(const char *path)
{
	DIR *d = opendir(path);
	if (!d)
		return -1;
	int empty = readdir(d) == 0;
	closedir(d);
	return empty;
}

int broken(const char *path)
{
	DIR *d = opendir(path);
	if (!d)
		return -1;
	if (!readdir(d))
		return 1; // broken
	closedir(d);
	return 0;
}
