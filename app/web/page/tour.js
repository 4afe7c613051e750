// A tour of twelve steps through an example: each says what there is to see, and does the next command.

import { state } from "./connect.js";
import { make, all, kept } from "./dom.js";

const by = (id) => document.getElementById(id);
const componentPane = () => document.querySelector('[id^="pane-component-"]');

// Steps for an example that has one component and needs predicates. Each has a title, a text, the pane that it is
// about, and the command that leads on.
const steps = [
  [
    "The question",
    "On the left is C. The specification says in which order its calls may come: below it is drawn as a system of states and actions. The question is whether every run of the C code is one of these.",
    "pane-specification",
    "",
  ],
  [
    "An automaton",
    "The code as an automaton: locations, and the statements between them. Variables may have any value, so there are very many states; we need fewer.",
    "component",
    "goto 0",
  ],
  [
    "An abstraction",
    "step builds MP: the predicate abstraction. There are no predicates yet, so a state of MP is only a location: all values are forgotten. It can do everything that the code can, and more.",
    "component",
    "step",
  ],
  [
    "Is it contained?",
    "verify asks whether everything that MP does is allowed. It is not: here is a counterexample, the shortest one. It is red in the drawing, and its lines are marked in the source.",
    "pane-counterexample",
    "until counterexample",
  ],
  [
    "Is it real?",
    "The counterexample is one of the abstraction. The next phases ask whether the code has it: is there a run with values that takes this path?",
    "pane-counterexample",
    "until spurious",
  ],
  [
    "Spurious",
    "The code does not have it: conditions on the path contradict each other. trace shows them, with ! at each. Something was forgotten that matters.",
    "pane-shell",
    "trace",
  ],
  [
    "A predicate",
    "The loop takes a predicate that excludes this path: a condition that MP has to remember from now on. It is chosen in the list of predicates. You could take or drop one yourself.",
    "component",
    "until refine predicates",
  ],
  [
    "What has changed",
    "diff says what the refinement has changed. In the drawings what is new is blue when MP is built again: states that differ in what is known are two.",
    "pane-shell",
    "diff",
  ],
  [
    "Once more",
    "MP is built with the predicate, and verify asks again. Either there is another counterexample, or all that is left is allowed.",
    "component",
    "until counterexample",
  ],
  [
    "The time line",
    "You can go back at any time, and do something else from there: pred add, pred drop, choose another counterexample. Drag the time line, or press the left arrow. What follows is the same again if you do the same.",
    "acts",
    "back",
  ],
  [
    "To the end",
    "run goes on until there is a verdict. Look at how few states are needed: only what matters to the specification is remembered.",
    "pane-phases",
    "run",
  ],
  [
    "The answer",
    "The verdict is at the top. report says what was proved, stats what it took. The button script gives a script of what you did, which magus run replays. With two components there is a product of small abstractions instead of one large one: try --example handshake.",
    "pane-shell",
    "report",
  ],
];

let at = -1;

// Tour shows the present step, if an example was asked for.
export function tour(changed, give) {
  const name = state.session.tour;
  if (!name || by("tour").dataset.closed) return;
  if (at < 0) at = Math.min(kept.get("tour." + name) || 0, steps.length - 1);
  if (changed.has("session") && !by("tour").firstChild) show(name, give);
}

function show(name, give) {
  const [title, text, pane, line] = steps[at];
  kept.set("tour." + name, at);
  by("tour").hidden = false;
  const to = (n) => {
    at = n;
    show(name, give);
  };
  const next = steps[at + 1];
  by("tour").replaceChildren(
    make("h2", {}, `${at + 1} of ${steps.length}: ${title}`),
    make("p", {}, text),
    make(
      "p",
      {},
      make("button", { type: "button", disabled: at === 0, onclick: () => to(at - 1) }, "before"),
      " ",
      next
        ? make(
            "button",
            {
              type: "button",
              id: "tour-next",
              onclick: async (e) => {
                e.target.disabled = true;
                if (next[3]) await give(next[3]);
                to(at + 1);
              },
            },
            next[3] ? "next: " + next[3] : "next",
          )
        : null,
      " ",
      make(
        "button",
        {
          type: "button",
          onclick: () => {
            by("tour").hidden = true;
            by("tour").dataset.closed = "1";
            unmark();
          },
        },
        "close the tour",
      ),
      line ? make("small", {}, " what was done: " + line) : null,
    ),
  );
  unmark();
  const part = pane === "component" ? componentPane() : by(pane);
  if (part) part.classList.add("shown-by-tour");
}

function unmark() {
  for (const e of all(document, ".shown-by-tour")) e.classList.remove("shown-by-tour");
}
