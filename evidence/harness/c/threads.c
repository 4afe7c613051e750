/* What makes the threads keep to the schedule of the run. The compiler announces each access to memory by a call
   (-fsanitize=thread), for which the functions stand that are defined here. */

#define MAGUS_OWN __attribute__((no_sanitize("thread"), unused))

extern long magus_write(int, const void *, unsigned long) __asm__("write");
extern void magus_exit(int) __asm__("_exit");
extern unsigned magus_alarm(unsigned) __asm__("alarm");
extern void *magus_signal(int, void (*)(int)) __asm__("signal");
extern int magus_yield(void) __asm__("sched_yield");
extern int magus_pause(void) __asm__("pause");
extern void *magus_box(unsigned long) __asm__("malloc");

enum { magus_seconds = 10 };

static __thread int magus_self;         /* the number of the thread; -1 of one that the run does not have */
static __thread int magus_cursor;       /* where it looks for its next slot */
static __thread int magus_pending = -1; /* the slot whose access it is making */
static __thread int magus_allocated;    /* how often it has allocated memory */
static __thread int magus_created_here; /* how many it has created */
static __thread int magus_raced;        /* where it looks for its next access behind all slots */
static __thread int magus_depth;        /* how many functions it is in */
static __thread int magus_homes_met[magus_homes_count + 1]; /* how often it came to each declaration */
static __thread int magus_next[magus_sites];
static int magus_now;                   /* the slot that comes next */
static int magus_threads_begun;
static struct { char *at; unsigned long size; int thread, depth; } magus_cells[magus_cells_count + 1]; /* depth 0: of no function */

static void magus_place(void); /* says where the cells are */

MAGUS_OWN static void magus_say(const char *text)
{
	unsigned long n = 0;
	while (text[n])
		n++;
	magus_write(1, text, n);
}

/* magus_tell says in one piece what a thread does. */
MAGUS_OWN static void magus_tell(const char *before, const char *does, const char *what, const char *behind)
{
	static __thread char line[4096];
	const char *all[5];
	unsigned long n = 0;
	int i, k;
	all[0] = before;
	all[1] = magus_names[magus_self];
	all[2] = does;
	all[3] = what;
	all[4] = behind;
	for (i = 0; i < 5; i++)
		for (k = 0; all[i][k] && n < sizeof line; k++)
			line[n++] = all[i][k];
	magus_write(1, line, n);
}

/* magus_end says what is not as in the run. */
MAGUS_OWN static void magus_end(const char *why)
{
	magus_say(why);
	magus_say("\n");
	if (magus_missing)
		magus_say(magus_missing);
	magus_exit(magus_missing ? 3 : 2);
}

MAGUS_OWN static void magus_rest(void)
{
	for (;;)
		magus_pause();
}

/* magus_complete notes that the last access has been made. */
MAGUS_OWN static void magus_complete(void)
{
	int made = magus_pending;
	if (made < 0)
		return;
	magus_pending = -1;
	__atomic_store_n(&magus_now, made + 1, __ATOMIC_SEQ_CST);
}

/* magus_mine is the thread's next slot; -1 if it has none. */
MAGUS_OWN static int magus_mine(void)
{
	int i;
	for (i = magus_cursor; i < magus_slots_count; i++)
		if (magus_slots[i].thread == magus_self)
			return i;
	return -1;
}

/* magus_swap lets the thread make a read before others that it makes in one go: C leaves open in which order operands are read. */
MAGUS_OWN static void magus_swap(int mine, int cell)
{
	int i;
	for (i = mine; i < magus_slots_count && magus_slots[i].thread == magus_self && !magus_slots[i].write; i++)
		if (magus_slots[i].cell == cell) {
			magus_slots[i].cell = magus_slots[mine].cell;
			magus_slots[mine].cell = cell;
			return;
		}
}

MAGUS_OWN static void magus_await(int slot)
{
	while (__atomic_load_n(&magus_now, __ATOMIC_SEQ_CST) != slot)
		magus_yield();
}

static int magus_stood; /* threads that have come to where they stand for ever, or before the accesses of a data race */
static int magus_ended_count;

/* magus_done waits until all slots have been. */
MAGUS_OWN static void magus_done(void)
{
	magus_await(magus_slots_count);
}

/* magus_races comes behind a thread's slots: it makes what its section accesses before, and stays before its access of the data race. */
MAGUS_OWN static void magus_races(int cell, int write)
{
	int i, k, left = 0;
	for (i = magus_raced; magus_race[i].thread >= 0 && magus_race[i].thread != magus_self; i++)
		;
	if (magus_race[i].thread < 0)
		magus_rest();
	for (k = i; magus_race[k].thread >= 0; k++)
		left += magus_race[k].thread == magus_self;
	if (magus_race[i].cell != cell || magus_race[i].write != write) {
		magus_tell("diverged: ", write ? " writes " : " reads ", magus_cell_names[cell], " next, and not what it does in the run");
		magus_end("");
	}
	magus_tell("", write ? " writes " : " reads ", magus_cell_names[cell], " next\n");
	magus_raced = i + 1;
	if (left > 1)
		return;
	magus_done();
	if (__atomic_add_fetch(&magus_stood, 1, __ATOMIC_SEQ_CST) == 2) {
		magus_say("race\nperformed\n");
		magus_exit(1);
	}
	magus_rest();
}

/* magus_still shows a deadlock when all threads stand or have ended. */
MAGUS_OWN static void magus_still(int stands)
{
	int i, ends = 0;
	for (i = 0; i < magus_components; i++)
		ends += magus_ends[i];
	__atomic_add_fetch(stands ? &magus_stood : &magus_ended_count, 1, __ATOMIC_SEQ_CST);
	if (magus_shows == 1 && __atomic_load_n(&magus_stood, __ATOMIC_SEQ_CST) == magus_standing && __atomic_load_n(&magus_ended_count, __ATOMIC_SEQ_CST) == ends) {
		magus_say("deadlock\nperformed\n");
		magus_exit(1);
	}
}

/* magus_stand comes where a thread waits for ever: what it waits for is not to be had. */
MAGUS_OWN static void magus_stand(const char *name, int busy)
{
	if (!busy) {
		magus_tell("diverged: ", " goes on behind ", name, "");
		magus_end("");
	}
	magus_tell("", " waits in ", name, "\n");
	magus_still(1);
	magus_rest();
}

/* magus_slot makes a call when its slot comes. */
MAGUS_OWN static int magus_slot(int call, const char *name, void *p, int (*real)(void *), int (*tries)(void *))
{
	int mine, result;
	magus_complete();
	mine = magus_mine();
	if (magus_components == 1) { /* the only thread has no slots */
		result = tries ? tries(p) : real(p);
		if (tries && result)
			magus_stand(name, 1);
		return result;
	}
	if (mine < 0 && magus_self >= 0 && magus_stands[magus_self]) {
		magus_done();
		magus_stand(name, tries && tries(p) != 0);
	}
	if (mine < 0 && (magus_self < 0 || !magus_ends[magus_self]))
		magus_rest();
	if (mine < 0)
		return real(p);
	if (magus_slots[mine].cell != -1 || magus_slots[mine].write != call) {
		magus_tell("diverged: ", " calls ", name, ", which it does not do next in the run");
		magus_end("");
	}
	magus_cursor = mine + 1;
	magus_await(mine);
	magus_pending = mine;
	result = real(p);
	magus_complete();
	return result;
}

/* magus_access waits for the slot in which the thread makes an access. What the run has no slot for, it does not do. */
MAGUS_OWN static void magus_access(const char *at, unsigned long size, int write)
{
	int cell, mine;
	magus_complete();
	if (!magus_threads_begun)
		return;
	for (cell = 0; cell < magus_cells_count; cell++)
		if (magus_cells[cell].size && at < magus_cells[cell].at + magus_cells[cell].size && at + size > magus_cells[cell].at)
			break;
	if (cell == magus_cells_count)
		return;
	mine = magus_mine();
	if (mine < 0) {
		if (magus_shows != 2 || magus_self < 0)
			magus_rest();
		magus_races(cell, write);
		return;
	}
	if (!write)
		magus_swap(mine, cell);
	if (magus_slots[mine].cell != cell || magus_slots[mine].write != write) {
		magus_tell("diverged: ", write ? " writes " : " reads ", magus_cell_names[cell], ", which it does not do next in the run");
		magus_end("");
	}
	magus_cursor = mine + 1;
	magus_await(mine);
	magus_pending = mine;
}

/* magus_before comes before what may wait for other threads: a thread does that when its next slot comes, so that it takes no lock
   that another one has in the run. */
MAGUS_OWN static void magus_before(void)
{
	int mine = magus_mine();
	magus_complete();
	if (!magus_threads_begun)
		return;
	if (mine >= 0)
		magus_await(mine);
	else if (magus_self < 0 || !magus_ends[magus_self])
		magus_rest();
}

/* magus_here comes behind the declaration of a local variable that threads share. */
MAGUS_OWN static void magus_here(int home, const char *at, unsigned long size)
{
	int i, n = magus_homes_met[home]++, cell = -1;
	magus_complete();
	for (i = 0; magus_homes[i][0] >= 0; i++)
		if (magus_homes[i][0] == home && (magus_homes[i][1] == magus_self && n-- >= 0 || magus_homes[i][1] < 0))
			cell = magus_homes[i][2];
	if (cell < 0)
		return;
	magus_cells[cell].thread = magus_self;
	magus_cells[cell].depth = magus_homes[home][1] < 0 ? 0 : magus_depth;
	magus_cells[cell].at = (char *)at;
	__atomic_store_n(&magus_cells[cell].size, size, __ATOMIC_SEQ_CST);
}

/* magus_perform performs the thread's next action when its slot comes. The last one is what the run comes to. */
MAGUS_OWN static void magus_perform(int mine)
{
	magus_cursor = mine + 1;
	magus_await(mine);
	magus_tell("", ": ", magus_actions[magus_slots[mine].write], "\n");
	if (mine == magus_slots_count - 1) {
		magus_say("performed\n");
		magus_exit(1);
	}
	magus_pending = mine;
	magus_complete();
}

/* magus_action performs an action as the program asks for it. Behind its part of the run a thread performs nothing. */
MAGUS_OWN static void magus_action(const char *name)
{
	int mine, i = 0;
	const char *want;
	magus_complete();
	if (!magus_performs)
		return;
	mine = magus_mine();
	if (mine < 0)
		magus_rest();
	if (magus_slots[mine].cell != -2) {
		magus_tell("diverged: ", " performs ", name, ", which it does not do next in the run");
		magus_end("");
	}
	want = magus_actions[magus_slots[mine].write];
	while (want[i] && want[i] == name[i])
		i++;
	if (want[i] != name[i]) {
		magus_tell("diverged: ", " performs ", name, ", which it does not do next in the run");
		magus_end("");
	}
	magus_perform(mine);
}

/* magus_routine performs what a routine does in a call by its abstraction. */
MAGUS_OWN static void magus_routine_acts(int site)
{
	int mine, first = 1;
	while (magus_performs && (mine = magus_mine()) >= 0 && magus_slots[mine].routine == site + 1 && (first || !magus_slots[mine].begins)) {
		first = 0;
		magus_perform(mine);
	}
}

/* magus_gone forgets the variables of a function that returns. */
MAGUS_OWN static void magus_gone(void)
{
	int i;
	for (i = 0; i < magus_cells_count; i++)
		if (magus_cells[i].depth == magus_depth && magus_cells[i].depth && magus_cells[i].thread == magus_self)
			__atomic_store_n(&magus_cells[i].size, 0, __ATOMIC_SEQ_CST);
	magus_depth--;
}

extern void *magus_real_calloc(unsigned long, unsigned long) __asm__("calloc");

/* magus_allocate is memory as it is allocated in the run: it may have slots, or there may be none. */
MAGUS_OWN static void *magus_allocate(unsigned long n, unsigned long size, int cleared)
{
	int i, k = 0;
	void *p;
	magus_complete();
	for (i = 0; magus_allocations[i][0] >= 0; i++)
		if (magus_allocations[i][0] == magus_self && k++ == magus_allocated)
			break;
	magus_allocated++;
	if (magus_allocations[i][0] >= 0 && magus_allocations[i][2])
		return 0;
	p = cleared ? magus_real_calloc(n, size) : magus_box(size);
	if (magus_allocations[i][0] >= 0 && magus_allocations[i][1] >= 0) {
		magus_cells[magus_allocations[i][1]].at = p;
		magus_cells[magus_allocations[i][1]].size = n * size;
	}
	return p;
}

void *magus_do_malloc(unsigned long) __asm__("magus_malloc");
MAGUS_OWN void *magus_do_malloc(unsigned long size) { return magus_allocate(1, size, 0); }
void *magus_do_calloc(unsigned long, unsigned long) __asm__("magus_calloc");
MAGUS_OWN void *magus_do_calloc(unsigned long n, unsigned long size) { return magus_allocate(n, size, 1); }

struct magus_start { void *(*routine)(void *); void *argument; int number; };

MAGUS_OWN static void *magus_start(void *p)
{
	struct magus_start *s = p;
	void *result;
	magus_self = s->number;
	if (magus_self < 0)
		magus_rest();
	result = s->routine(s->argument);
	magus_complete();
	if (!magus_ends[magus_self])
		magus_rest();
	magus_still(0);
	return result;
}

extern int magus_real_create(void *, const void *, void *(*)(void *), void *) __asm__("pthread_create");
extern int magus_real_join(unsigned long, void **) __asm__("pthread_join");
extern int magus_real_lock(void *) __asm__("pthread_mutex_lock");
extern int magus_real_trylock(void *) __asm__("pthread_mutex_trylock");
extern int magus_real_unlock(void *) __asm__("pthread_mutex_unlock");
extern int magus_real_rdlock(void *) __asm__("pthread_rwlock_rdlock");
extern int magus_real_wrlock(void *) __asm__("pthread_rwlock_wrlock");
extern int magus_real_spin(void *) __asm__("pthread_spin_lock");
extern int magus_real_semwait(void *) __asm__("sem_wait");
extern int magus_real_sempost(void *) __asm__("sem_post");
extern int magus_real_wait(void *, void *) __asm__("pthread_cond_wait");
extern int magus_real_signal(void *) __asm__("pthread_cond_signal");
extern int magus_real_broadcast(void *) __asm__("pthread_cond_broadcast");
extern void magus_real_leave(void *) __asm__("pthread_exit");

int magus_do_create(void *, const void *, void *(*)(void *), void *) __asm__("magus_pthread_create");
MAGUS_OWN int magus_do_create(void *thread, const void *attributes, void *(*routine)(void *), void *argument)
{
	struct magus_start *s = magus_box(sizeof *s);
	int i, n = 0;
	magus_complete();
	s->routine = routine;
	s->argument = argument;
	s->number = -1;
	for (i = 0; i < magus_created_count; i++)
		if (magus_created[i][0] == magus_self && n++ == magus_created_here)
			s->number = magus_created[i][1];
	magus_created_here++;
	magus_threads_begun = 1;
	return magus_real_create(thread, attributes, magus_start, s);
}

#define MAGUS_WAITS(name, real) \
	int magus_do_##name(void *) __asm__("magus_" #name); \
	MAGUS_OWN int magus_do_##name(void *p) { magus_before(); return real(p); }
#define MAGUS_GOES(name, real) \
	int magus_do_##name(void *) __asm__("magus_" #name); \
	MAGUS_OWN int magus_do_##name(void *p) { magus_complete(); return real(p); }
#define MAGUS_CALLS \
	MAGUS_GOES(pthread_cond_signal, magus_real_signal) \
	MAGUS_GOES(pthread_cond_broadcast, magus_real_broadcast) \
	MAGUS_WAITS(pthread_mutex_lock, magus_real_lock) \
	MAGUS_WAITS(pthread_mutex_trylock, magus_real_trylock) \
	MAGUS_WAITS(pthread_rwlock_rdlock, magus_real_rdlock) \
	MAGUS_WAITS(pthread_rwlock_wrlock, magus_real_wrlock) \
	MAGUS_WAITS(pthread_spin_lock, magus_real_spin) \
	MAGUS_WAITS(sem_wait, magus_real_semwait) \
	MAGUS_GOES(pthread_mutex_unlock, magus_real_unlock) \
	MAGUS_GOES(sem_post, magus_real_sempost) \
	int magus_do_wait(void *, void *) __asm__("magus_pthread_cond_wait"); \
	MAGUS_OWN int magus_do_wait(void *condition, void *lock) \
	{ \
		/* A condition wakes up at any time: the lock is free until the thread's next slot comes. */ \
		magus_complete(); \
		magus_real_unlock(lock); \
		magus_before(); \
		return magus_real_lock(lock); \
	}
/* Calls that have slots. */
#define MAGUS_TURNS(call, name, tries) \
	int magus_do_##name(void *) __asm__("magus_" #name); \
	MAGUS_OWN int magus_do_##name(void *p) { return magus_slot(call, #name, p, magus_real_##name, tries); }
#define MAGUS_REAL(name) extern int magus_real_##name(void *) __asm__(#name);
MAGUS_REAL(pthread_mutex_lock)
MAGUS_REAL(pthread_mutex_trylock)
MAGUS_REAL(pthread_mutex_unlock)
MAGUS_REAL(pthread_rwlock_rdlock)
MAGUS_REAL(pthread_rwlock_wrlock)
MAGUS_REAL(pthread_rwlock_tryrdlock)
MAGUS_REAL(pthread_rwlock_trywrlock)
MAGUS_REAL(pthread_rwlock_unlock)
MAGUS_REAL(pthread_spin_lock)
MAGUS_REAL(pthread_spin_trylock)
MAGUS_REAL(pthread_spin_unlock)
MAGUS_REAL(sem_wait)
MAGUS_REAL(sem_trywait)
MAGUS_REAL(sem_post)

static void *magus_waits_for[magus_components]; /* by thread: the condition */

/* magus_wakes gives a signal, or all of them, to threads that go on in the run: those that wait for ever get none. */
MAGUS_OWN static int magus_wakes(void *condition, int all)
{
	int t, i, other = -1, lost = 0;
	for (t = 0; t < magus_components; t++) {
		if (magus_waits_for[t] != condition)
			continue;
		for (i = magus_cursor; i < magus_slots_count && magus_slots[i].thread != t; i++)
			;
		if (i < magus_slots_count)
			other = t;
		else if (magus_stands[t] == 2)
			lost = 1;
	}
	if (lost && (all || other < 0)) {
		magus_tell("diverged: ", " wakes a thread that waits for ever in the run", "", "\n");
		magus_end("");
	}
	if (other >= 0)
		magus_waits_for[other] = 0;
	return 0;
}
MAGUS_OWN static int magus_wakes_pthread_cond_signal(void *condition) { return magus_wakes(condition, 0); }
MAGUS_OWN static int magus_wakes_pthread_cond_broadcast(void *condition) { return magus_wakes(condition, 1); }
#define MAGUS_WAKES(call, name) \
	int magus_do_##name(void *) __asm__("magus_" #name); \
	MAGUS_OWN int magus_do_##name(void *p) { return magus_slot(call, #name, p, magus_wakes_##name, 0); }
#define MAGUS_WAKES_NOBODY(call, name) \
	int magus_do_##name(void *) __asm__("magus_" #name); \
	MAGUS_OWN int magus_do_##name(void *p) { magus_complete(); return 0; }

MAGUS_OWN static int magus_no_signal(void *p) { return 1; }

/* A condition wakes up at any time: the lock is free for a while. Who waits for a signal for ever does not try to get the lock. */
#define MAGUS_WAITS_FOR_CONDITIONS \
	int magus_do_wait(void *, void *) __asm__("magus_pthread_cond_wait"); \
	MAGUS_OWN int magus_do_wait(void *condition, void *lock) \
	{ \
		if (magus_self >= 0) \
			magus_waits_for[magus_self] = condition; \
		magus_slot(magus_of_cond_wait, "pthread_cond_wait", lock, magus_real_pthread_mutex_unlock, 0); \
		if (magus_self >= 0 && magus_mine() < 0 && magus_stands[magus_self] == 2) \
			magus_slot(magus_of_cond_wait, "pthread_cond_wait", lock, magus_real_pthread_mutex_lock, magus_no_signal); \
		magus_slot(magus_of_cond_wait, "pthread_cond_wait", lock, magus_real_pthread_mutex_lock, magus_real_pthread_mutex_trylock); \
		return 0; \
	}

extern int magus_real_tryjoin(unsigned long, void **) __asm__("pthread_tryjoin_np");
/* What a thread joins, for a call of one argument. */
static __thread unsigned long magus_whom;
static __thread void **magus_where;
MAGUS_OWN static int magus_joins(void *unused) { return magus_real_join(magus_whom, magus_where); }
MAGUS_OWN static int magus_tries_joining(void *unused) { return magus_real_tryjoin(magus_whom, magus_where); }

int magus_do_join(unsigned long, void **) __asm__("magus_pthread_join");
MAGUS_OWN int magus_do_join(unsigned long thread, void **result)
{
	magus_complete();
	magus_whom = thread;
	magus_where = result;
	return magus_shows ? magus_slot(magus_of_join, "pthread_join", 0, magus_joins, magus_tries_joining) : magus_joins(0);
}

void magus_do_leave(void *) __asm__("magus_pthread_exit");
MAGUS_OWN void magus_do_leave(void *result)
{
	magus_complete();
	if (magus_self != 0 && !magus_ends[magus_self])
		magus_rest();
	magus_still(0);
	magus_real_leave(result);
}

#define MAGUS_HOOKS(n) \
	MAGUS_OWN void __tsan_read##n(void *p) { magus_access(p, n, 0); } \
	MAGUS_OWN void __tsan_write##n(void *p) { magus_access(p, n, 1); } \
	MAGUS_OWN void __tsan_unaligned_read##n(void *p) { magus_access(p, n, 0); } \
	MAGUS_OWN void __tsan_unaligned_write##n(void *p) { magus_access(p, n, 1); } \
	MAGUS_OWN void __tsan_volatile_read##n(void *p) { magus_access(p, n, 0); } \
	MAGUS_OWN void __tsan_volatile_write##n(void *p) { magus_access(p, n, 1); }
MAGUS_HOOKS(1)
MAGUS_HOOKS(2)
MAGUS_HOOKS(4)
MAGUS_HOOKS(8)
MAGUS_HOOKS(16)
MAGUS_OWN void __tsan_read_range(void *p, unsigned long n) { magus_access(p, n, 0); }
MAGUS_OWN void __tsan_write_range(void *p, unsigned long n) { magus_access(p, n, 1); }
MAGUS_OWN void __tsan_func_entry(void *caller) { magus_complete(); magus_depth++; }
MAGUS_OWN void __tsan_func_exit(void) { magus_complete(); magus_gone(); }
MAGUS_OWN void __tsan_init(void) {}

/* Atomic operations: a read and a write with nobody's slot between them, or one of these. One that writes only has no slot to read. */
MAGUS_OWN static void magus_operates(const void *p, unsigned long size)
{
	int mine;
	magus_complete();
	mine = magus_mine();
	if (mine < 0 || !magus_slots[mine].write)
		magus_access(p, size, 0);
}

#define MAGUS_MODIFIES(bits, type, name) \
	MAGUS_OWN type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) \
	{ \
		type was; \
		magus_operates((const void *)p, sizeof *p); \
		was = __atomic_##name(p, v, __ATOMIC_SEQ_CST); \
		magus_access((const void *)p, sizeof *p, 1); \
		magus_complete(); \
		return was; \
	}
#define MAGUS_COMPARES(bits, type, name) \
	MAGUS_OWN int __tsan_atomic##bits##_##name(volatile type *p, type *expected, type v, int order, int otherwise) \
	{ \
		int done; \
		magus_operates((const void *)p, sizeof *p); \
		done = __atomic_compare_exchange_n(p, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
		if (done) \
			magus_access((const void *)p, sizeof *p, 1); \
		magus_complete(); \
		return done; \
	}
#define MAGUS_ATOMICS(bits, type) \
	MAGUS_OWN type __tsan_atomic##bits##_load(const volatile type *p, int order) \
	{ \
		type v; \
		magus_access((const void *)p, sizeof *p, 0); \
		v = __atomic_load_n(p, __ATOMIC_SEQ_CST); \
		magus_complete(); \
		return v; \
	} \
	MAGUS_OWN void __tsan_atomic##bits##_store(volatile type *p, type v, int order) \
	{ \
		magus_access((const void *)p, sizeof *p, 1); \
		__atomic_store_n(p, v, __ATOMIC_SEQ_CST); \
		magus_complete(); \
	} \
	MAGUS_OWN type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order) \
	{ \
		type was; \
		magus_operates((const void *)p, sizeof *p); \
		was = __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); \
		magus_access((const void *)p, sizeof *p, 1); \
		magus_complete(); \
		return was; \
	} \
	MAGUS_MODIFIES(bits, type, fetch_add) \
	MAGUS_MODIFIES(bits, type, fetch_sub) \
	MAGUS_MODIFIES(bits, type, fetch_and) \
	MAGUS_MODIFIES(bits, type, fetch_or) \
	MAGUS_MODIFIES(bits, type, fetch_xor) \
	MAGUS_MODIFIES(bits, type, fetch_nand) \
	MAGUS_COMPARES(bits, type, compare_exchange_strong) \
	MAGUS_COMPARES(bits, type, compare_exchange_weak) \
	MAGUS_OWN type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type v, int order, int otherwise) \
	{ \
		__tsan_atomic##bits##_compare_exchange_strong(p, &expected, v, order, otherwise); \
		return expected; \
	}
MAGUS_ATOMICS(8, unsigned char)
MAGUS_ATOMICS(16, unsigned short)
MAGUS_ATOMICS(32, unsigned)
MAGUS_ATOMICS(64, unsigned long long)
MAGUS_OWN void __tsan_atomic_thread_fence(int order) { magus_complete(); __atomic_thread_fence(__ATOMIC_SEQ_CST); }
MAGUS_OWN void __tsan_atomic_signal_fence(int order) { magus_complete(); }

/* magus_take gives the next value that the thread had at a site. */
MAGUS_OWN static unsigned long long magus_take(int site)
{
	const struct magus_choice *all;
	int i;
	magus_complete();
	if (magus_self < 0)
		return 0;
	magus_routine_acts(site);
	all = magus_choices[magus_self];
	for (i = magus_next[site]; all[i].site >= 0; i++)
		if (all[i].site == site) {
			magus_next[site] = i + 1;
			return all[i].value;
		}
	return 0;
}

MAGUS_OWN static void magus_error(void)
{
	if (magus_performs) { /* an action like any other, if it is observed */
		int mine = magus_mine();
		if (mine >= 0 && magus_slots[mine].cell == -2)
			magus_action("error");
		return;
	}
	magus_say("error\nperformed\n");
	magus_exit(1);
}

MAGUS_OWN static void magus_assert(int holds)
{
	if (!holds)
		magus_error();
}

/* A thread whose assumption does not hold waits for ever. */
MAGUS_OWN static void magus_assume(int holds)
{
	magus_complete();
	if (!holds)
		magus_rest();
}

MAGUS_OWN static void magus_signalled(int number)
{
	magus_end(number == 14 ? "diverged: the run was not followed to its end" : "diverged: the program was stopped by a signal");
}

/* The process does not end before the error. */
__attribute__((destructor)) MAGUS_OWN static void magus_ended(void)
{
	magus_complete();
	magus_rest();
}

__attribute__((constructor)) MAGUS_OWN static void magus_begin(void)
{
	static const int signals[] = { 4, 6, 7, 8, 11, 14 };
	unsigned i;
	magus_place();
	for (i = 0; i < sizeof signals / sizeof *signals; i++)
		magus_signal(signals[i], magus_signalled);
	magus_alarm(magus_seconds);
}
