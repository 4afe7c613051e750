#ifndef __MAGUS_GETOPT_H
#define __MAGUS_GETOPT_H
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option { const char *name; int has_arg; int *flag; int val; };
extern char *optarg;
extern int optind, opterr, optopt;
extern int getopt(int __argc, char *const __argv[], const char *__options);
extern int getopt_long(int __argc, char *const __argv[], const char *__options, const struct option *__long, int *__index);
extern int getopt_long_only(int __argc, char *const __argv[], const char *__options, const struct option *__long, int *__index);
#endif
