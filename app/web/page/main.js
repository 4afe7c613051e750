// The page of a session.

import { state, follow, act, stop, script } from "./connect.js";
import { make, all, kept, save, refocus, unfocus } from "./dom.js";
import { panes, arrange } from "./panes.js";
import { processActs } from "./processes.js";
import { pick } from "./select.js";
import { tour } from "./tour.js";

const root = document.documentElement,
  by = (id) => document.getElementById(id);
history.replaceState(null, "", location.pathname + location.hash); // without the token

// Themes, kept as in the report.
if (kept.get("theme")) root.dataset.theme = kept.get("theme");
by("theme").addEventListener("click", () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  kept.set("theme", root.dataset.theme);
});

// What can be done, each with its command and its key.
let acts = [
  ["step", "step", "s"],
  ["next", "next", "n"],
  ["until counterexample", "until counterexample", "u"],
  ["until spurious", "until spurious", "p"],
  ["run", "run", "r"],
  ["back", "back", "b"],
  ["forward", "forward", "f"],
  ["diff", "diff", "d"],
  ["trace", "trace", "t"],
  ["stats", "stats", "i"],
  ["report", "report", "v"],
  ["reload", "reload", ""],
];

by("buttons").append(
  make("span", { class: "row", id: "acts-here" }),
  make(
    "label",
    { id: "claims" },
    "claim ",
    make("select", { id: "claim", onchange: (e) => give("claim " + e.target.value) }),
  ),
  make(
    "button",
    {
      type: "button",
      id: "script",
      title: "a script for magus run",
      onclick: async () => save("session.magus", await script()),
    },
    "script",
  ),
);

// Offer shows what can be done.
function offer() {
  const moments = state.processes.columns
    ? []
    : [
        ["← →", "back, forward"],
        ["Home End", "first and last moment"],
      ];
  by("acts-here").replaceChildren(
    ...acts.map(([name, line, key]) =>
      make(
        "button",
        {
          type: "button",
          class: "act",
          "data-line": line,
          title: line + (key ? ", key " + key : ""),
          onclick: () => give(line),
        },
        name,
        key ? make("kbd", {}, key) : null,
      ),
    ),
  );
  by("keys").replaceChildren(
    make(
      "ul",
      {},
      ...acts.filter(([, , k]) => k).map(([, line, k]) => make("li", {}, make("kbd", {}, k), " " + line)),
      ...[
        ["x", "stop what runs"],
        ...moments,
        [":", "type a command"],
        ["Escape", "select nothing"],
        ["T", "dark or light"],
      ].map(([k, text]) => make("li", {}, make("kbd", {}, k), " " + text)),
    ),
  );
}
offer();

by("keys-button").addEventListener("click", () => {
  by("keys").hidden = !by("keys").hidden;
  by("keys-button").setAttribute("aria-expanded", String(!by("keys").hidden));
});

// Give gives a command to the shell.
function give(line) {
  asked++;
  busy();
  return (given = given.then(() => send(line)));
}

async function send(line) {
  by("problem").textContent = "";
  const answer = await act(line);
  asked--;
  if (answer.revision) begun = Math.max(begun, answer.revision);
  if (answer.error) by("problem").textContent = line + ": " + answer.error;
  busy();
}

let asked = 0,
  begun = 0; // commands that are on their way, and the revision in which the last one ran
let given = Promise.resolve(); // ends when the last one has arrived
document.addEventListener("act", (e) => give(e.detail));

by("since").addEventListener("change", () => {
  for (const p of shown) if (p.parts.includes("components") || p.parts.includes("specification")) p.show();
});
by("stop").addEventListener("click", stop);
by("time").addEventListener("change", (e) => give("goto " + e.target.value));
by("time").addEventListener("input", (e) => {
  by("time-text").textContent = momentText(+e.target.value);
});
const typed = kept.get("typed") || [];
let looked = typed.length;
by("command").addEventListener("submit", (e) => {
  e.preventDefault();
  const line = by("line").value.trim();
  if (!line) return;
  typed.push(line);
  kept.set("typed", typed.slice(-100));
  looked = typed.length;
  by("line").value = "";
  give(line);
});
by("line").addEventListener("keydown", (e) => {
  const to = { ArrowUp: looked - 1, ArrowDown: looked + 1 }[e.key];
  if (to === undefined || to < 0 || to > typed.length) return;
  e.preventDefault();
  looked = to;
  by("line").value = typed[to] || "";
});

document.addEventListener("keydown", (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) {
    if (e.key === "Escape") unfocus(e.target);
    return;
  }
  const last = state.moments.length - 1;
  const other = {
    x: stop,
    ":": () => by("line").focus(),
    Escape: () => pick([]),
    T: () => by("theme").click(),
    ...(state.processes.columns
      ? {}
      : {
          ArrowLeft: () => give("back"),
          ArrowRight: () => give(state.session.moment < last ? "forward" : "step"),
          Home: () => give("goto 0"),
          End: () => give("goto " + last),
        }),
  }[e.key];
  const known = acts.find(([, , k]) => k && k === e.key);
  if (e.target.closest && e.target.closest(".sheet, details") && /^(Arrow|Home|End)/.test(e.key)) return; // which scroll
  if (!other && !known) return;
  e.preventDefault();
  if (other) other();
  else give(known[1]);
});

const momentText = (n) =>
  state.moments[n] ? `${n} of ${state.moments.length - 1}: ${state.moments[n].head}` : "";

// What is shown above the panes.
function head() {
  const s = state.session;
  by("verdict").textContent = s.verdict || (s.proved ? "proved" : "");
  by("verdict").className =
    "badge " + ({ safe: "conforms", unsafe: "violates" }[s.verdict] || s.verdict || "");
  by("about").textContent = !s.loaded
    ? "nothing is loaded; load FILES at the terminal does it"
    : s.unspecified
      ? s.files.join(" ") + ": no specification is loaded, there is nothing to check"
      : [(s.claims || [])[s.claim], s.verdict ? s.reason : `next: ${s.next}, iteration ${s.iteration}`]
          .filter(Boolean)
          .join("; ");
  if ((state.run.lanes || []).length > 0)
    by("about").append(" ", make("a", { href: "#pane-run" }, "the run"));
  document.title = "magus" + (s.verdict ? ": " + s.verdict : s.loaded ? ": " + s.next : "");
  by("time").max = Math.max(0, state.moments.length - 1);
  by("time").value = s.moment || 0;
  by("time-text").textContent = momentText(s.moment);
  by("claim").title = (s.claims || [])[s.claim] || "";
  by("claim").replaceChildren(
    ...(s.claims || []).map((c, i) =>
      make("option", { value: i + 1, selected: i === s.claim }, i + 1 + " " + c),
    ),
  );
  by("timeline").hidden = !!s.threads || !!state.processes.columns;
  by("claims").hidden = by("script").hidden = !!state.processes.columns;
}

function busy() {
  const b = state.busy;
  by("busy").textContent = b.ended
    ? "the shell was left"
    : b.command || b.from
      ? `${b.from}: ${b.command} ${b.progress || ""}`
      : "";
  by("stop").hidden = !b.command;
  const runs = !!b.command || asked > 0 || state.revision <= begun;
  root.classList.toggle("busy", runs);
  for (const e of all(document, "button.act")) e.disabled = runs || !!b.ended;
  refocus();
}

let shown = [],
  shape = "";
by("panes").addEventListener("arrange", () => arrange(by("panes"), shown));
follow(
  (changed) => {
    busy();
    if (changed.has("session") || changed.has("moments") || changed.has("run")) head();
    const now = JSON.stringify([
      state.session.loaded,
      !!state.processes.columns,
      state.session.claims,
      state.session.claim,
      state.session.threads,
      state.session.unspecified,
      state.components.map((c) => c.name),
    ]);
    const anew = now !== shape;
    if (anew) {
      shape = now;
      if (state.processes.columns && acts !== processActs) {
        acts = processActs;
        by("prompt").textContent = "param>";
        by("line").placeholder = "a command, e.g. next";
        offer();
        busy();
      }
      shown = panes();
      arrange(by("panes"), shown);
    }
    for (const p of shown) if (anew || p.parts.some((part) => changed.has(part))) p.show();
    if (anew) performance.mark("panes");
    tour(changed, give);
    refocus();
  },
  (gone) => {
    by("busy").textContent = gone
      ? "magus does not answer; its shell was left, or the address is another one"
      : "magus does not answer";
  },
);
