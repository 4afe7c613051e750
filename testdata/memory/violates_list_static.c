#include <stdlib.h>
extern void reach_error(void);
struct node { struct node *next; int v; };
static struct node *head;
static void push(struct node *x) { x->next = head; head = x; }
int main(void) { static struct node a = { 0, 1 }, b = { 0, 2 }; int n = 0; push(&a); push(&b);
	for (struct node *p = head; p; p = p->next) n += p->v;
	if (n == 3) reach_error(); return 0; }
