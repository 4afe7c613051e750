package param

import "slices"

// A Row is a step of a run: what each process does, and the configuration afterwards. Processes are
// numbered from 1, those of the first configuration in the order of the local states.
type Row struct {
	Rule   int // -1 in the first row, which has no moves
	Moves  []Move
	Config Config
}

// A Move is what one process does; From is -1 if it is created, To if it leaves.
type Move struct{ Process, From, To int }

// Rows tells the processes of a run apart. Of several that could move the one with the smallest number
// does.
func (m *Model) Rows(run Run) ([]Row, error) {
	configs, err := m.Replay(run)
	if err != nil {
		return nil, err
	}
	where := map[int][]int{} // the processes in each local state
	last := 0
	for _, q := range m.Locals() {
		for range run.Start[q] {
			last++
			where[q] = append(where[q], last)
		}
	}
	rows := []Row{{Rule: -1, Config: configs[0]}}
	for i, r := range run.Rules {
		rule := &m.Rules[r]
		var moves []Move
		for k := range max(len(rule.From), len(rule.To)) {
			move := Move{From: -1, To: -1}
			if k < len(rule.From) {
				move.From = rule.From[k]
				move.Process, where[move.From] = where[move.From][0], where[move.From][1:]
			} else {
				last++
				move.Process = last
			}
			if k < len(rule.To) {
				move.To = rule.To[k]
			}
			moves = append(moves, move)
		}
		remaining := map[int][]int{}
		for q, ps := range where {
			remaining[q] = ps
		}
		for _, t := range rule.Transfers {
			for _, p := range remaining[t.From] {
				moves = append(moves, Move{p, t.From, t.To})
				where[t.From] = slices.DeleteFunc(slices.Clone(where[t.From]), func(o int) bool { return o == p })
				where[t.To] = append(slices.Clone(where[t.To]), p)
			}
		}
		for _, move := range moves[:max(len(rule.From), len(rule.To))] {
			if move.To >= 0 {
				where[move.To] = append(slices.Clone(where[move.To]), move.Process)
			}
		}
		for q := range where {
			slices.Sort(where[q])
		}
		rows = append(rows, Row{r, moves, configs[i+1]})
	}
	return rows, nil
}
