// What queue.h says of it is another type: not linked with the others.

struct entry { int key; int value; };
struct entry table;
