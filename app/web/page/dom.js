// Small parts of the page. Text is always text: nothing here reads HTML.

export const all = (of, what) => Array.from(of.querySelectorAll(what));

// Make is an element with attributes and children; an attribute that begins with "on" is a listener.
export function make(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined && value !== null)
      e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

// Kept is what the browser keeps of a page, where it lets pages keep something.
export const kept = {
  get: (name) => {
    try {
      return JSON.parse(localStorage.getItem("magus.web." + name));
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem("magus.web." + name, JSON.stringify(value));
    } catch {
      /* not kept */
    }
  },
};

// Save lets the browser save a text as a file.
export function save(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// Quote writes a word so that the shell reads it as one.
function quote(text) {
  if (text !== "" && !/[\s"'$#\\{}>|*?[~!]/.test(text)) return text;
  if (!text.includes("'")) return "'" + text + "'";
  return '"' + text.replace(/["\\]/g, "\\$&").replace(/\$/g, `"'$$'"`) + '"';
}

// ActionWord writes an action as one word; return actions hold together by their braces.
export function actionWord(a) {
  return a === "" || (/[\s"'#]/.test(a) && !a.includes("{")) ? quote(a) : a;
}

// What has the focus is made anew, or cannot be used while a command runs: Refocus gives the focus back to what stands in
// its place, unless something else has it by now.
let held = null;
const word = (e) =>
  [e.title, e.dataset.line, e.dataset.kind, e.dataset.at, e.dataset.numbers, e.textContent].join(" ");
document.addEventListener(
  "pointerdown",
  () => {
    held = null;
  },
  true,
);
document.addEventListener("focusin", ({ target: e }) => {
  const box = e.parentElement && e.parentElement.closest("[id]");
  held = box && { box: box.id, tag: e.tagName, word: word(e), index: all(box, e.tagName).indexOf(e) };
});

export function refocus() {
  const box = held && document.activeElement === document.body && document.getElementById(held.box);
  if (!box) return;
  const alike = all(box, held.tag),
    e = alike.find((x) => word(x) === held.word) || alike[Math.min(held.index, alike.length - 1)];
  if (e && !e.disabled) e.focus({ preventScroll: true });
}

// Unfocus takes the focus from what has it.
export function unfocus(e) {
  held = null;
  e.blur();
}

// Reveal scrolls what an element lies in until it is seen; the page itself stays where it is.
export function reveal(box, element) {
  if (!box || !element) return;
  const b = box.getBoundingClientRect(),
    e = element.getBoundingClientRect();
  if (e.top < b.top) box.scrollTop -= b.top - e.top + b.height / 4;
  else if (e.bottom > b.bottom) box.scrollTop += e.bottom - b.bottom + b.height / 4;
  if (e.left < b.left) box.scrollLeft -= b.left - e.left + 20;
  else if (e.left > b.right - 40) box.scrollLeft += e.left - b.right + b.width / 2;
}
