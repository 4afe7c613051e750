// want: conforms
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static int locked, turns;

static int clamp(int k)
{
  while (k > 7) { k = k / 2; }
  return k;
}

int main(void)
{
  unsigned budget = __VERIFIER_nondet_uint() % 1000;
  unsigned used = 0;
  int k = 0;
  while (used < budget) {
    int request = clamp(__VERIFIER_nondet_int());
    if (request < 0) continue;
    for (k = 0; k < request; k++) {
      if (locked) reach_error();
      locked = 1;
      turns = turns + 1;
      if (turns > 50) turns = 0;
      locked = 0;
    }
    if (k > 7 || turns > 50) reach_error();
    used++;
    if (turns == 50) break;
  }
  if (used > budget || locked) reach_error();
  return 0;
}
