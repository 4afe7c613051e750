package magus_test

import (
	"context"
	"fmt"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/specs"
)

// A lock must not be taken twice, but the second turn of work does so.
func Example() {
	ctx := context.Background()
	project, err := magus.Load(ctx, magus.Input{
		C: []source.Source{{Name: "twice.c", Text: []byte(`
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
`)}},
		Specs: []specs.Source{{Name: "lock.spec", Text: []byte(`
Lock = ( lock -> return {} -> STOP ).
Unlock = ( unlock -> return {} -> STOP ).
procedure lock { abstract { takes, (1), Lock }; }
procedure unlock { abstract { releases, (1), Unlock }; }

Free = ( lock -> Held ), Held = ( unlock -> Free ).
procedure work { abstract { alternates, (1), Free }; }
`)}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	claims, err := project.Claims(magus.Selection{})
	if err != nil {
		fmt.Println(err)
		return
	}
	turns := 0
	outcome, err := magus.Check(ctx, claims[0], magus.Options{}, func(e cegar.Event) {
		if e.Phase() == cegar.Verify {
			turns++
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(claims[0].Name+":", outcome.Verdict)
	fmt.Println("it performs", outcome.Run.Trace, "where only", outcome.Run.Allowed, "is allowed")
	jobs := outcome.Run.Inputs[0][0]
	fmt.Println("for instance with", jobs.Name, "=", jobs.Value, "after", turns, "turns of the loop")
	// Output:
	// procedure work, abstraction alternates: violates
	// it performs [lock lock] where only [unlock] is allowed
	// for instance with jobs = 2 after 1 turns of the loop
}
