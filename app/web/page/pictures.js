// Panes with a drawing, which can be moved and made larger.

import { picture, state } from "./connect.js";
import { make, all, save, kept, reveal, refocus } from "./dom.js";
import { annotate, pick, mark } from "./select.js";

// What is drawn as a whole, or not at all.
const undivided = ["threads", "waits", "lasso", "eog"];

// A drawing that is a little too wide is made smaller at first, not below this.
const least = 0.75;

// A Drawing shows one object, and what the last command has changed of it.
export class Drawing {
  constructor(object, component) {
    this.object = object;
    this.component = component;
    this.flags = {};
    this.notes = make("p", { class: "note" });
    this.sheet = make("div", {
      class: "sheet",
      tabindex: "0",
      role: "group",
      "aria-label": `drawing of ${object} ${component || ""}`,
    });
    const flag = (name, text) =>
      make(
        "label",
        {},
        make("input", {
          type: "checkbox",
          onchange: (e) => {
            this.flags[name] = e.target.checked;
            this.draw();
          },
        }),
        " " + text,
      );
    this.tools = make(
      "p",
      { class: "tools" },
      ...(undivided.includes(object) ? [] : [flag("unfold", "each state"), flag("more", "more boxes")]),
      make("button", { type: "button", onclick: () => this.scale(1.25), "aria-label": "larger" }, "+"),
      make("button", { type: "button", onclick: () => this.scale(0.8), "aria-label": "smaller" }, "−"),
      make("button", { type: "button", onclick: () => this.fit() }, "fit"),
      make(
        "button",
        {
          type: "button",
          onclick: () => this.last && save(this.name() + ".svg", this.plain(), "image/svg+xml"),
        },
        "SVG",
      ),
      make(
        "button",
        { type: "button", onclick: () => this.last && save(this.name() + ".dot", this.last.dot) },
        "DOT",
      ),
    );
    this.element = make("div", { class: "drawing" }, this.tools, this.notes, this.sheet);
    this.zoom = kept.get("zoom." + this.name()) || 1;
    this.zoomed = !!kept.get("zoom." + this.name());
    this.pan();
    this.sheet.addEventListener("click", (e) => this.clicked(e));
    this.sheet.addEventListener("keydown", (e) => {
      if (e.key === "Enter" || e.key === " ") this.clicked(e);
    });
  }

  name() {
    return [this.object, this.component, this.branch && "branch-" + this.branch].filter(Boolean).join("-");
  }

  // Plain is the drawing with its colours, for other programs.
  plain() {
    const svg = this.sheet.querySelector("svg").cloneNode(true);
    for (const e of all(svg, ".gone")) e.remove();
    svg.insertAdjacentElement(
      "afterbegin",
      Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "style"), {
        textContent:
          "text{font:11px monospace;white-space:pre}rect{fill:#fff;stroke:#555}rect.inside{fill:none}.edge{fill:none;stroke:#555}.edge .head,.start{fill:#555;stroke:none}.dashed{stroke-dasharray:4 3}.hot rect,.edge.hot{stroke:#b3121d}.edge.hot .head{fill:#b3121d}",
      }),
    );
    return new XMLSerializer().serializeToString(svg);
  }

  async draw() {
    const query = { object: this.object };
    if (this.component) query.component = this.component;
    for (const [name, on] of Object.entries(this.flags)) if (on) query[name] = "1";
    if (this.number) query.number = this.number;
    if (this.branch) query.branch = this.branch;
    const since = document.getElementById("since").value;
    if (since !== "" && !this.branch && !["product", ...undivided].includes(this.object))
      query.since = Math.min(+since, state.moments.length - 1);
    const asked = (this.asked = (this.asked || 0) + 1);
    const p = await picture(query);
    if (asked !== this.asked || p.busy) return; // a later one comes
    this.last = p.error ? null : p;
    this.notes.textContent = p.error || (p.notes || []).join("; ");
    if (p.error) return this.sheet.replaceChildren();
    const svg = new DOMParser().parseFromString(p.svg, "image/svg+xml").documentElement;
    if (svg.nodeName !== "svg") return;
    for (const e of all(svg, '[data-phases="2"]')) (e.closest(".node") || e).classList.add("fresh");
    const component =
      state.components.find((c) => c.name === this.component) ||
      (state.components.length === 1 ? state.components[0] : null);
    annotate(svg, this.object, component, p.blocks);
    const at = [this.sheet.scrollLeft, this.sheet.scrollTop];
    this.width = +svg.getAttribute("width");
    this.height = +svg.getAttribute("height");
    this.sheet.replaceChildren(document.importNode(svg, true));
    if (!this.zoomed && this.sheet.clientWidth)
      this.zoom = Math.min(1, Math.max(least, this.sheet.clientWidth / this.width));
    this.scale(1);
    performance.mark("drawing");
    [this.sheet.scrollLeft, this.sheet.scrollTop] = at;
    const names = this.reached ? this.reached() : [];
    for (const node of all(this.sheet, ".node"))
      node.classList.toggle("reached", names.includes(node.textContent));
    const box = ".node:not(.gone)",
      start = this.sheet.querySelector(box + " .start");
    reveal(
      this.sheet,
      this.sheet.querySelector(box + ".hot") ||
        this.sheet.querySelector(box + ".fresh") ||
        (start && start.parentElement),
    );
    mark();
    refocus();
  }

  scale(by) {
    this.zoom = Math.min(4, Math.max(0.1, this.zoom * by));
    if (by !== 1) (kept.set("zoom." + this.name(), this.zoom), (this.zoomed = true));
    const svg = this.sheet.querySelector("svg");
    if (!svg) return;
    svg.setAttribute("width", this.width * this.zoom);
    svg.setAttribute("height", this.height * this.zoom);
  }

  // Fit makes all of the drawing seen.
  fit() {
    if (this.width)
      this.scale(
        Math.min(
          this.sheet.clientWidth / this.width,
          parseFloat(getComputedStyle(this.sheet).maxHeight) / this.height,
        ) / this.zoom,
      );
  }

  // Pan lets the pointer move the sheet.
  pan() {
    let from = null;
    this.sheet.addEventListener("pointerdown", (e) => {
      if (e.button === 0)
        from = { x: e.clientX, y: e.clientY, left: this.sheet.scrollLeft, top: this.sheet.scrollTop };
      this.moved = false;
    });
    this.sheet.addEventListener("pointermove", (e) => {
      if (!from || e.buttons !== 1) return;
      this.moved = this.moved || Math.abs(e.clientX - from.x) + Math.abs(e.clientY - from.y) > 4;
      this.sheet.scrollLeft = from.left - (e.clientX - from.x);
      this.sheet.scrollTop = from.top - (e.clientY - from.y);
    });
    const end = () => {
      from = null;
    };
    this.sheet.addEventListener("pointerup", end);
    this.sheet.addEventListener("pointerleave", end);
  }

  clicked(e) {
    if (this.moved) return;
    const node = e.target.closest && e.target.closest(".node[data-places]");
    if (!node) return pick([]);
    e.preventDefault();
    pick(JSON.parse(node.dataset.places), true);
    const numbers = JSON.parse(node.dataset.numbers);
    this.sheet.dispatchEvent(
      new CustomEvent("node", {
        bubbles: true,
        detail: { object: this.object, component: this.component, numbers },
      }),
    );
  }
}
