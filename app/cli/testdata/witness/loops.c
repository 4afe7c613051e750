// want: conforms
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct counter { int hits; unsigned char kind; };
struct counter c;
int limit = 4;

int inc(int k)
{
  int r = k;
  while (r < 3) { r++; }
  return r;
}

int main(void)
{
  int x = __VERIFIER_nondet_int();
  if (x < 0)
    x = 0;
  for (int i = 0; i < limit; i++) {
    if (x > 5) c.hits++;
  }
  { int limit = inc(x); if (limit < 3) reach_error(); }
  int n = 0;
again:
  n++;
  if (n < 3) goto again;
  if (c.hits > 4 || n != 3) reach_error();
  do { n--; } while (n > 0);
  if (inc(n) < 3) reach_error();
  return 0;
}
