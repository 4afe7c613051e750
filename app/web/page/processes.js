// The panes of a search in a model of any number of processes.

import { state } from "./connect.js";
import { make } from "./dom.js";
import { mark, pickable } from "./select.js";

// Acts are the commands of its shell, with their keys.
export const processActs = [
  ["step", "step", "s"],
  ["next", "next", "n"],
  ["run", "run", "r"],
  ["sets", "sets", "e"],
  ["trace", "trace", "t"],
  ["zones", "zones", "z"],
  ["report", "report", "v"],
];

const note = (text) => make("p", { class: "note" }, text);
const head = (...titles) =>
  make("thead", {}, make("tr", {}, ...titles.map((t) => make("th", { scope: "col" }, t))));

// Cells are the columns of a row; those that say nothing have a point.
const cells = (row) =>
  (row.cells || []).map((c) => make("td", { class: c ? "count new" : "count faint" }, c || "·"));

// Sets are those from which a bad configuration can be reached in the abstraction, as far as they are known.
export function sets(body) {
  const p = state.processes,
    all = p.sets || [];
  if (all.length === 0) return body.replaceChildren(note("no search goes on: the report has what was found"));
  body.replaceChildren(
    make("p", {}, `iteration ${state.session.iteration} over ${p.method}`),
    p.left ? note(p.left) : "",
    make(
      "table",
      { class: "chart all" },
      head("set", "is", "leads", ...p.columns, "and"),
      make(
        "tbody",
        {},
        ...all.map((s) =>
          make(
            "tr",
            { class: s.mark === "within another" ? "faint" : null, ...pickable(s.place) },
            make("th", { scope: "row" }, String(s.number)),
            make("td", {}, s.mark),
            make(
              "td",
              {},
              s.rule
                ? make("span", {}, "by ", make("span", { class: "action" }, s.rule), " to " + s.next)
                : make("strong", { class: "violates" }, "bad"),
            ),
            ...cells(s),
            make("td", {}, s.also),
          ),
        ),
      ),
    ),
  );
  mark();
}

// Along is a table of where processes are, step by step; a column is a step.
function along(steps, columns, locals, drawn) {
  const row = (name, k) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      ...steps.map((s) => {
        const text = s.cells[k],
          n = drawn && k < locals ? +text : NaN;
        return make(
          "td",
          { class: text && text !== "0" ? "count new" : "count faint", title: text },
          n > 0 ? "●".repeat(Math.min(n, 5)) + (n > 1 ? " " + n : "") : n === 0 || !text ? "·" : text,
        );
      }),
    );
  const also = steps.some((s) => s.also)
    ? make(
        "tr",
        {},
        make("th", { scope: "row" }, "and"),
        ...steps.map((s) => make("td", { class: "count" }, s.also)),
      )
    : null;
  return make(
    "table",
    { class: "chart all along" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("th", { scope: "col" }, "processes in"),
        ...steps.map((s, i) =>
          make(
            "th",
            { scope: "col", class: s.refused ? "violates" : null, ...pickable(s.place) },
            i === 0 ? "start" : s.rule,
            s.refused ? make("br") : null,
            s.refused ? "cannot be taken" : null,
          ),
        ),
      ),
    ),
    make("tbody", {}, ...columns.map(row), also),
  );
}

// Refuted is the last counterexample, and why there is no such run.
export function refuted(body) {
  const p = state.processes;
  if (!p.trace)
    return body.replaceChildren(
      note("there is no counterexample so far; next goes on to one, or to the end"),
    );
  body.replaceChildren(
    make("p", { class: "reason" }, "spurious: no run does all of these steps"),
    along(p.trace, p.columns, p.locals, false),
  );
  mark();
}

// Counted is the run that violates the property.
export function counted(body) {
  const p = state.processes;
  if (!p.run)
    return body.replaceChildren(
      note(
        state.session.verdict === "safe"
          ? "there is none, whatever the number of processes"
          : "no run that violates the property was found so far",
      ),
    );
  body.replaceChildren(
    make("p", { class: "violates" }, "the counts of processes along a run that violates the property"),
    along(p.run, p.columns, p.locals, true),
  );
  mark();
}

// Zones strengthen the order.
export function zones(body) {
  const all = state.processes.zones || [];
  if (all.length === 0)
    return body.replaceChildren(
      note("none: a configuration may do what a smaller one with the same control part can"),
    );
  body.replaceChildren(
    make("p", {}, "what lies inside is not taken for something smaller outside:"),
    make("ul", {}, ...all.map((z) => make("li", {}, make("code", {}, z)))),
  );
}
