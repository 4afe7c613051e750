/* Programs on memory: each procedure test_… is executed and compared with gcc. */

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;

struct point { int x, y; };
struct rect { struct point lo, hi; const char *name; };

static struct point origin = {1, 2}, table[3] = {{1}, [2] = {.y = 7}};
static int squares[4] = {0, 1, 4, 9};
static const int primes[] = {2, 3, 5, 7, 11};

int test_members(void) {
	struct rect r = {{1, 2}, {3}, "r"};
	r.lo.x += 5;
	r.hi.y = r.lo.x * r.hi.x;
	origin.x = r.hi.y;
	return origin.x * 100 + origin.y + r.lo.y;
}

int test_copies(void) {
	struct rect a = {.hi = {8, 9}}, b = a, *p = &b;
	a.hi.x = 1;
	p->lo = a.hi;
	struct rect c;
	c = *p;
	*p = a;
	out(c.lo.x); out(c.lo.y); out(c.hi.x); out(b.hi.x);
	return c.hi.y;
}

int test_arrays(void) {
	int a[5] = {1, 2, [4] = 9}, i, sum = 0;
	for (i = 0; i < 5; i++)
		sum = sum * 10 + a[i];
	for (i = 4; i >= 0; i--)
		a[i] = i * i;
	a[3]++;
	out(a[3]--);
	out(--a[a[1] + 1]);
	return sum + a[3] + squares[3] + primes[4];
}

int test_matrix(void) {
	static int m[3][4];
	int i, j, s = 0;
	for (i = 0; i < 3; i++)
		for (j = 0; j < 4; j++)
			m[i][j] = i * 4 + j;
	int *row = m[1];
	row[2] = 100;
	int (*p)[4] = m + 2;
	(*p)[0] = 50;
	p[-1][3] += 3;
	for (i = 0; i < 3; i++)
		for (j = 0; j < 4; j++)
			s = s * 3 + m[i][j];
	return s + (int)sizeof m;
}

static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

int test_swap(void) {
	int x = 3, y = 4, a[2] = {5, 6};
	swap(&x, &y);
	swap(a, a + 1);
	swap(&x, &a[0]);
	return x * 1000 + y * 100 + a[0] * 10 + a[1];
}

int test_strings(void) {
	char buf[8] = "ab";
	const char *s = "hello", *p = s;
	int n = 0;
	while (*p++)
		n++;
	out(p - s);
	for (int i = 0; buf[i]; i++)
		buf[i] += 1;
	buf[2] = s[n - 1];
	out(buf[0]); out(buf[1]); out(buf[2]); out(buf[3]); out(sizeof "abc"); out("xyz"[1]);
	return n;
}

struct node { int value; struct node *next; };

int test_list(void) {
	struct node c = {3, 0}, b = {2, &c}, a = {1, &b}, *p, **q;
	int s = 0;
	for (p = &a; p; p = p->next)
		s = s * 10 + p->value;
	for (q = &a.next; *q; q = &(*q)->next)
		if ((*q)->value == 2) {
			*q = (*q)->next;
			break;
		}
	for (p = &a; p; p = p->next)
		s = s * 10 + p->value;
	return s;
}

union word { u32 w; u16 h[2]; u8 b[4]; struct { u32 lo : 4, mid : 20, hi : 8; } f; };

int test_union(void) {
	union word u = {0x12345678};
	out(u.h[0]); out(u.b[3]); out(u.f.lo); out(u.f.mid); out(u.f.hi);
	u.b[1] = 0xab;
	out(u.w);
	u.f.hi = 0x1ff;
	u.f.lo++;
	out(u.w);
	u.h[1] ^= 0xffff;
	for (int i = 0; i < 4; i++)
		out(u.b[i]);
	return u.w;
}

struct bits { int s : 3; unsigned u : 5; _Bool f : 1; long long w : 40; int : 0; u8 last; };

int test_bits(void) {
	struct bits b = {.s = 5, 33, 7};
	out(b.s); out(b.u); out(b.f); out(b.w);
	b.w = -1;
	b.s--;
	b.u += 31;
	b.last = 300;
	out(b.w); out(b.s); out(b.u); out(b.last);
	out(b.s = 7);
	out(sizeof b);
	return b.u << 2;
}

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
typedef int binary(int, int);
static binary *const operators[] = {add, sub, 0};
struct ops { const char *name; int (*apply)(int, int); };
static const struct ops plus = {"plus", add}, minus = {.apply = sub};
static struct ops current;

static int apply(binary f, int a, int b) { return f(a, b); }

int test_functions(void) {
	int s = 0;
	const struct ops *o = &plus;
	for (int i = 0; operators[i]; i++)
		s = s * 10 + operators[i](7, 2);
	out(o->apply(1, 2));
	o = &minus;
	out((*o->apply)(1, 2));
	current = *o;
	out(current.apply(5, 6));
	current.apply = s ? add : sub;
	out(current.apply == add);
	out((&add == plus.apply) + apply(add, 4, 5) + apply(&sub, 1, 9));
	return s + current.apply(5, 6);
}

static struct point make(int x, int y) { struct point p = {x, y}; return p; }
static int area(struct rect r) { r.hi.x -= r.lo.x; r.hi.y -= r.lo.y; return r.hi.x * r.hi.y; }

int test_byvalue(void) {
	struct rect r = {make(1, 2), make(5, 9)};
	int a = area(r);
	out(make(3, 4).y);
	struct point p = a > 3 ? make(1, 1) : r.lo;
	out(p.x);
	r.hi = (struct point){.y = p.x + 20, .x = 7};
	int *q = (int[]){1, 2, 3};
	q[1] = 8;
	return a + area(r) + q[0] + q[1] + r.hi.x;
}

#define offset(t, m) __builtin_offsetof(t, m)
#define container(p, t, m) ((t *)((char *)(p) - offset(t, m)))
struct link { struct link *next, *prev; };
struct job { int id; struct link link; int prio; };

static void insert(struct link *head, struct link *n) {
	n->next = head->next;
	n->prev = head;
	head->next->prev = n;
	head->next = n;
}

int test_container(void) {
	struct link head = {&head, &head}, *l;
	struct job a = {1, {0}, 10}, b = {2, {0}, 20}, c = {.prio = 30};
	int s = 0;
	insert(&head, &a.link);
	insert(&head, &b.link);
	insert(&head, &c.link);
	a.link.prev->next = a.link.next;
	a.link.next->prev = a.link.prev;
	for (l = head.next; l != &head; l = l->next) {
		struct job *j = container(l, struct job, link);
		s = s * 100 + j->prio + j->id;
	}
	return s + (int)offset(struct job, prio);
}

int test_pointers(void) {
	int a[6] = {1, 2, 3, 4, 5, 6}, *p = a + 1, *e = &a[5];
	int n = 0;
	while (p < e)
		n = n * 10 + *p++;
	out(e - p); out(p == e); out(*--p); out(p[-2]); out(*(2 + a)); out(2[a]);
	*p++ = 70; *p = 80;
	p -= 3;
	(*p)++;
	out(&a[4] - p);
	for (p = a; p != a + 6; ++p)
		out(*p);
	int **pp = &p;
	*pp = &a[2];
	**pp += 5;
	return n + a[2];
}

int test_bytes(void) {
	u32 x = 0x01020304;
	u8 *p = (u8 *)&x;
	p[2] = 0xff;
	out(*p); out(p[3]);
	u16 *h = (u16 *)(p + 2);
	out(*h);
	*h = 0xbeef;
	struct point q = {-1, 5};
	out(((u8 *)&q)[4]); out(*((short *)&q + 1));
	return x;
}

int test_memory(void) {
	struct rect r, s;
	__builtin_memset(&r, 0, sizeof r);
	out(r.lo.x); out(r.name == 0);
	r.hi.y = 5;
	__builtin_memset(&r.lo, 0xff, sizeof r.lo);
	__builtin_memcpy(&s, &r, sizeof s);
	out(s.lo.y); out(s.hi.y);
	int a[4] = {1, 2, 3, 4}, b[4];
	__builtin_memcpy(b, a + 1, 2 * sizeof *a);
	__builtin_memcpy(b + 2, a, 8);
	return b[0] * 1000 + b[1] * 100 + b[2] * 10 + b[3];
}

static int counter(void) { static struct { int n; int log[3]; } c = {5}; c.log[c.n % 3] = c.n; return c.n++ * 10 + c.log[2]; }

int test_static(void) {
	out(counter()); out(counter());
	return counter();
}

int test_table(void) {
	int s = 0;
	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		struct point *p = &table[i];
		s = s * 10 + p->x + p->y;
		p->x = i;
	}
	for (int i = 0; i < 3; ++i)
		s = s * 10 + table[i].x;
	return s;
}

enum kind { TEXT, NUMBER, PAIR };
struct message { enum kind kind; union { int number; struct point pair; char text[4]; } u; };

static int handle(const struct message *m) {
	switch (m->kind) {
	case TEXT: return m->u.text[0];
	case NUMBER: return m->u.number;
	case PAIR: return m->u.pair.x + m->u.pair.y;
	}
	return -1;
}

int test_messages(void) {
	struct message ms[3] = {{TEXT, {.text = "hi"}}, {NUMBER, {42}}, {PAIR, {.pair = {3, 4}}}};
	int s = 0;
	for (int i = 0; i < 3; i++)
		s += handle(&ms[i]);
	return s;
}

struct ring { u8 data[4]; unsigned head, tail; };
static int push(struct ring *r, u8 c) { if (r->head - r->tail == 4) return 0; r->data[r->head++ % 4] = c; return 1; }
static int pop(struct ring *r) { return r->head == r->tail ? -1 : r->data[r->tail++ % 4]; }

int test_ring(void) {
	struct ring r = {{0}};
	int s = 0;
	for (int i = 0; i < 6; i++)
		s += push(&r, i * 7);
	out(pop(&r)); out(pop(&r));
	push(&r, 99);
	while (r.head != r.tail)
		s = s * 31 + pop(&r);
	return s + pop(&r);
}

int test_order(void) {
	int a[3] = {0, 1, 2}, i = 0;
	struct point p = {1, 2}, *q = &p;
	a[i++] = 5;
	a[i] = i + 10;
	i++;
	a[i] += a[0];
	q->x = (q->y = 8) + 1;
	int x = q->x + (*q).y++;
	return a[0] * 100 + a[1] * 10 + a[2] + x * 1000 + p.y;
}

int test_escape(void) {
	struct { int a, b; } s[2] = {{1, 2}, {3, 4}};
	int *p = __VERIFIER_nondet_int() % 2 ? &s[0].b : &s[1].a;
	*p = 9;
	void *v = p;
	*(int *)v += 1;
	return s[0].a * 1000 + s[0].b * 100 + s[1].a * 10 + s[1].b;
}

int heap_list(void) {
	struct node *head = 0, *n;
	int s = 0;
	for (int i = 0; i < 3; i++) {
		n = __builtin_malloc(sizeof *n);
		n->value = i;
		n->next = head;
		head = n;
	}
	while (head) {
		n = head;
		s = s * 10 + n->value;
		head = n->next;
		__builtin_free(n);
	}
	return s;
}

static void *get_memory(unsigned long n) { void *p = __builtin_malloc(n); if (!p) abort(); return p; }

int heap_wrapper(void) {
	struct point *p = get_memory(sizeof(struct point));
	long *q = get_memory(3 * sizeof(long));
	struct job *j = __builtin_calloc(1, sizeof(struct job));
	p->x = 1; p->y = 2;
	q[0] = 5; q[2] = 7;
	for (int i = 0; i < 3; i++)
		q[i] = i + p->y;
	struct point *r = __builtin_realloc(p, 2 * sizeof *r);
	r[1] = r[0];
	r[1].x = 8;
	return r->x * 1000 + r[1].x * 100 + q[2] * 10 + j->id + (j->link.next == 0);
}

struct packet { u16 len; u8 body[]; };

int heap_flexible(void) {
	struct packet *p = __builtin_malloc(sizeof *p + 4);
	p->len = 4;
	for (int i = 0; i < p->len; i++)
		p->body[i] = i + 1;
	return p->body[0] * 1000 + p->body[3] * 10 + sizeof *p;
}

union wide { unsigned all; unsigned char first; };

/* An initialiser of one member of an element, the other one read. */
int test_union_in_long_array(void) {
	union wide u[20] = { [0] = { .all = 0x1234 }, [19] = { .first = 7 } };
	return u[0].first * 10 + u[19].first;
}

/* A union with a value at the start, read as each of its members. */
static union { signed char c; unsigned short s; long long l; unsigned char b[4]; } starts[3] = { { -2 }, { .l = 0x123456789 }, { .b = { 1, 2, 250 } } };

int test_union_starts(void) {
	long r = 0;
	for (int i = 0; i < 3; i++)
		r = r * 7 + starts[i].c + starts[i].s * 3 + starts[i].l * 5 + starts[i].b[1] + starts[i].b[2];
	return r;
}
