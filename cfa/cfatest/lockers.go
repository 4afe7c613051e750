package cfatest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Lockers is a random program whose threads take and give back locks and semaphores in any order.
func Lockers(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 29))
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n#include <semaphore.h>\npthread_mutex_t m[3]; pthread_rwlock_t l; " +
		"sem_t s; int x, y; pthread_t t, u;\n")
	body := func(name string) {
		fmt.Fprintf(&b, "void *%s(void *p) {\n", name)
		var held []int
		for range 2 + r.IntN(4) {
			switch k := r.IntN(3); r.IntN(12) {
			case 0, 1, 2, 3:
				fmt.Fprintf(&b, "pthread_mutex_lock(&m[%d]);\n", k)
				held = append(held, k)
			case 4, 5, 6:
				if n := len(held); n > 0 {
					fmt.Fprintf(&b, "pthread_mutex_unlock(&m[%d]);\n", held[n-1])
					held = held[:n-1]
				}
			case 7:
				b.WriteString("if (y == 1) sem_wait(&s);\n")
			case 8:
				b.WriteString("sem_post(&s); y = 1;\n")
			case 9:
				b.WriteString("pthread_rwlock_rdlock(&l); x = y; pthread_rwlock_unlock(&l);\n")
			case 10:
				b.WriteString("pthread_rwlock_wrlock(&l); x++; if (x == 1) pthread_rwlock_unlock(&l);\n")
			default:
				fmt.Fprintf(&b, "if (pthread_mutex_trylock(&m[%d]) == 0) pthread_mutex_unlock(&m[%[1]d]);\n", k)
			}
		}
		if r.IntN(3) > 0 {
			for _, k := range held {
				fmt.Fprintf(&b, "pthread_mutex_unlock(&m[%d]);\n", k)
			}
		}
		b.WriteString("return 0; }\n")
	}
	body("f")
	body("g")
	b.WriteString("int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);\n")
	for _, line := range []string{"pthread_join(t, 0);", "pthread_join(u, 0);", "pthread_mutex_lock(&m[0]);",
		"pthread_exit(0);"} {
		if r.IntN(2) == 0 {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("return 0; }\n")
	return b.String()
}
