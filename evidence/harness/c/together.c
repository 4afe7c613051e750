
/* Components that run at once, and meet. */

extern void *magus_map(void *, unsigned long, int, int, int, long) __asm__("mmap");
extern int magus_kill(int, int) __asm__("kill");
extern int magus_nap(unsigned) __asm__("usleep");
#ifdef __APPLE__
enum { magus_anonymous = 0x1001 };
#else
enum { magus_anonymous = 0x21 };
#endif

enum { magus_most_text = 1 << 16 };

/* What all processes see. */
static struct magus_common {
	int now;                     /* the meeting that comes next */
	int came[magus_meetings + 1]; /* to each meeting */
	struct {
		int stands; /* it has come to where it stands still, and says what it offers there */
		char offers[magus_most_offers];
		unsigned long said;
		char text[magus_most_text];
	} of[magus_components];
} *magus_common;

static void magus_note(const char *text, unsigned long n)
{
	unsigned long i;
	if (!magus_common || magus_component >= magus_components) {
		magus_write(1, text, n);
		return;
	}
	for (i = 0; i < n && magus_common->of[magus_component].said < magus_most_text; i++)
		magus_common->of[magus_component].text[magus_common->of[magus_component].said++] = text[i];
}

/* magus_meet waits until all that take part in the component's next action have come, and the meetings before are over. */
static void magus_meet(int action)
{
	int meeting = magus_meetings_of[magus_component][action];
	int came = __atomic_add_fetch(&magus_common->came[meeting], 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&magus_common->now, __ATOMIC_SEQ_CST) <= meeting)
		if (came == magus_taking[meeting] && __atomic_load_n(&magus_common->now, __ATOMIC_SEQ_CST) == meeting)
			__atomic_store_n(&magus_common->now, meeting + 1, __ATOMIC_SEQ_CST); /* the last one opens the door */
		else
			magus_nap(50);
}

/* magus_offer says what the component waits for: an action, in a routine all of them, or nothing. */
static void magus_offer(const char *what)
{
	int i, routine = magus_stand_kind[magus_component] == magus_waits && !*what;
	const char *const *offer = magus_offers[magus_component];
	magus_alarm(0);
	for (i = 0; offer[i]; i++)
		magus_common->of[magus_component].offers[i] = routine || magus_same(offer[i], what);
	__atomic_store_n(&magus_common->of[magus_component].stands, 1, __ATOMIC_SEQ_CST);
	if (magus_stand_kind[magus_component] == magus_has_ended)
		magus_exit(magus_done);
	for (;;)
		magus_nap(100000);
}

/* magus_offers_it reports whether a component offers an action. */
static int magus_offers_it(int component, const char *action)
{
	int i;
	for (i = 0; magus_offers[component][i]; i++)
		if (magus_common->of[component].offers[i] && magus_same(magus_offers[component][i], action))
			return 1;
	return 0;
}

/* magus_possible reports whether one of each group that takes part in an action offers it. */
static int magus_possible(const char *action, const int *groups)
{
	int some = 0;
	for (; *groups != -2; groups++) {
		if (*groups >= 0)
			some = some || magus_offers_it(*groups, action);
		else if (!some)
			return 0;
		else
			some = 0;
	}
	return 1;
}

/* magus_goes reports whether the components can perform an action where they stand. */
static int magus_goes(void)
{
	int i, c;
	for (i = 0; magus_shared_actions[i].action; i++) {
		int offered = 0;
		for (c = 0; c < magus_components; c++)
			offered = offered || magus_offers_it(c, magus_shared_actions[i].action);
		if (offered && magus_possible(magus_shared_actions[i].action, magus_shared_actions[i].groups)) {
			magus_say("diverged: the components can perform ");
			magus_say(magus_shared_actions[i].action);
			magus_say("\n");
			return 1;
		}
	}
	return 0;
}

/* magus_watches waits until all components stand still or have ended; one that has done something else is noticed. */
static int magus_watches(int *pids)
{
	int c, ticks;
	for (ticks = 0; ticks < (magus_seconds + magus_watch) * 1000; ticks++) {
		int still = 0;
		for (c = 0; c < magus_components; c++) {
			int status = 0;
			if (pids[c] > 0 && magus_waitpid(pids[c], &status, 1) == pids[c]) {
				pids[c] = 0;
				if (status != magus_done << 8)
					return 0;
			}
			still += __atomic_load_n(&magus_common->of[c].stands, __ATOMIC_SEQ_CST);
		}
		if (still == magus_components)
			return __atomic_load_n(&magus_common->now, __ATOMIC_SEQ_CST) == magus_meetings;
		magus_nap(1000);
	}
	return 0;
}

static int magus_at_once(void)
{
	static int pids[magus_components];
	int c, status, ok = 1;
	magus_common = magus_map(0, sizeof *magus_common, 3, magus_anonymous, -1, 0);
	if (magus_common == (void *)-1) {
		magus_common = 0;
		return 0;
	}
	for (c = 0; c < magus_components; c++) {
		magus_component = c;
		if ((pids[c] = magus_begin_one()) < 0)
			ok = 0;
	}
	magus_component = magus_components;
	ok = ok && magus_watches(pids);
	for (c = 0; c < magus_components; c++)
		if (pids[c] > 0) {
			magus_kill(pids[c], 9);
			magus_waitpid(pids[c], &status, 0);
		}
	for (c = 0; c < magus_components; c++)
		magus_write(1, magus_common->of[c].text, magus_common->of[c].said);
	return ok && !magus_goes();
}
