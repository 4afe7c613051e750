extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// A pointer sent through a queue of bytes.
static unsigned char q[16]; static unsigned in, out;
static void put(const void *p, unsigned n) { const unsigned char *c = p; while (n--) q[in++] = *c++; }
static void get(void *p, unsigned n) { unsigned char *c = p; while (n--) *c++ = q[out++]; }
int main(void) { int a = 0, *p = &a, *r; put(&p, sizeof p); get(&r, sizeof r); *r = 1; if (a == 1) reach_error(); return 0; }
