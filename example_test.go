package magus_test

import (
	"context"
	"fmt"

	"magus"
	"magus/cfa/source"
	"magus/specs"
)

// load parses C and specifications that are given as texts.
func load(c, spec string) *magus.Project {
	in := magus.Input{C: []source.Source{{Name: "program.c", Text: []byte(c)}}}
	if spec != "" {
		in.Specs = []specs.Source{{Name: "program.spec", Text: []byte(spec)}}
	}
	project, err := magus.Load(context.Background(), in)
	if err != nil {
		panic(err)
	}
	return project
}

const twice = `
void lock(void);
void unlock(void);

int work(int jobs)
{
	for (int i = 0; i < jobs; i++) {
		lock();
		if (i > 0)
			unlock();
	}
	return 0;
}
`

const lockSpec = `
Lock = ( lock -> return {} -> STOP ).
Unlock = ( unlock -> return {} -> STOP ).
procedure lock { abstract { takes, (1), Lock }; }
procedure unlock { abstract { releases, (1), Unlock }; }

Free = ( lock -> Held ), Held = ( unlock -> Free ).
procedure work { abstract { alternates, (1), Free }; }
`

// A lock must not be taken twice, but the second round of work does so.
func ExampleCheck() {
	claims, err := load(twice, lockSpec).Claims(magus.Selection{})
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := magus.Check(context.Background(), claims[0], magus.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(claims[0].Name+":", outcome.Verdict)
	fmt.Println("it performs", outcome.Run.Trace, "where only", outcome.Run.Allowed, "is allowed")
	jobs := outcome.Run.Inputs[0][0]
	fmt.Println("for instance with", jobs.Name, "=", jobs.Value)
	// Output:
	// procedure work, abstraction alternates: violates
	// it performs [lock lock] where only [unlock] is allowed
	// for instance with jobs = 2
}

// Two threads add to a counter without a lock, so an addition can be lost.
func ExampleCheck_threads() {
	project := load(`
#include <pthread.h>
#include <assert.h>

int counter;

void *add(void *arg)
{
	counter++;
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, add, 0);
	pthread_create(&b, 0, add, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2);
	return 0;
}
`, "")
	claim, err := project.Property(magus.Property{})
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := magus.Check(context.Background(), claim, magus.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Verdict)
	claim, err = project.Property(magus.Property{Question: magus.NoRace})
	if err != nil {
		fmt.Println(err)
		return
	}
	if outcome, err = magus.Check(context.Background(), claim, magus.Options{}, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("and has a data race:", outcome.Verdict)
	// Output:
	// violates
	// and has a data race: violates
}

// Two threads take two locks in different orders.
func ExampleCheck_deadlock() {
	project := load(`
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *other(void *arg)
{
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&n);
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
`, "")
	claim, err := project.Property(magus.Property{Question: magus.NoDeadlock})
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := magus.Check(context.Background(), claim, magus.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(claim.Name+":", outcome.Verdict)
	// Output:
	// main: no deadlock: violates
}

// A session is stepped by hand: one phase of the loop a step.
func ExampleNewSession() {
	ctx := context.Background()
	claims, err := load(twice, lockSpec).Claims(magus.Selection{})
	if err != nil {
		fmt.Println(err)
		return
	}
	session, err := magus.NewSession(ctx, claims[0], magus.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	for session.Next() != magus.Finished {
		event := session.Step(ctx)
		fmt.Println(event.Phase())
	}
	// Output:
	// abstract data
	// verify
	// validate MP
	// finished
}

// A verdict that is unknown has a reason of a kind.
func ExampleReason() {
	project := load(`
extern void reach_error(void);
int main(void) { __int128 n = 1; if (n != 1) reach_error(); return 0; }
`, "")
	claim, err := project.Property(magus.Property{})
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := magus.Check(context.Background(), claim, magus.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Verdict, outcome.Reason.Kind == magus.Unsupported)
	// Output:
	// unknown true
}
