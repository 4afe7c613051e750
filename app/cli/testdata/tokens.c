// A producer and a consumer that a scheduler calls, as models of SystemC are translated to C.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int producer_state, consumer_state; // 0: may run, 2: waits
int producer_at, consumer_at;
int token, sent, received;
int ready = 2, taken = 2; // events: 1 notified, 2 not

void producer(void) {
	if (producer_at == 1 && token != 0)
		reach_error();
	token = 1;
	sent = 1 - sent;
	ready = 1;
	producer_at = 1;
	producer_state = 2;
}

void consumer(void) {
	if (consumer_at == 1) {
		if (sent == received)
			reach_error();
		received = sent;
		token = 0;
		taken = 1;
	}
	consumer_at = 1;
	consumer_state = 2;
}

void wake(void) {
	if (producer_state == 2 && taken == 1)
		producer_state = 0;
	if (consumer_state == 2 && ready == 1)
		consumer_state = 0;
	ready = 2;
	taken = 2;
}

int main(void) {
	consumer();
	while (producer_state == 0 || consumer_state == 0) {
		if (producer_state == 0 && __VERIFIER_nondet_int())
			producer();
		if (consumer_state == 0 && __VERIFIER_nondet_int())
			consumer();
		wake();
	}
	return 0;
}
