// Three components in a row: source, filter, sink.

enum { THRESHOLD = 100 };

int measure(void);      // a reading (>= 0), or negative when there are no more
void emit(int value);   // source to filter
void emit_end(void);
int take(void);         // what the source emitted, or negative at the end
void pass(int value);   // filter to sink
void pass_end(void);
int fetch(void);        // what the filter passed, or negative at the end
void store(int value);  // what the sink is for
