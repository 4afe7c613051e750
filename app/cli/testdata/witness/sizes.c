// want: violates
extern char __VERIFIER_nondet_char(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
  char c = __VERIFIER_nondet_char();
  unsigned long u = __VERIFIER_nondet_ulong();
  short s = __VERIFIER_nondet_short();
  if (__VERIFIER_nondet_bool() && c < -100 && u > 1ul << 63)
    while (s != -32768) {
      s = __VERIFIER_nondet_short();
      if (s == 1) return 0;
      if (u % 7 == 3 && s < -3) { c = 0; reach_error(); }
    }
  return c;
}
