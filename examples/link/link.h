// A link layer: connections in a list, each with its transport and its state.

enum state { CLOSED, WAITING, OPEN };
enum type { HELLO = 1, DATA, BYE };

// What comes from the line.
struct message {
	unsigned char type;
	union {
		struct { unsigned version; } hello;
		struct { unsigned char length, bytes[4]; } data;
	} body;
};

struct connection;

// How a connection reaches its line.
struct transport {
	void (*send)(struct connection *, enum type);
	int (*receive)(struct connection *, struct message *);
};

struct connection {
	enum state state;
	const struct transport *transport;
	unsigned version;
	struct { unsigned char bytes[8]; unsigned head, tail; } ring;
	struct connection *next;
};

// The hardware.
void line_hello(void);
void line_bye(void);
void deliver(unsigned char byte);
int line_byte(void); // negative: the line is idle

void run(void);
