// want: violates
# 1 "shop.c"
# 1 "<built-in>"
# 1 "shop.c"
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
# 1 "/usr/include/other.h" 1

static int twice(int a) { while (a > 100) { a = a - 7; } return a * 2; }
# 40 "shop.c" 2
int main(void)
{
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  for (int k = 0; k < 2; k++) {
    if (i > 10 && j == k) i = i - 3;
  }
  if (twice(i) == 180 && j == 1)
    reach_error();
  return 0;
}
