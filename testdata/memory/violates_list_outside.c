// entry f
extern void reach_error(void);
struct node { struct node *next; int v; };
int f(struct node *head, int v) { struct node *p = head; while (p && p->v != v) p = p->next; if (p && p != head) reach_error(); return 0; }
