// One selection, in all panes.
//
// What is selected is a set of places (file and line) and of states, blocks and locations of components. A box of
// a drawing says in its text which it has; a selection of a line takes the boxes that have the line, and with
// them their states; a selection of a box takes its lines.

import { state } from "./connect.js";
import { all, reveal } from "./dom.js";

// PlaceIn is the file that a line of a box's text stands for: one in which that line has that text.
function placeOf(component, line, text) {
  const has = (f) => f.lines && (f.lines[line - 1] || "").trim().startsWith(text);
  const own = component && state.sources.find((f) => f.name === component.file);
  if (own && has(own)) return own.name;
  const other = state.sources.find(has);
  return other ? other.name : own ? own.name : "";
}

// Refs is what a line of text in a box refers to: {line, text} of the source, and {number} of a state, block or location;
// of a run, {line, file}.
function refs(object, label) {
  let m;
  if (object === "lasso" || object === "waits")
    return (m = /^(?:at )?(.+):(\d+)$/.exec(label)) ? { line: +m[2], file: m[1] } : {};
  if ((m = /^block (\d+):/.exec(label))) return { number: +m[1] };
  if ((m = /^\s+line (\d+): (.*)$/.exec(label))) return { line: +m[1], text: m[2] };
  if (object === "cfa" && (m = /^(\d+): /.exec(label))) return { number: +m[1] };
  if ((m = /^(\d+) {2}(\d+): (.*)$/.exec(label))) return { number: +m[1], line: +m[2], text: m[3] };
  if (object === "mp" && (m = /^(\d+) {2}/.exec(label))) return { number: +m[1] };
  if (object === "ma" && (m = /^ {2}(\d+): (.*)$/.exec(label))) return { line: +m[1], text: m[2] };
  return {};
}

// Cut is a text without the dots that say that it was cut.
const cut = (text) => text.replace(/(\.\.\.|…)$/, "").trim();

// Annotate notes in a box of a drawing what its text refers to; blocks have the lines of all their states.
export function annotate(svg, object, component, blocks) {
  const of = new Map((blocks || []).map((b) => [b.number, b.places || []]));
  for (const node of all(svg, ".node")) {
    const places = new Set(),
      numbers = new Set();
    for (const t of all(node, "text")) {
      const r = refs(object, t.textContent);
      if (r.number !== undefined) numbers.add(r.number);
      if (r.line) places.add((r.file || placeOf(component, r.line, cut(r.text))) + ":" + r.line);
    }
    if (object === "ma")
      for (const n of numbers) for (const p of of.get(n) || []) places.add(p.file + ":" + p.line);
    node.dataset.places = JSON.stringify([...places]);
    node.dataset.numbers = JSON.stringify([...numbers]);
    node.dataset.object = object;
    node.dataset.component = component ? component.name : "";
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
  }
}

let selected = new Set();

// Pick selects places; no places select nothing.
export function pick(places, show) {
  selected = new Set(places);
  mark();
  const rows = all(document, "#panes .lines tr.picked"),
    first = rows[0];
  if (!show || !first) return;
  for (const row of rows) row.closest("details").open = true;
  reveal(first.closest(".body"), first);
  for (const sheet of all(document, ".sheet")) reveal(sheet, sheet.querySelector(".node.picked"));
}

// Mark shows the selection in everything that is there.
export function mark() {
  for (const e of all(document, "[data-at]")) e.classList.toggle("picked", selected.has(e.dataset.at));
  for (const e of all(document, "svg .node[data-places]")) {
    e.classList.toggle(
      "picked",
      JSON.parse(e.dataset.places).some((p) => selected.has(p)),
    );
  }
}

// At is how a place is called.
export const at = (p) => p && p.file + ":" + p.line;

// Pickable are attributes of what a place is selected by.
export const pickable = (p) =>
  p
    ? {
        "data-at": at(p),
        tabindex: "0",
        onclick: () => pick([at(p)], true),
        onkeydown: (e) => {
          if (e.key === "Enter") pick([at(p)], true);
        },
      }
    : {};
