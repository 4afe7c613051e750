package rules_test

// Words are what a project has to do with: which locks or handles there are, and which functions of the library.
type words struct {
	name   string
	rules  []string
	head0  string // includes and declarations
	handle string // type of handles, with what stands before a name
	lock   string // type of locks
	none   string // the handle that is none
	ok     string // a handle is one, is none
	bad    string
	libs   map[string]call
	take   []string // names in libs: take a lock or fail, give it back, open, close
	try    []string // take a lock, or not
	free   []string
	open   []string
	close  []string
	use    []string
	final  string // called at the end of what begins runs
	// nullStops says that functions of the library must not be given the handle that is none.
	nullStops bool
	// fails says that those that use a handle fail where it is none, or closed, and the run goes on.
	fails bool
}

// A call is a function of the library: its text in C, what it does, and what it results in.
type call struct {
	text, does string
}

// Kinds of what a call does. Results: lock, unlock, use: nothing of interest. try: 0 with the lock, else without.
// attempt: not 0 with the lock, 0 without. signal: 0 with the lock, -1 without.
func allWords() []*words {
	return []*words{mutexWords(), fileWords(), descriptorWords(), memoryWords(), rwlockWords(), semaphoreWords(),
		directoryWords(), spinWords(), linuxSpinWords(), linuxMutexWords(), criticalWords(), socketWords(), bioWords(),
		linuxRWWords(), moduleWords(), usbWords(), allocWords(), nodeWords()}
}

func mutexWords() *words {
	return &words{name: "mutex", rules: []string{"pthread-mutex", "blocking-under-lock"},
		head0: "#include <pthread.h>\n#include <unistd.h>", lock: "pthread_mutex_t",
		libs: map[string]call{"lock": {"pthread_mutex_lock(%s)", "lock"}, "try": {"pthread_mutex_trylock(%s)", "try"},
			"unlock": {"pthread_mutex_unlock(%s)", "unlock"}, "sleep": {"sleep(1)", "block"}},
		take: []string{"lock"}, try: []string{"try"}, free: []string{"unlock"}, use: []string{"sleep"}}
}

func rwlockWords() *words {
	return &words{name: "rwlock", rules: []string{"pthread-rwlock"}, head0: "#include <pthread.h>",
		lock: "pthread_rwlock_t", libs: map[string]call{"read": {"pthread_rwlock_rdlock(%s)", "lock"},
			"write": {"pthread_rwlock_wrlock(%s)", "lock"}, "tryread": {"pthread_rwlock_tryrdlock(%s)", "try"},
			"trywrite": {"pthread_rwlock_trywrlock(%s)", "try"}, "unlock": {"pthread_rwlock_unlock(%s)", "unlock"}},
		take: []string{"read", "write"}, try: []string{"tryread", "trywrite"}, free: []string{"unlock"}}
}

func semaphoreWords() *words {
	return &words{name: "semaphore", rules: []string{"semaphore"}, head0: "#include <semaphore.h>", lock: "sem_t",
		libs: map[string]call{"wait": {"sem_wait(%s)", "signal"}, "try": {"sem_trywait(%s)", "signal"},
			"post": {"sem_post(%s)", "unlock"}},
		try: []string{"wait", "try"}, free: []string{"post"}}
}

func spinWords() *words {
	return &words{name: "spin", rules: []string{"kernel-spinlock"}, head0: "typedef struct { int v; } spinlock_t;\n" +
		"void spin_lock(spinlock_t *);\nint spin_trylock(spinlock_t *);\nvoid spin_unlock(spinlock_t *);",
		lock: "spinlock_t", libs: map[string]call{"lock": {"spin_lock(%s)", "lock"}, "try": {"spin_trylock(%s)", "attempt"},
			"unlock": {"spin_unlock(%s)", "unlock"}},
		take: []string{"lock"}, try: []string{"try"}, free: []string{"unlock"}}
}

func linuxSpinWords() *words {
	w := spinWords()
	w.name, w.rules, w.final = "linuxspin", []string{"linux-spinlock"}, "final"
	w.head0 += "\nvoid ldv_check_final_state(void);"
	w.libs["final"] = call{"ldv_check_final_state()", "final"}
	return w
}

func linuxMutexWords() *words {
	return &words{name: "linuxmutex", rules: []string{"linux-mutex"}, head0: "struct mutex { int v; };\n" +
		"void mutex_lock(struct mutex *);\nint mutex_trylock(struct mutex *);\n" +
		"int mutex_lock_interruptible(struct mutex *);\n" +
		"void mutex_unlock(struct mutex *);\nvoid ldv_check_final_state(void);", lock: "struct mutex",
		libs: map[string]call{"lock": {"mutex_lock(%s)", "lock"}, "try": {"mutex_trylock(%s)", "attempt"},
			"interruptible": {"mutex_lock_interruptible(%s)", "try"}, "unlock": {"mutex_unlock(%s)", "unlock"},
			"final": {"ldv_check_final_state()", "final"}},
		take: []string{"lock"}, try: []string{"try", "interruptible"}, free: []string{"unlock"}, final: "final"}
}

func criticalWords() *words {
	return &words{name: "critical", rules: []string{"freertos-critical"},
		head0: "void taskENTER_CRITICAL(void);\nvoid taskEXIT_CRITICAL(void);",
		libs:  map[string]call{"lock": {"taskENTER_CRITICAL()", "lock"}, "unlock": {"taskEXIT_CRITICAL()", "unlock"}},
		take:  []string{"lock"}, free: []string{"unlock"}}
}

func linuxRWWords() *words {
	return &words{name: "linuxrw", rules: []string{"linux-rwlock"}, head0: "typedef struct { int v; } rwlock_t;\n" +
		"extern rwlock_t big;\nvoid read_lock(rwlock_t *);\nint read_trylock(rwlock_t *);\nvoid read_unlock(rwlock_t *);\n" +
		"void write_lock(rwlock_t *);\nint write_trylock(rwlock_t *);\nvoid write_unlock(rwlock_t *);\n" +
		"void ldv_check_final_state(void);",
		libs: map[string]call{"read": {"read_lock(&big)", "read"}, "tryread": {"read_trylock(&big)", "tryread"},
			"unread": {"read_unlock(&big)", "unread"}, "write": {"write_lock(&big)", "write"},
			"trywrite": {"write_trylock(&big)", "trywrite"}, "unwrite": {"write_unlock(&big)", "unwrite"},
			"final": {"ldv_check_final_state()", "final"}},
		take: []string{"read", "write"}, try: []string{"tryread", "trywrite"},
		free: []string{"unread", "unwrite"}, final: "final"}
}

func moduleWords() *words {
	return &words{name: "module", rules: []string{"linux-module"}, head0: "struct module { int v; };\n" +
		"extern struct module me;\nvoid __module_get(struct module *);\nint try_module_get(struct module *);\n" +
		"void module_put(struct module *);\nvoid ldv_check_final_state(void);",
		libs: map[string]call{"get": {"__module_get(&me)", "lock"}, "try": {"try_module_get(&me)", "attempt"},
			"put": {"module_put(&me)", "unlock"}, "final": {"ldv_check_final_state()", "final"}},
		take: []string{"get"}, try: []string{"try"}, free: []string{"put"}, final: "final"}
}

func usbWords() *words {
	return &words{name: "usb", rules: []string{"linux-usblock"}, head0: "struct usb_device;\n" +
		"extern struct usb_device *hub;\n" +
		"void usb_lock_device(struct usb_device *);\nint usb_trylock_device(struct usb_device *);\n" +
		"int usb_lock_device_for_reset(struct usb_device *, int);\nvoid usb_unlock_device(struct usb_device *);\n" +
		"void *kmalloc(unsigned long, int);\nvoid *vmalloc(unsigned long);",
		libs: map[string]call{"lock": {"usb_lock_device(hub)", "lock"}, "try": {"usb_trylock_device(hub)", "attempt"},
			"reset": {"usb_lock_device_for_reset(hub, 0)", "try"}, "unlock": {"usb_unlock_device(hub)", "unlock"},
			"kernel": {"kmalloc(8, 208)", "alloc"}, "atomic": {"kmalloc(8, 32)", ""}, "noio": {"kmalloc(8, 16)", ""},
			"vmalloc": {"vmalloc(8)", "alloc"}},
		take: []string{"lock"}, try: []string{"try", "reset"}, free: []string{"unlock"},
		use: []string{"kernel", "atomic", "noio", "vmalloc"}}
}

func allocWords() *words {
	w := spinWords()
	w.name, w.rules = "alloc", []string{"linux-alloc-spinlock"}
	w.head0 += "\nvoid *kmalloc(unsigned long, int);\nvoid *vmalloc(unsigned long);"
	w.libs["kernel"], w.libs["atomic"] = call{"kmalloc(8, 208)", "alloc"}, call{"kmalloc(8, 32)", ""}
	w.libs["vmalloc"] = call{"vmalloc(8)", "alloc"}
	w.use = []string{"kernel", "atomic", "atomic", "vmalloc"}
	return w
}

func fileWords() *words {
	return &words{name: "file", nullStops: true, rules: []string{"file", "use-after-close"},
		head0:  "#include <stdio.h>\n#include <stdlib.h>",
		handle: "FILE *", none: "NULL", ok: "%s != NULL", bad: "%s == NULL",
		libs: map[string]call{"open": {`fopen("data", "r")`, "open"}, "temporary": {"tmpfile()", "open"},
			"close": {"fclose(%s)", "close"}, "get": {"fgetc(%s)", "use"}, "put": {`fputs("x", %s)`, "use"},
			"flush": {"fflush(%s)", "use"}},
		open: []string{"open", "temporary"}, close: []string{"close"}, use: []string{"get", "put", "flush"}}
}

func descriptorWords() *words {
	return &words{name: "descriptor", fails: true, rules: []string{"descriptor", "use-after-close"},
		head0:  "#include <fcntl.h>\n#include <unistd.h>\n#include <stdlib.h>",
		handle: "int ", none: "-1", ok: "%s >= 0", bad: "%s < 0",
		libs: map[string]call{"open": {`open("data", O_RDONLY)`, "open"}, "close": {"close(%s)", "close"},
			"sync": {"fsync(%s)", "use"}, "seek": {"lseek(%s, 0, SEEK_SET)", "use"}},
		open: []string{"open"}, close: []string{"close"}, use: []string{"sync", "seek"}}
}

func directoryWords() *words {
	return &words{name: "directory", nullStops: true, rules: []string{"directory", "use-after-close"},
		head0:  "#include <dirent.h>\n#include <stdlib.h>",
		handle: "DIR *", none: "NULL", ok: "%s != NULL", bad: "%s == NULL",
		libs: map[string]call{"open": {`opendir("data")`, "open"}, "close": {"closedir(%s)", "close"},
			"next": {"readdir(%s)", "use"}, "again": {"rewinddir(%s)", "use"}},
		open: []string{"open"}, close: []string{"close"}, use: []string{"next", "again"}}
}

func socketWords() *words {
	return &words{name: "socket", fails: true, rules: []string{"socket-order", "descriptor"},
		head0:  "#include <sys/socket.h>\n#include <unistd.h>\n#include <stdlib.h>\n#include <stddef.h>",
		handle: "int ", none: "-1", ok: "%s >= 0", bad: "%s < 0",
		libs: map[string]call{"open": {"socket(AF_INET, SOCK_STREAM, 0)", "open"}, "close": {"close(%s)", "close"},
			"bind": {"bind(%s, NULL, 0)", "bind"}, "listen": {"listen(%s, 5)", "listen"},
			"connect": {"connect(%s, NULL, 0)", "connect"}, "send": {`send(%s, "x", 1, 0)`, "send"}},
		open: []string{"open"}, close: []string{"close"}, use: []string{"bind", "listen", "connect", "send"}}
}

func bioWords() *words {
	return &words{name: "bio", rules: []string{"openssl-new-free"}, head0: "#include <stdlib.h>\n" +
		"typedef struct bio BIO;\n" +
		"BIO *BIO_new(const void *);\nint BIO_free(BIO *);",
		handle: "BIO *", none: "NULL", ok: "%s != NULL", bad: "%s == NULL",
		libs: map[string]call{"open": {"BIO_new(0)", "open"}, "close": {"BIO_free(%s)", "close"}},
		open: []string{"open"}, close: []string{"close"}}
}

func nodeWords() *words {
	return &words{name: "node", rules: []string{"kernel-refcount"}, head0: "#include <stdlib.h>\nstruct device_node;\n" +
		"struct device_node *of_find_node_by_path(const char *);\nvoid of_node_put(struct device_node *);",
		handle: "struct device_node *", none: "NULL", ok: "%s != NULL", bad: "%s == NULL",
		libs: map[string]call{"open": {`of_find_node_by_path("/x")`, "open"}, "close": {"of_node_put(%s)", "close"}},
		open: []string{"open"}, close: []string{"close"}}
}

func memoryWords() *words {
	return &words{name: "memory", rules: []string{"memory", "use-after-close"}, head0: "#include <stdlib.h>",
		handle: "int *", none: "NULL", ok: "%s != NULL", bad: "%s == NULL",
		libs: map[string]call{"open": {"malloc(sizeof(int))", "open"}, "close": {"free(%s)", "close"},
			"store":  {"*%s = 1", "use"},
			"resize": {"realloc(%s, 8)", "resize"}},
		open: []string{"open"}, close: []string{"close"}, use: []string{"store"}}
}
