struct entry { int key; long value; };

extern struct entry table;
extern int length;

void put(void);
void get(void);
