// The two ends of a one-place link. `put` and `get` meet: a put waits for a get and
// the other way round, so a message is one action of both components.

void produce(void);  // makes an item
void consume(void);  // uses an item up
void complain(void); // an item out of turn
void put(int bit);   // hands an item over, marked with an alternating bit
void finish(void);   // says that there will be no more
int get(void);       // the bit of the item taken over, or negative: no more
int urgent(void);    // 1 or 0
