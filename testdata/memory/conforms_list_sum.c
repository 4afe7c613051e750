#include <stdlib.h>
extern void reach_error(void);
struct node { struct node *next; int v; };
int main(void) { struct node *head = 0; int n = 0;
	for (int i = 0; i < 2; i++) { struct node *x = malloc(sizeof *x); if (!x) return 0; x->v = i + 1; x->next = head; head = x; }
	for (; head; head = head->next) n += head->v;
	if (n != 3) reach_error(); return 0; }
