/* What gives the program its values and watches what it does. */

extern long magus_write(int, const void *, unsigned long) __asm__("write");
extern void magus_exit(int) __asm__("_exit");
extern void magus_leave(int) __asm__("exit");
extern int magus_fork(void) __asm__("fork");
extern int magus_waitpid(int, int *, int) __asm__("waitpid");
extern unsigned magus_alarm(unsigned) __asm__("alarm");
extern void *magus_signal(int, void (*)(int)) __asm__("signal");

enum { magus_done = 111, magus_diverged = 112, magus_seconds = 20, magus_watch = 2 };

static int magus_component;
static int magus_enter;             /* the next call of a replaced body enters it */
static int magus_begin;             /* the component whose parameters are not set yet */
static int magus_acted;             /* actions performed */
static int magus_looked;            /* how often it was looked whether it waits for ever */
static int magus_next[magus_sites]; /* where each site looks for its next value */
static unsigned long long magus_rounds[magus_sites]; /* of the choices of rounds of a loop: how often each site has begun them again */

static void magus_run(int component);             /* begins a component */
static void magus_set(int component, int choice); /* gives variables what a choice does */

static void magus_note(const char *text, unsigned long n); /* of components that run at once: keeps what one says */
static void magus_meet(int action);                         /* waits until all that take part have come */
static void magus_offer(const char *what);                  /* stays for ever, and says what it waits for */
static int magus_at_once(void);                             /* executes all of them */

static void magus_say(const char *text)
{
	unsigned long n = 0;
	while (text[n])
		n++;
	if (magus_together) {
		magus_note(text, n);
		return;
	}
	magus_write(1, text, n);
}

static void magus_diverge(const char *why)
{
	magus_say("diverged: ");
	magus_say(why);
	magus_say("\n");
	magus_exit(magus_diverged);
}

static int magus_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* magus_stand is where the component comes to that stands still behind its last action. */
static void magus_stand(const char *how, const char *what)
{
	magus_say(how);
	magus_say(what);
	magus_say("\n");
	if (magus_together)
		magus_offer(what);
	magus_exit(magus_done);
}

/* magus_finished reports whether all actions are performed and the component stands still behind them, in a way. */
static int magus_finished(int way)
{
	return !magus_traces[magus_component][magus_acted] && magus_stand_kind[magus_component] == way;
}

/* magus_act performs an action, or waits for it. */
static void magus_act(const char *action)
{
	const char *want = magus_traces[magus_component][magus_acted];
	const char *const *offer = magus_offers[magus_component];
	if (!want) {
		if (magus_stand_kind[magus_component] == magus_waits)
			for (; *offer; offer++)
				if (magus_same(action, *offer))
					magus_stand("waits for ", action);
		magus_say(action);
		magus_say("\n");
		magus_diverge("an action behind the last one");
	}
	magus_say(action);
	magus_say("\n");
	if (!magus_same(action, want)) {
		magus_say("the counterexample performs ");
		magus_diverge(want);
	}
	if (magus_together)
		magus_meet(magus_acted);
	if (!magus_traces[magus_component][++magus_acted] && magus_stand_kind[magus_component] == magus_goes_on)
		magus_exit(magus_done);
}

/* magus_object is memory that a pointer from outside points to. */
static void *magus_object(void)
{
	static struct { char bytes[4096]; } objects[256] __attribute__((aligned(64)));
	static int used;
	if (used == 256)
		magus_diverge("too many objects");
	return &objects[used++];
}

/* magus_give stores a value; a pointer that is not null gets an object. */
static void magus_give(void *to, unsigned long size, int pointer, unsigned long long value)
{
	unsigned long object = pointer && value ? (unsigned long)magus_object() : 0;
	if (object)
		value = object;
	__builtin_memcpy(to, &value, size); /* the low bytes come first */
}

/* magus_row is where a site looks next that has come to row i: behind the choices of rounds of a loop, at the first of these again,
   as often as the run has more rounds, if the site has any of them. */
static int magus_row(int site, int i)
{
	const struct magus_choice *all = magus_choices[magus_component];
	const struct magus_again *r;
	int k;
	for (r = magus_agains[magus_component]; r->times; r++) {
		if (r->last != i)
			continue;
		for (k = r->first; k < r->last && all[k].site != site; k++)
			;
		if (k == r->last)
			break;
		if (magus_rounds[site]++ < r->times)
			return k;
		if (magus_finished(magus_goes_round))
			magus_stand("goes round", "");
		magus_rounds[site] = 0;
		break;
	}
	return i;
}

/* magus_take gives the next value that the run had at a site. */
static unsigned long long magus_take(int site)
{
	const struct magus_choice *all = magus_choices[magus_component];
	int i;
	for (i = magus_row(site, magus_next[site]); all[i].site >= 0; i = magus_row(site, i + 1)) {
		const char *const *a;
		if (all[i].site != site)
			continue;
		magus_next[site] = i + 1;
		for (a = all[i].actions; a && *a; a++)
			magus_act(*a);
		if (all[i].open && (magus_finished(magus_waits) || magus_finished(magus_has_ended)))
			magus_stand("stands still in a routine", "");
		magus_set(magus_component, i);
		return all[i].object ? (unsigned long)magus_object() : all[i].value;
	}
	magus_next[site] = i;
	if (magus_stand_site[magus_component] == site && (magus_finished(magus_waits) || magus_finished(magus_has_ended)))
		magus_stand("stands still in a routine", "");
	if (magus_routine[site])
		magus_diverge("a routine is called once more than in the run");
	return 0;
}

static void magus_error(void)
{
	if (magus_traps)
		magus_diverge("an error, and no overflow");
	magus_act("error");
	magus_exit(magus_diverged);
}

static void magus_action(const char *name) { magus_act(name); }

/* magus_on is what a component does on a channel: the value that it receives, or has to send. */
static unsigned long long magus_on(const char *kind, const char *name)
{
	static char action[512];
	const char *want = magus_traces[magus_component][magus_acted], *text;
	unsigned long long value = 0;
	unsigned n = 0;
	for (; *kind; kind++)
		action[n++] = *kind;
	for (text = name; *text && n < sizeof action - 1; text++)
		action[n++] = *text;
	action[n] = 0;
	for (n = 0; want && action[n] && action[n] == want[n]; n++)
		;
	if (!want || action[n] || want[n] != '(') {
		magus_act(action); /* waits for it, or is something else */
		return 0;
	}
	for (text = want + n + 1; *text && *text != ')'; text++)
		if (*text != '-')
			value = 10 * value + (*text - '0');
	return want[n + 1] == '-' ? -value : value;
}

static void magus_send(const char *name, unsigned long long value)
{
	unsigned long long want = magus_on("send ", name);
	int i;
	for (i = 0; magus_channels[i].name; i++)
		if (magus_same(name, magus_channels[i].name) && magus_channels[i].bits < 64)
			want &= (1ull << magus_channels[i].bits) - 1, value &= (1ull << magus_channels[i].bits) - 1;
	if (value != want)
		magus_diverge("another value is sent");
	magus_act(magus_traces[magus_component][magus_acted]);
}

static unsigned long long magus_receive(const char *name)
{
	unsigned long long value = magus_on("receive ", name);
	magus_act(magus_traces[magus_component][magus_acted]);
	return value;
}

static void magus_assert(int holds)
{
	if (!holds)
		magus_error();
}

static void magus_assume(int holds)
{
	if (!holds)
		magus_diverge("an assumption does not hold");
}

static void magus_return(unsigned long long value, int bits, unsigned long long want, const char *action)
{
	if (bits < 64)
		value &= (1ull << bits) - 1;
	if (bits > 0 && value != want)
		magus_diverge("another value is returned");
	magus_act(action);
}

/* magus_watched reports whether it is looked every now and then whether the component does not end. */
static int magus_watched(void)
{
	return magus_stand_kind[magus_component] == magus_waits_for_ever || magus_stand_kind[magus_component] == magus_goes_round;
}

/* magus_signalled stands for what ends the program; where an overflow is the error, the compiler has it trap. */
static void magus_signalled(int number)
{
	if (magus_traps && (number == 4 || number == 5)) {
		magus_act("error");
		magus_exit(magus_diverged);
	}
	if (number == 14 && magus_finished(magus_waits_for_ever))
		magus_stand("waits for ever", "");
	if (number == 14 && magus_finished(magus_goes_round))
		magus_stand("goes on", "");
	if (number == 14 && magus_watched() && ++magus_looked < magus_seconds / magus_watch) {
		magus_alarm(magus_watch); /* others may have to come to it first */
		return;
	}
	if (number == 6 && magus_finished(magus_has_ended))
		magus_stand("has ended", "");
	magus_diverge(number == 14 ? "the program runs on" : "the program was stopped by a signal");
}

/* magus_ended stands for an end before the last action. */
__attribute__((destructor)) static void magus_ended(void)
{
	if (magus_finished(magus_has_ended))
		magus_stand("has ended", "");
	magus_diverge("the program ended");
}

/* magus_begin_one begins the component in a process of its own. */
static int magus_begin_one(void)
{
	static const int signals[] = { 4, 5, 6, 7, 8, 11, 14 };
	unsigned i;
	int pid = magus_fork();
	if (pid != 0)
		return pid;
	for (i = 0; i < sizeof signals / sizeof *signals; i++)
		magus_signal(signals[i], magus_signalled);
	magus_alarm(magus_watched() ? magus_watch : magus_seconds);
	magus_say(magus_names[magus_component]);
	magus_say(":\n");
	magus_run(magus_component);
	magus_leave(0); /* what the program gave to atexit runs, then magus_ended */
	return 0;
}

__attribute__((constructor)) static void magus_replay(void)
{
	int ok = 1;
	for (magus_component = 0; !magus_together && magus_component < magus_components; magus_component++) {
		int status = 0, pid;
		if (!magus_traces[magus_component][0] && magus_stand_kind[magus_component] == magus_goes_on)
			continue; /* takes part in no action */
		pid = magus_begin_one();
		if (pid < 0 || magus_waitpid(pid, &status, 0) != pid || status != magus_done << 8)
			ok = 0;
	}
	if (magus_together)
		ok = magus_at_once();
	if (ok)
		magus_say("performed\n");
	else if (magus_missing)
		magus_say(magus_missing);
	magus_exit(ok ? 1 : magus_missing ? 3 : 2);
}

