/* Handlers of signals. No signal arrives but by raise. */

typedef void libc_signal_handler(int);

static libc_signal_handler *libc_actions[65];

static unsigned char libc_action_known[65];

/* What is done about a signal. Before the program has said so it may be ignored, for whoever began the program may have said that. */
static libc_signal_handler *libc_action(int sig)
{
	if (!libc_action_known[sig]) {
		libc_action_known[sig] = 1;
		libc_actions[sig] = __magus_open_int() ? (libc_signal_handler *)1 : (libc_signal_handler *)0;
	}
	return libc_actions[sig];
}

/* Remembers the function, which is called by raise only, and gives the one before. */
libc_signal_handler *signal(int sig, libc_signal_handler *handler)
{
	__magus_told("no signal arrives but by raise");
	if (sig < 1 || sig > 64 || sig == 9 || sig == 19 || sig == 32 || sig == 33) {
		*__errno_location() = 22;
		return (libc_signal_handler *)-1;
	}
	libc_signal_handler *before = libc_action(sig);
	libc_actions[sig] = handler;
	return before;
}

/* Remembers the function that the new action begins with, which is called by raise only. The flags and the mask that it gives are any value. */
int sigaction(int sig, const void *action, void *before)
{
	__magus_told("no signal arrives but by raise");
	if (sig < 1 || sig > 64 || action && (sig == 9 || sig == 19) || sig == 32 || sig == 33) {
		*__errno_location() = 22;
		return -1;
	}
	libc_signal_handler *old = libc_action(sig);
	if (action)
		libc_actions[sig] = *(libc_signal_handler *const *)action;
	if (before) {
		__magus_object(before);
		*(libc_signal_handler **)before = old;
	}
	return 0;
}

/* Calls the function that the signal was given, or ends the program as the signal does. */
int raise(int sig)
{
	if (sig < 1 || sig > 64) {
		*__errno_location() = 22;
		return -1;
	}
	if (sig == 9)
		__magus_halt();
	if (sig == 19)
		return 0;
	libc_signal_handler *handler = libc_action(sig);
	if (handler == (libc_signal_handler *)1)
		return 0;
	if (handler == (libc_signal_handler *)0) {
		if (sig == 17 || sig == 18 || sig == 20 || sig == 21 || sig == 22 || sig == 23 || sig == 28)
			return 0;
		__magus_halt();
	}
	handler(sig);
	return 0;
}
