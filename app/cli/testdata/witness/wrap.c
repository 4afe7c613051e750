// want: conforms
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);

static unsigned sum;

static void add(unsigned n) { sum = sum + n; }

int main(void)
{
  unsigned char b = __VERIFIER_nondet_uchar();
  long l = __VERIFIER_nondet_long();
  int sign = l < 0 ? -1 : 1;
  while (sign * 2 < 0 || b > 250) {
    if (sign < 0 && b <= 250) { sign = 1; add(0u - 1u); }
    if (b > 250) b++;
    if (b == 0) sign = 1;
  }
  if (sign != 1 || b > 250) reach_error();
  if (sum != 0 && sum + 1 != 0 && sum + 2 != 0) reach_error();
  return 0;
}
