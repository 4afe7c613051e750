"use strict";
(() => {
  const all = (of, what) => Array.from(of.querySelectorAll(what));
  const root = document.documentElement;
  root.classList.add("script");

  // The theme is kept, where the browser lets pages keep something.
  const kept = {
    get: (name) => { try { return localStorage.getItem("magus." + name); } catch { return null; } },
    set: (name, value) => { try { localStorage.setItem("magus." + name, value); } catch { /* not kept */ } },
  };
  if (kept.get("theme")) root.dataset.theme = kept.get("theme");
  const button = document.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept.set("theme", root.dataset.theme);
  });

  // Phases: one of each claim is shown.
  const claims = all(document, ".claim");
  let current = claims.find((c) => +c.dataset.count > 0) || claims[0];
  const state = new Map(claims.map((c) => [c, { phase: +c.dataset.count - 1, step: 0 }]));

  function show(claim, index) {
    const phases = all(claim, ".phase");
    if (phases.length === 0) return;
    index = Math.max(0, Math.min(phases.length - 1, index));
    state.get(claim).phase = index;
    current = claim;
    phases.forEach((t, i) => t.classList.toggle("gone", i !== index));
    const number = +phases[index].dataset.phase;
    const at = (spans) => spans.split(" ").map((span) => span.split("-").map(Number)).find(([from, to = from]) => from <= number && number <= to);
    for (const sheet of all(claim, ".sheet[data-phases]")) if (at(sheet.dataset.phases)) fill(sheet);
    for (const e of all(claim, ".figure .fresh")) e.classList.remove("fresh");
    for (const e of all(claim, ".figure [data-phases]")) {
      const here = at(e.dataset.phases);
      e.classList.toggle("gone", !here);
      if (here && here[0] === number && number > 1) (e.closest(".node") || e).classList.add("fresh");
    }
    for (const e of all(claim, ".figure [data-hot]")) e.classList.toggle("hot", !!at(e.dataset.hot));
    for (const figure of all(claim, ".figure")) {
      figure.classList.toggle("gone", all(figure, ".sheet").every((s) => s.classList.contains("gone") || s.classList.contains("part")));
    }
    for (const figure of all(claim, ".figure")) openPart(figure, "");
    claim.querySelector(".scrubber input").value = index + 1;
    claim.querySelector(".scrubber output").textContent = "phase " + number + " of " + phases[phases.length - 1].dataset.phase;
  }

  // Packed drawings are put in their place when it is shown first.
  let drawings = [], texts = [];
  function fill(sheet) {
    const drawing = drawings[sheet.dataset.drawing - 1];
    if (!drawing) return;
    sheet.insertAdjacentHTML("beforeend", loosened(drawing));
    delete sheet.dataset.drawing;
  }
  // In packed drawings texts are numbers, <t> is a text below the one before, or at the top of its box, <h> a head at the
  // end of a line, and s, u and w are curves that turn half way down.
  function loosened(drawing) {
    let x, y, line;
    const written = drawing.replace(/(<t>|<text [^>]*>)(\d+);/g, (_, open, n) => open + texts[n] + "</text>");
    return written.replace(/<rect x="(-?\d+)" y="(-?\d+)"[^>]*rx="4"\/>|<t>|<text |<path d="([^"]*)"\/><h ([^/]*)\/>/g, (found, left, top, path, head) => {
      if (left !== undefined) [x, y, line] = [+left, +top, 0];
      if (path !== undefined) {
        const whole = path.replace(/([suw])(-?\d+) (-?\d+)/g, (_, letter, aside, down) => {
          const turn = (down - { s: 0, u: 1, w: -1 }[letter]) / 2;
          return `c0 ${turn} ${aside} ${turn} ${aside} ${down}`;
        });
        return `<path d="${whole}"/><path class="head" d="M${end(whole)}${head}"/>`;
      }
      if (found.startsWith("<t")) line++;
      return found === "<t>" ? `<text x="${x + 6}" y="${y + 2 + 14 * line}">` : found;
    });
  }
  function end(path) {
    let x = 0, y = 0;
    for (const [, letter, rest] of path.matchAll(/([Mcvhl])([^Mcvhl]*)/g)) {
      const n = rest.match(/-?\d+/g).map(Number), each = letter === "c" ? 6 : 2;
      if (letter === "M") [x, y] = n;
      else if (letter === "v") y += n[0];
      else if (letter === "h") x += n[0];
      else for (let i = each; i <= n.length; i += each) [x, y] = [x + n[i - 2], y + n[i - 1]];
    }
    return x + " " + y;
  }
  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const { pieces, ...rest } = JSON.parse(await new Response(unpacked).text());
    ({ drawings, texts } = rest);
    for (const e of all(document, "[data-piece]")) e.innerHTML = pieces[e.dataset.piece - 1];
    const shown = current;
    for (const claim of claims) show(claim, state.get(claim).phase);
    current = shown;
    for (const note of all(document, ".note.packed")) note.remove();
  }

  // Drawings: they open as large as fits, but no smaller than can be read, at the start or at what is
  // red. They are zoomed by buttons, keys and the wheel, and moved by dragging or on the small map.
  const legible = 0.75, smallest = 0.05, largest = 3;
  const views = new Map(); // by sheet: its drawing, its size, the scale, the map
  const svgNode = (name, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    return e;
  };
  function viewOf(sheet) {
    if (views.has(sheet)) return views.get(sheet);
    const svg = sheet.querySelector("svg");
    const w = +svg.getAttribute("width"), h = +svg.getAttribute("height");
    const bar = document.createElement("div");
    bar.className = "zoom";
    const v = { svg, w, h, scale: 0, bar };
    for (const [text, label, to] of [["-", "smaller", () => v.scale / 1.25], ["+", "larger", () => v.scale * 1.25], ["fit", "fit the drawing", () => fitting(sheet, v)]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => zoom(sheet, v, to()));
      bar.appendChild(button);
    }
    const size = Math.min(150 / w, 90 / h);
    v.map = svgNode("svg", { class: "map", viewBox: "0 0 " + w + " " + h, width: Math.max(8, w * size), height: Math.max(8, h * size), "aria-hidden": "true" });
    v.map.addEventListener("pointerdown", (e) => {
      e.stopPropagation();
      const r = v.map.getBoundingClientRect();
      centre(sheet, v, (e.clientX - r.left) / r.width * w, (e.clientY - r.top) / r.height * h);
    });
    bar.appendChild(v.map);
    sheet.insertBefore(bar, svg);
    views.set(sheet, v);
    sheet.addEventListener("scroll", () => seen(sheet, v));
    sheet.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      zoom(sheet, v, v.scale * (e.deltaY < 0 ? 1.15 : 1 / 1.15), e.clientX, e.clientY);
    }, { passive: false });
    sheet.addEventListener("pointerdown", (e) => {
      if (e.button !== 0 || e.target.closest("button, text")) return;
      const from = [e.clientX, e.clientY, sheet.scrollLeft, sheet.scrollTop];
      const move = (m) => { sheet.scrollLeft = from[2] + from[0] - m.clientX; sheet.scrollTop = from[3] + from[1] - m.clientY; };
      const stop = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", stop); };
      addEventListener("pointermove", move);
      addEventListener("pointerup", stop);
    });
    return v;
  }
  const fitting = (sheet, v) => Math.min(1, (sheet.clientWidth - 12) / v.w, (window.innerHeight * 0.6) / v.h);
  function zoom(sheet, v, to, x, y) {
    const r = v.svg.getBoundingClientRect(), around = sheet.getBoundingClientRect();
    if (x === undefined) { x = around.left + sheet.clientWidth / 2; y = around.top + sheet.clientHeight / 2; }
    const before = v.scale || 1, at = [(x - r.left) / before, (y - r.top) / before];
    v.scale = Math.max(smallest, Math.min(largest, to));
    v.svg.style.width = v.w * v.scale + "px";
    v.svg.style.height = v.h * v.scale + "px";
    const now = v.svg.getBoundingClientRect();
    sheet.scrollLeft += now.left + at[0] * v.scale - x;
    sheet.scrollTop += now.top + at[1] * v.scale - y;
    seen(sheet, v);
  }
  function centre(sheet, v, x, y) {
    const r = v.svg.getBoundingClientRect(), around = sheet.getBoundingClientRect();
    sheet.scrollLeft += r.left + x * v.scale - around.left - sheet.clientWidth / 2;
    sheet.scrollTop += r.top + y * v.scale - around.top - sheet.clientHeight / 2;
    seen(sheet, v);
  }
  // The map has the boxes that are shown, and the window that is seen of them.
  function seen(sheet, v) {
    const r = v.svg.getBoundingClientRect(), around = sheet.getBoundingClientRect();
    const whole = v.w * v.scale <= sheet.clientWidth && v.h * v.scale <= sheet.clientHeight;
    v.map.style.display = whole ? "none" : "";
    const seen = v.map.querySelector(".seen");
    if (!seen) return;
    const x = (around.left - r.left) / v.scale, y = (around.top - r.top) / v.scale;
    for (const [k, n] of [["x", x], ["y", y], ["width", sheet.clientWidth / v.scale], ["height", sheet.clientHeight / v.scale]]) seen.setAttribute(k, n);
  }
  function aim(sheet) {
    if (!sheet.querySelector("svg") || sheet.getBoundingClientRect().width === 0) return;
    const v = viewOf(sheet), fresh = v.scale === 0;
    const nodes = all(v.svg, ".node:not(.gone)");
    const place = (n) => { const r = n.querySelector("rect"); return ["x", "y", "width", "height"].map((k) => +r.getAttribute(k)); };
    v.map.replaceChildren(...nodes.map((n) => {
      const [x, y, width, height] = place(n);
      return svgNode("rect", { class: n.classList.contains("hot") ? "hot" : "all", x, y, width, height });
    }), svgNode("rect", { class: "seen", x: 0, y: 0, width: 0, height: 0 }));
    if (fresh) zoom(sheet, v, root.classList.contains("fit") ? fitting(sheet, v) : Math.max(legible, fitting(sheet, v)));
    const window = sheet.getBoundingClientRect();
    const shown = nodes.map((n) => [n, n.getBoundingClientRect()]);
    if (shown.length > 0 && !shown.some(([, r]) => r.left < window.right && r.right > window.left && r.top < window.bottom && r.bottom > window.top) || fresh && shown.length > 0) {
      const first = nodes.find((n) => n.querySelector(".start")) || nodes[0], [x, y, width] = place(first);
      centre(sheet, v, x + width / 2, y + sheet.clientHeight / v.scale / 2 - 40);
    }
    seen(sheet, v);
  }
  const shownSheets = (of) => all(of, ".sheet:not(.gone):not(.closed)");
  for (const figure of all(document, ".figure")) figure.addEventListener("toggle", () => shownSheets(figure).forEach(aim));

  // A folded part opens in the place of the drawing that it is part of.
  function openPart(figure, key) {
    const part = key === "" ? null : all(figure, ".part").find((p) => p.dataset.key === key);
    if (part === undefined) return false;
    if (part) fill(part);
    for (const p of all(figure, ".sheet")) p.classList.toggle("closed", part === null ? p.classList.contains("part") : p !== part);
    shownSheets(figure).forEach(aim);
    return true;
  }

  function remember() {
    const s = state.get(current);
    const phase = all(current, ".phase")[s.phase];
    const words = ["claim=" + current.dataset.claim];
    if (phase) words.push("phase=" + phase.dataset.phase);
    if (s.step) words.push("step=" + s.step);
    history.replaceState(null, "", "#" + words.join("&"));
  }

  function move(claim, index) {
    show(claim, index);
    remember();
  }

  for (const claim of claims) {
    const bar = claim.querySelector(".scrubber");
    if (!bar) continue;
    const now = () => state.get(claim).phase;
    bar.querySelector(".first").addEventListener("click", () => move(claim, 0));
    bar.querySelector(".back").addEventListener("click", () => move(claim, now() - 1));
    bar.querySelector(".on").addEventListener("click", () => move(claim, now() + 1));
    bar.querySelector(".last").addEventListener("click", () => move(claim, Infinity));
    bar.querySelector("input").addEventListener("input", (e) => move(claim, +e.target.value - 1));
    show(claim, now());
  }
  current = claims.find((c) => +c.dataset.count > 0) || claims[0];
  shownSheets(document).forEach(aim);
  const packed = document.getElementById("packed");
  if (packed) {
    unpack(packed.content.textContent).catch((e) => {
      for (const note of all(document, ".note.packed")) note.textContent = "The drawings of this page cannot be unpacked: " + e.message;
    }).finally(() => { root.dataset.ready = "yes"; });
  } else root.dataset.ready = "yes";

  document.addEventListener("keydown", (e) => {
    if (!current || e.altKey || e.ctrlKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    const inChart = e.target.closest && e.target.closest(".scroll") && e.target.closest(".scroll").querySelector(".chart");
    const by = { j: 1, k: -1, ArrowDown: inChart ? 1 : 0, ArrowUp: inChart ? -1 : 0 }[e.key];
    if (by) {
      e.preventDefault();
      return step(current, by);
    }
    if (e.key === "f") {
      const fit = root.classList.toggle("fit");
      for (const sheet of shownSheets(document)) if (views.has(sheet)) zoom(sheet, views.get(sheet), fit ? fitting(sheet, views.get(sheet)) : Math.max(legible, fitting(sheet, views.get(sheet))));
      return;
    }
    if (e.key === "+" || e.key === "-") {
      const sheet = e.target.closest && e.target.closest(".sheet");
      for (const s of sheet ? [sheet] : shownSheets(current)) if (views.has(s)) zoom(s, views.get(s), views.get(s).scale * (e.key === "+" ? 1.25 : 0.8));
      return;
    }
    if (e.key === "/") {
      e.preventDefault();
      return document.getElementById("search").focus();
    }
    if (e.target.closest && e.target.closest(".scroll")) return; // which the keys scroll
    const now = state.get(current).phase;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: Infinity }[e.key];
    if (to === undefined || +current.dataset.count === 0) return;
    e.preventDefault();
    move(current, to);
  });

  // One selection, of a place in the source, everywhere.
  function pick(at) {
    for (const e of all(document, ".picked")) e.classList.remove("picked");
    if (!at) return;
    const line = at.slice(at.lastIndexOf(":") + 1);
    for (const e of all(document, "[data-at]")) if (e.dataset.at === at) e.classList.add("picked");
    for (const e of all(document, "svg [data-line]")) if (e.dataset.line === line) e.classList.add("picked");
  }

  // The source pane follows without moving the page.
  const pane = document.getElementById("sources");
  function reveal(at) {
    const row = pane && all(pane, ".lines tr").find((r) => r.dataset.at === at);
    if (!row) return;
    row.closest("details").open = true;
    const inside = getComputedStyle(pane).position === "sticky";
    if (!inside) return row.scrollIntoView({ block: "center" });
    const here = row.getBoundingClientRect(), around = pane.getBoundingClientRect();
    pane.scrollTop += here.top - around.top - around.height / 2;
  }

  // Steps: one row of the chart is where the run stands.
  for (const claim of claims) all(claim, ".chart tbody tr").forEach((r, i) => { r.dataset.step ||= i + 1; });
  const stepped = (claim) => all(claim, ".chart tbody tr").filter((r) => r.offsetParent !== null);

  function stand(claim, row) {
    current = claim;
    state.get(claim).step = +row.dataset.step;
    pick(row.dataset.at);
    row.classList.add("picked");
    reveal(row.dataset.at);
    values(claim, row);
    remember();
  }

  function step(claim, by) {
    let rows = stepped(claim);
    if (rows.length === 0) { // it has no run: the first claim that has one
      claim = claims.find((c) => stepped(c).length > 0);
      if (!claim) return;
      rows = stepped(claim);
    }
    const now = rows.findIndex((r) => +r.dataset.step === state.get(claim).step);
    const row = rows[Math.max(0, Math.min(rows.length - 1, now < 0 ? 0 : now + by))];
    row.scrollIntoView({ block: "nearest" });
    stand(claim, row);
  }

  // The values that variables have at a step; what the step has changed stands out.
  function values(claim, row) {
    const box = document.querySelector("div.now");
    if (!box) return;
    const lanes = claim.querySelector(".chart tbody tr").querySelectorAll(".lane").length;
    const known = new Map();
    const put = (where, code, fresh) => known.set((lanes > 1 && where && !code.dataset.state && code.dataset.shared === undefined ? where + "." : "") + code.dataset.name, [code.dataset.value, fresh, code.dataset.state]);
    for (const code of all(claim, "p > code[data-name]")) put("", code, false);
    for (const r of all(claim, ".chart tbody tr")) {
      if (+r.dataset.step > +row.dataset.step) break;
      for (const code of all(r, "code[data-name]")) {
        const event = code.dataset.state && !code.dataset.value; // it happened there, and is over
        if (!event || r === row) put(r.dataset.component, code, r === row);
      }
    }
    box.querySelector("ul").replaceChildren(...Array.from(known, ([name, [value, fresh, says]]) => {
      const li = document.createElement("li");
      li.classList.toggle("changed", fresh);
      li.appendChild(document.createElement("code")).textContent = says || name + " = " + value;
      return li;
    }));
    box.querySelector("b").textContent = row.dataset.step;
    box.hidden = known.size === 0;
  }

  // Search goes through steps, sources and names in drawings, from match to match.
  const search = document.getElementById("search");
  let matches = [], match = -1;
  function seek() {
    for (const e of matches) e.classList.remove("match");
    const text = search.value.toLowerCase();
    matches = text === "" ? [] : all(document, ".chart tbody tr, .lines tr, svg .node, .phase h4, details li")
      .filter((e) => e.textContent.toLowerCase().includes(text) && e.getClientRects().length > 0);
    for (const e of matches) e.classList.add("match");
    match = -1;
    goOn(1);
  }
  function goOn(by) {
    document.getElementById("found").textContent = search.value === "" ? "" : matches.length === 0 ? "none" : "";
    if (matches.length === 0) return;
    match = (match + by + matches.length) % matches.length;
    matches[match].scrollIntoView({ block: "center" });
    document.getElementById("found").textContent = (match + 1) + " of " + matches.length;
  }
  search.addEventListener("input", seek);
  search.addEventListener("keydown", (e) => {
    if (e.key === "Enter") goOn(e.shiftKey ? -1 : 1);
    if (e.key === "Escape") { search.value = ""; seek(); search.blur(); }
  });

  document.addEventListener("click", (e) => {
    const back = e.target.closest(".part .back");
    if (back) return openPart(back.closest(".figure"), back.dataset.to);
    const folded = e.target.closest("svg [data-part]");
    if (folded && openPart(folded.closest(".figure"), folded.dataset.part)) return;
    const node = e.target.closest("svg [data-line]");
    if (node && node.dataset.line) {
      const row = all(document, ".lines tr").find((r) => r.dataset.at.endsWith(":" + node.dataset.line));
      pick(row ? row.dataset.at : ":" + node.dataset.line);
      return;
    }
    const place = e.target.closest("[data-at]");
    if (!place || !place.dataset.at) return;
    pick(place.dataset.at);
    if (place.classList.contains("at")) {
      e.preventDefault();
      reveal(place.dataset.at);
    }
    const claim = place.closest(".claim");
    if (claim && place.dataset.step) stand(claim, place);
  });

  for (const box of all(document, ".faint-too")) {
    box.addEventListener("change", () => box.closest(".claim").querySelector(".chart").classList.toggle("all", box.checked));
  }

  // The address says what is shown.
  function follow() {
    const words = new URLSearchParams(location.hash.slice(1));
    const claim = claims.find((c) => c.dataset.claim === words.get("claim"));
    if (!claim) return;
    current = claim;
    const index = all(claim, ".phase").findIndex((t) => t.dataset.phase === (words.get("phase") || words.get("turn")));
    if (index >= 0) show(claim, index);
    const row = words.has("step") && claim.querySelector('[data-step="' + Number(words.get("step")) + '"]');
    if (row) {
      row.scrollIntoView({ block: "center" });
      stand(claim, row);
    }
  }
  window.addEventListener("hashchange", follow);
  follow();

  // At first the run stands where it ends: there is what is not allowed.
  const run = location.hash === "" && document.querySelector(".chart");
  const last = run && (run.querySelector("tr.bad") || stepped(run.closest(".claim")).pop());
  if (last) {
    state.get(last.closest(".claim")).step = +last.dataset.step;
    pick(last.dataset.at);
    reveal(last.dataset.at);
    values(last.closest(".claim"), last);
  }
})();
