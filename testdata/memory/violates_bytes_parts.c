extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// A structure with a pointer copied as one of narrower members.
struct s { int *p; int n; };
struct raw { unsigned short h[sizeof(word) / 2]; int n[sizeof(word) / 4]; };
int main(void) { int a = 0; struct s x = { &a, 1 }, y; struct raw r; memcpy(&r, &x, sizeof x); memcpy(&y, &r, sizeof y); *y.p = 1; if (a == 1) reach_error(); return 0; }
