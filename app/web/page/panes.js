// The panes: source, components, specification, counterexample, log.

import { state } from "./connect.js";
import { make, all, kept, actionWord, reveal } from "./dom.js";
import { Drawing } from "./pictures.js";
import { sets, refuted, counted, zones } from "./processes.js";
import { mark, at, pickable } from "./select.js";

// A Pane is a part of the page with a title, which can be closed, and be as wide as the page above all others. Where it
// stands otherwise is "code", "parts", "found" or "below".
class Pane {
  constructor(id, title, parts, fill, { open = true, stands = "code" } = {}) {
    this.parts = parts;
    this.fill = fill;
    this.stands = stands;
    this.wide = kept.get("wide." + id) ?? false;
    const widen = make(
      "button",
      {
        type: "button",
        class: "widen",
        "aria-pressed": String(this.wide),
        "aria-label": "wide pane " + title,
        onclick: () => {
          this.wide = !this.wide;
          kept.set("wide." + id, this.wide);
          widen.setAttribute("aria-pressed", String(this.wide));
          this.element.dispatchEvent(new CustomEvent("arrange", { bubbles: true }));
          this.show();
          widen.focus();
        },
      },
      "wide",
    );
    this.body = make("div", { class: "body", tabindex: "0", role: "region", "aria-label": title });
    this.element = make(
      "details",
      {
        class: "pane",
        id: "pane-" + id,
        open: kept.get("open." + id) ?? open,
        ontoggle: () => {
          kept.set("open." + id, this.element.open);
          if (this.element.open && this.waiting) this.show();
        },
      },
      make("summary", {}, title),
      widen,
      this.body,
    );
  }

  // Show makes the pane anew; a closed one waits until it is opened.
  show() {
    this.waiting = !this.element.open;
    if (!this.waiting) this.fill(this.body);
  }
}

const short = (p) => (p ? p.file.split("/").pop() + ":" + p.line : "");
const run = (line) => document.dispatchEvent(new CustomEvent("act", { detail: line }));
const command = (line, text, more = {}) =>
  make("button", { type: "button", title: line, onclick: () => run(line), ...more }, text);

let aimed = false; // the source was brought to where something is

// Few are some of several texts.
const plural = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");
const few = (texts, most) =>
  texts.slice(0, most).join(", ") + (texts.length > most ? " and " + (texts.length - most) + " more" : "");

// Sources show the lines, with the counterexample and the predicates.
function sources(body) {
  const open = kept.get("file") || 0;
  body.replaceChildren(
    ...state.sources.map((f, i) => {
      const marks = state.marks.find((m) => m.name === f.name) || {},
        path = new Set(marks.path || []),
        known = new Map();
      for (const p of marks.predicates || []) known.set(p.line, (known.get(p.line) || []).concat([p]));
      const rows = (f.lines || []).map((text, k) => {
        const n = k + 1,
          place = { file: f.name, line: n };
        const told = (most) =>
          (known.get(n) || [])
            .map((p) => (state.components.length > 1 ? p.component + ": " : "") + few(p.texts || [], most))
            .join("; ");
        const preds = told(3);
        return make(
          "tr",
          { class: path.has(n) ? "visited" : null, ...pickable(place), tabindex: path.has(n) ? "0" : null },
          make("td", { class: "number" }, String(n)),
          make(
            "td",
            { class: "text" },
            make(
              "div",
              {},
              make("code", {}, text),
              preds ? make("span", { class: "values", title: told(Infinity) }, "{" + preds + "}") : null,
            ),
          ),
        );
      });
      return make(
        "details",
        { class: "source", open: i <= open },
        make("summary", {}, f.name + (f.left ? " (" + f.left + ")" : "")),
        make("table", { class: "lines" }, make("tbody", {}, ...rows)),
      );
    }),
  );
  mark();
  const place = state.components
    .flatMap((c) => c.predicates || [])
    .map((p) => p.place)
    .find((p) => p);
  const first =
    body.querySelector("tr.visited") ||
    (place && all(body, "tr[data-at]").find((r) => r.dataset.at === at(place)));
  if (first && (!aimed || first.classList.contains("visited")) && !body.querySelector("tr.picked"))
    reveal(body, first);
  aimed = true;
}

// Predicates of a component, taken and dropped.
function predicates(c) {
  const rows = (c.predicates || []).map((p) =>
    make(
      "tr",
      pickable(p.place),
      make(
        "td",
        {},
        p.chosen
          ? command(`pred drop ${c.name} ${p.number}`, "drop")
          : make(
              "span",
              { class: "row" },
              ...(p.conditions || []).map((x) =>
                command(`pred add ${c.name} ${x}`, p.conditions.length > 1 ? "take " + x : "take"),
              ),
            ),
      ),
      make("td", { class: p.chosen ? "new" : "faint" }, make("code", {}, p.text)),
      make("td", { class: "faint" }, p.origin + " " + short(p.place)),
    ),
  );
  return make(
    "details",
    { class: "inner", open: rows.length < 12 },
    make(
      "summary",
      {},
      rows.length === 0
        ? "no predicates"
        : `${rows.filter((_, i) => c.predicates[i].chosen).length} of ${rows.length} predicates`,
    ),
    make("table", {}, make("tbody", {}, ...rows)),
  );
}

// A component has three drawings, of which one is seen.
function component(name) {
  const drawings = {
    cfa: new Drawing("cfa", name),
    mp: new Drawing("mp", name),
    ma: new Drawing("ma", name),
  };
  const shown = kept.get("tab." + name);
  let kind = shown || "cfa",
    chosen = !!shown;
  const facts = make("p", {}),
    tabs = make("div", { role: "tablist", class: "tabs" }),
    place = make("div"),
    preds = make("div"),
    about = make("p", { class: "about" });
  place.addEventListener("node", (e) => said(e.detail));
  const said = (d) => {
    const n = (d.numbers || [])[0];
    if (n === undefined) return about.replaceChildren();
    const word = { mp: "state", ma: "block", cfa: "cfa" }[d.object];
    about.replaceChildren(command(`${word} ${name} ${n}`, `${word} ${n}`));
    if (d.object === "ma") {
      const input = make("input", { placeholder: "action", list: "actions", size: "16" });
      about.append(
        make(
          "form",
          {
            class: "inline",
            onsubmit: (e) => {
              e.preventDefault();
              run(`split ${name} ${n} ${actionWord(input.value)}`);
            },
          },
          input,
          make("button", {}, "split"),
        ),
      );
    }
    if (d.object === "cfa") about.append(command(`preds ${name} ${n}`, "predicates there"));
  };
  const choose = (k, byHand) => {
    kind = k;
    if (byHand) {
      chosen = true;
      kept.set("tab." + name, k);
    }
    for (const t of all(tabs, "button")) t.setAttribute("aria-selected", String(t.dataset.kind === k));
    place.replaceChildren(drawings[k].element);
    drawings[k].draw();
  };
  for (const [k, text] of [
    ["cfa", "automaton"],
    ["mp", "MP"],
    ["ma", "MA"],
  ]) {
    tabs.append(
      make("button", { type: "button", role: "tab", "data-kind": k, onclick: () => choose(k, true) }, text),
    );
  }
  const fill = (body) => {
    const c = state.components.find((x) => x.name === name);
    if (!c) return body.replaceChildren();
    const size = (n, noun) => (n < 0 ? noun + " not built" : `${noun} ${n}`);
    facts.textContent =
      `${c.locations} locations, ${size(c.states, "MP states")}, ${size(c.blocks, "MA blocks")}` +
      (c.stale && c.states >= 0 ? ", of the predicates before" : "") +
      (c.copies > 1 ? `, ${c.copies} copies` : c.copies < 0 ? ", any number of copies" : "");
    preds.replaceChildren(predicates(c));
    if (!body.contains(tabs)) body.replaceChildren(facts, tabs, place, about, preds);
    if (!chosen) kind = c.blocks >= 0 ? "ma" : c.states >= 0 ? "mp" : "cfa";
    choose(kind, false);
    mark();
  };
  return new Pane(
    "component-" + name,
    "component " + name,
    ["components", "counterexample", "session"],
    fill,
    { stands: "parts" },
  );
}

// The specification, with the states that are reached.
function specification() {
  const drawing = new Drawing("spec"),
    facts = make("p");
  drawing.reached = () => state.specification.reached || [];
  return new Pane(
    "specification",
    "specification",
    ["specification", "counterexample", "session"],
    (body) => {
      const s = state.specification;
      const reached = (s.reached || []).join(" or ");
      facts.replaceChildren(
        plural(s.states || 0, "state"),
        reached ? "; the counterexample reaches " : "",
        reached ? make("b", { class: "new" }, reached) : "",
      );
      for (const p of s.places || []) facts.append(" ", make("a", { href: "#", ...pickable(p) }, short(p)));
      if (!body.contains(facts)) body.replaceChildren(facts, drawing.element);
      drawing.draw();
    },
  );
}

// The product of the abstractions, which is closed at first: it may be large.
function product() {
  const drawing = new Drawing("product");
  return new Pane(
    "product",
    "product",
    ["components", "counterexample", "session"],
    (body) => {
      if (!body.contains(drawing.element)) body.replaceChildren(drawing.element);
      drawing.draw();
    },
    { open: false, stands: "parts" },
  );
}

// The counterexample, a lane each.
function counterexample(body) {
  const x = state.counterexample;
  if (!x.status)
    return body.replaceChildren(
      make("p", { class: "note" }, "there is no counterexample so far; until counterexample goes on to one"),
    );
  const lanes = x.lanes || [];
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, "#"),
    make("th", { scope: "col" }, "specification"),
    ...lanes.map((l) =>
      make(
        "th",
        { scope: "col", class: l.refuted ? "violates" : null },
        l.name,
        l.refuted ? make("br") : null,
        l.refuted ? "does not have it" : null,
      ),
    ),
  );
  const rows = (x.rows || []).map((r) => {
    const cells = new Map((r.cells || []).map((c) => [c.lane, c]));
    const joint = cells.size > 1;
    return make(
      "tr",
      { class: r.refused ? "bad" : null },
      make("th", { scope: "row" }, String(r.number)),
      make(
        "td",
        { class: "lane" },
        r.observed ? (r.before || []).join(" or ") : make("span", { class: "faint" }, "not observed"),
        r.refused ? make("strong", {}, " not allowed") : null,
      ),
      ...lanes.map((_, k) => {
        const c = cells.get(k);
        if (!c) return make("td", { class: "lane" });
        return make(
          "td",
          { class: "lane" + (joint ? " bar" : ""), ...pickable(c.place) },
          make("span", { class: "action" }, r.action),
          c.text ? make("br") : null,
          c.text ? make("code", {}, c.text) : null,
          " ",
          make("small", {}, short(c.place)),
        );
      }),
    );
  });
  body.replaceChildren(
    make("p", { class: x.status === "replayed" ? "violates" : "reason" }, x.standing),
    make(
      "p",
      { class: "row" },
      command("choose", "list others"),
      ...[1, 2, 3].map((n) => command("choose " + n, "choose " + n)),
      command("trace", "trace"),
      command("replay", "replay"),
    ),
    x.others ? make("p", { class: "note" }, x.others) : "",
    make("table", { class: "chart all" }, make("thead", {}, head), make("tbody", {}, ...rows)),
  );
  mark();
}

// The run that violates the claim, as it was executed; with what is drawn of it.
function violation() {
  const drawings = [
    ["waits", new Drawing("waits"), "who waits for whom"],
    ["lasso", new Drawing("lasso"), "stem and loop"],
    ["drawn", new Drawing("threads"), "by threads"],
  ];
  const faint = make("input", {
    type: "checkbox",
    onchange: () => body.querySelector("table").classList.toggle("all", faint.checked),
  });
  let body;
  return new Pane(
    "run",
    "run",
    ["run"],
    (into) => {
      body = into;
      const r = state.run,
        lanes = r.lanes || [];
      if (lanes.length === 0)
        return body.replaceChildren(
          make("p", { class: "note" }, "no run that violates the claim was found so far"),
        );
      const rows = (r.steps || [])
        .flatMap((s) => [
          s.round
            ? make(
                "tr",
                { class: "round" },
                make("th", { scope: "rowgroup", colspan: String(lanes.length + 3) }, "then for ever"),
              )
            : null,
          make(
            "tr",
            {
              class: [s.refused ? "bad" : "", s.faint ? "faint" : ""].join(" ").trim() || null,
              ...pickable(s.place),
            },
            make("th", { scope: "row" }, String(s.number)),
            ...lanes.map((_, k) => {
              const joint = (s.with || []).length > 0 && (k === s.lane || s.with.includes(k));
              if (k !== s.lane && !joint) return make("td", { class: "lane" });
              const text =
                k === s.lane
                  ? [
                      s.text ? make("code", {}, s.text) : null,
                      s.branch ? make("em", {}, " " + s.branch) : null,
                      " ",
                      make("small", {}, short(s.place)),
                    ]
                  : [];
              return make(
                "td",
                { class: "lane" + (joint ? " bar" : "") },
                s.action ? make("span", { class: "action" }, s.action + " ") : null,
                ...text,
              );
            }),
            make("td", {}, s.specification, s.refused ? make("strong", {}, " not allowed") : null),
            make("td", {}, ...(s.values || []).map((v) => make("code", { class: "value" }, v))),
          ),
        ])
        .filter(Boolean);
      body.replaceChildren(
        r.wrong ? make("p", { class: "forbidden" }, r.wrong) : "",
        ...(r.standing || []).map((s) => make("p", pickable(s.place), s.text)),
        make(
          "p",
          {},
          command("report", "report"),
          " ",
          make("label", {}, faint, " steps that nothing depends on"),
        ),
        r.left ? make("p", { class: "note" }, r.left) : "",
        ...drawings
          .filter(([has]) => r[has])
          .map(([, drawing, title]) =>
            make("details", { open: true }, make("summary", {}, title), drawing.element),
          ),
        make(
          "details",
          { open: true },
          make("summary", {}, "step by step"),
          make(
            "table",
            { class: "chart" + (faint.checked ? " all" : "") },
            make(
              "thead",
              {},
              make(
                "tr",
                {},
                ...["#", ...lanes, "specification", "values"].map((h) => make("th", { scope: "col" }, h)),
              ),
            ),
            make("tbody", {}, ...rows),
          ),
        ),
      );
      for (const [has, drawing] of drawings) if (r[has]) drawing.draw();
      mark();
    },
    { stands: "found" },
  );
}

// Branches, side by side: what was done instead of something else, and what came of each.
function branches() {
  let drawings = new Map();
  const choice = make("select", {
    onchange: () => {
      drawings = new Map();
      pane.show();
    },
  });
  const known = (n) => (n < 0 ? "not built" : String(n));
  const drawn = (number) => {
    const [object, name] = choice.value.split(" ");
    if (!object) return "";
    if (!drawings.has(number)) {
      const d = new Drawing(object, name);
      d.branch = number;
      drawings.set(number, d);
    }
    drawings.get(number).draw();
    return drawings.get(number).element;
  };
  const pane = new Pane(
    "branches",
    "branches",
    ["branches"],
    (body) => {
      const all = state.branches,
        here = all.find((b) => b.present);
      if (!here)
        return body.replaceChildren(
          make(
            "p",
            { class: "note" },
            "go back and do something else: what you did before is kept here, beside it",
          ),
        );
      const parts = here.components || [],
        levels = all.some((b) => (b.components || []).some((c) => c.blocks >= 0)) ? ["ma ", "mp "] : ["mp "];
      const options = ["", ...parts.flatMap((c) => levels.map((l) => l + c.name))];
      const before = choice.value;
      choice.replaceChildren(
        ...options.map((o) => make("option", { value: o, selected: o === before }, o || "nothing")),
      );
      const row = (title, of, plain) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, title),
          ...all.map((b) => {
            const text = of(b);
            return make("td", { class: !plain && b !== here && text !== of(here) ? "new" : null }, text);
          }),
        );
      const part = (name, of) => (b) => {
        const c = (b.components || []).find((x) => x.name === name);
        return c ? of(c) : "";
      };
      body.replaceChildren(
        make(
          "p",
          {},
          make("label", {}, "drawn of each: ", choice),
          " what differs from the present one is blue",
        ),
        make(
          "table",
          { class: "chart branches" },
          make(
            "thead",
            {},
            make(
              "tr",
              {},
              make("td"),
              ...all.map((b) =>
                make(
                  "th",
                  { scope: "col" },
                  "branch " + b.number + (b.present ? ", the present one" : ""),
                  ...(b.present
                    ? []
                    : [
                        make("br"),
                        command("branch " + b.number, "go on"),
                        command("branch drop " + b.number, "drop"),
                      ]),
                ),
              ),
            ),
          ),
          make(
            "tbody",
            {},
            row("left", (b) => (b.of ? `branch ${b.of} at moment ${b.from}` : "from the start"), true),
            row("did", (b) => few(b.since || [], 6), true),
            row("moments", (b) => String(b.moments)),
            row("is at", (b) => b.verdict || "next: " + b.next),
            row("iterations", (b) => String(b.iteration)),
            row("product", (b) => b.product + " states"),
            row("counterexample", (b) => (b.trace || []).join(", ") || "none"),
            ...parts.flatMap((c) => [
              row(
                c.name + ": predicates",
                part(c.name, (x) => (x.predicates || []).join("; ") || "none"),
              ),
              row(
                "MP states",
                part(c.name, (x) => known(x.states)),
              ),
              row(
                "MA blocks",
                part(c.name, (x) => known(x.blocks)),
              ),
            ]),
            choice.value
              ? make(
                  "tr",
                  {},
                  make("th", { scope: "row" }, choice.value),
                  ...all.map((b) => make("td", {}, drawn(b.number))),
                )
              : null,
          ),
        ),
      );
    },
    { stands: "below" },
  );
  return pane;
}

// Counters: where the copies of a component are, of which there are several or any number.
function counters(body) {
  body.replaceChildren(
    ...state.counters.map((c) => {
      const along = c.along || [],
        noun = c.of === "ma" ? "block" : "state",
        any = (c.rows || []).some((r) => r.toldApart > 0);
      const rows = (c.rows || []).map((r) =>
        make(
          "tr",
          pickable((r.places || [])[0]),
          make(
            "th",
            { scope: "row" },
            `${noun} ${r.state} `,
            make("small", {}, few((r.places || []).map(short), 3)),
          ),
          any ? make("td", {}, r.toldApart > 0 ? `0 to ${r.toldApart}, more` : "0, some") : null,
          ...(r.along || []).map((n) =>
            make(
              "td",
              { class: n ? "count new" : "count faint" },
              n ? "●".repeat(Math.min(n, 5)) + (n > 5 ? " " + n : "") : "·",
            ),
          ),
        ),
      );
      return make(
        "section",
        {},
        make("h2", {}, c.component),
        c.left ? make("p", { class: "note" }, c.left) : "",
        rows.length === 0
          ? make(
              "p",
              { class: "note" },
              "nothing is counted yet: verify does, and a counterexample shows where the copies are",
            )
          : make(
              "table",
              { class: "chart all" },
              make(
                "thead",
                {},
                make(
                  "tr",
                  {},
                  make("th", { scope: "col" }, "copies in"),
                  any ? make("th", { scope: "col" }, "told apart") : null,
                  ...(along.length > 0 ? ["start", ...along] : []).map((a) =>
                    make("th", { scope: "col" }, a),
                  ),
                ),
              ),
              make("tbody", {}, ...rows),
            ),
      );
    }),
  );
  if (state.counters.length === 0)
    body.replaceChildren(make("p", { class: "note" }, "nothing is counted yet: verify does"));
  mark();
}

// The phases with their time. Rows stay as long as their moments do: there may be a thousand.
function phases() {
  const tbody = make("tbody"),
    table = make("table", { class: "phases" }, tbody),
    known = new WeakMap();
  const row = (m, i) => {
    if (!known.has(m)) {
      known.set(
        m,
        make(
          "tr",
          {},
          make("td", {}, command("goto " + i, String(i))),
          make("td", {}, m.head === "by hand" ? m.by : m.head),
          make("td", { class: "number" }, m.by === "step" ? m.seconds.toFixed(3) + " s" : ""),
          make("td", {}, ...(m.lines || []).map((l) => make("div", {}, l))),
        ),
      );
    }
    return known.get(m);
  };
  return new Pane("phases", "phases", ["moments", "session"], (body) => {
    if (!body.contains(table)) body.replaceChildren(table);
    const now = state.session.moment,
      rows = state.moments.map(row);
    while (tbody.rows.length > rows.length) tbody.lastChild.remove();
    rows.forEach((r, i) => {
      if (tbody.rows[i] !== r) tbody.insertBefore(r, tbody.rows[i] || null);
      const name = i === now ? "here" : i > now ? "faint" : "";
      if (r.className !== name) r.className = name;
    });
    while (tbody.rows.length > rows.length) tbody.lastChild.remove();
    reveal(body, rows[now]);
  });
}

// What was typed, here and at the terminal.
function shell(body) {
  const entries = state.log
    .slice(-100)
    .map((e) =>
      make(
        "div",
        { class: "entry" },
        e.command
          ? make(
              "p",
              {},
              make("span", { class: "faint" }, e.from + "> "),
              make("code", {}, e.command),
              " ",
              make("small", {}, e.seconds.toFixed(3) + " s"),
            )
          : null,
        e.text ? make("pre", {}, e.text) : null,
        e.error ? make("pre", { class: "violates" }, e.error) : null,
      ),
    );
  body.replaceChildren(...entries);
  body.scrollTop = body.scrollHeight;
}

// Threads: what the shell says of a search, as text; and the events of a reason, as a drawing.
function threads() {
  const graph = new Drawing("eog");
  graph.number = 1;
  const number = make("input", {
    type: "number",
    min: "1",
    size: "4",
    value: "1",
    onchange: () => {
      graph.number = number.value;
      graph.draw();
    },
  });
  const drawn = make(
    "details",
    { open: true, id: "reason" },
    make("summary", {}, "a reason, drawn"),
    make(
      "p",
      {},
      make("label", {}, "reason ", number),
      " a dashed arrow leads from a write to the read that sees it; the red cycle has no order",
    ),
    graph.element,
  );
  return new Pane(
    "threads",
    state.threads.wholeRuns ? "search" : "threads",
    ["threads"],
    (body) => {
      const clauses = state.threads.clauses || 0;
      searched(body, clauses > 0 ? [drawn] : []);
      number.max = clauses;
      if (+number.value > clauses) graph.number = number.value = 1;
      if (clauses > 0) graph.draw();
    },
    { stands: "found" },
  );
}

// Searched is what the shell says of a search, after some drawings.
function searched(body, drawings) {
  const t = state.threads;
  body.replaceChildren(
    make(
      "p",
      { class: "note" },
      (t.wholeRuns ? "asked of whole runs" : "a program with threads") +
        ": the search has no abstractions to draw; this is what the shell says of it, and the pane run has the run that it finds",
    ),
    ...drawings,
    ...[
      ["report", t.report],
      ["threads", t.threads],
      ["events", t.events],
      ["reasons", t.reasons],
    ]
      .filter(([, text]) => text)
      .map(([name, text]) =>
        make(
          "details",
          { open: true },
          make("summary", {}, name),
          make("pre", { tabindex: "0", role: "region", "aria-label": name }, text),
        ),
      ),
  );
}

const mostComponents = 12;

// Arrange puts panes where they stand: wide ones first, then the code beside its abstractions and what was found, then
// what needs all of the width.
export function arrange(into, panes) {
  const standing = (stands) => panes.filter((p) => !p.wide && p.stands === stands).map((p) => p.element);
  const column = (elements) => (elements.length > 0 ? make("div", { class: "column" }, ...elements) : null);
  into.replaceChildren(
    ...panes.filter((p) => p.wide).map((p) => p.element),
    make(
      "div",
      { class: "columns" },
      column(standing("code")),
      make("div", { class: "columns" }, column(standing("parts")), column(standing("found"))),
    ),
    ...standing("below"),
  );
}

// Panes are those of what is loaded, in their order.
export function panes() {
  if (!state.session.loaded) return [new Pane("shell", "shell", ["log"], shell)];
  const list = [new Pane("source", "source", ["sources", "marks"], sources)];
  if (state.processes.columns) {
    return list.concat(
      new Pane("shell", "shell", ["log"], shell),
      new Pane("zones", "zones", ["processes"], zones),
      new Pane("run", "run", ["processes", "session"], counted, { stands: "found" }),
      new Pane("counterexample", "counterexample", ["processes"], refuted, { stands: "found" }),
      new Pane("sets", "sets", ["processes", "session"], sets, { stands: "found" }),
    );
  }
  if (state.session.threads) list.push(violation(), threads());
  else {
    for (const c of state.components.slice(0, mostComponents)) list.push(component(c.name));
    const more = state.components.length - mostComponents;
    if (more > 0)
      list.push(
        new Pane(
          "others",
          `${more} components more`,
          ["components"],
          (body) =>
            body.replaceChildren(
              make("p", { class: "note" }, "not shown; the shell shows them: mp NAME, ma NAME, draw"),
            ),
          { stands: "parts" },
        ),
      );
    if (!state.session.unspecified) {
      list.push(
        specification(),
        new Pane("counterexample", "counterexample", ["counterexample"], counterexample, { stands: "found" }),
      );
    }
    list.push(violation());
    if (state.components.some((c) => c.copies !== 1))
      list.push(new Pane("counters", "counters", ["counters"], counters, { stands: "found" }));
    if (state.components.length > 1) list.push(product());
    list.push(branches());
    list.push(phases());
  }
  list.push(new Pane("shell", "shell", ["log"], shell));
  return list;
}
