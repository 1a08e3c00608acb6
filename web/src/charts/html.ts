/** Elements of the page; texts always go in as text, never as HTML. */

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function button(text: string, title: string, run: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title }, text);
  made.addEventListener("click", run);
  return made;
}

/** A labelled choice; `run` gets the value of the option. */
export function choice(label: string, options: [value: string, text: string][], chosen: string, run: (value: string) => void): HTMLLabelElement {
  const list = element("select", {}, ...options.map(([value, text]) => element("option", { value }, text)));
  list.value = chosen;
  list.addEventListener("change", () => run(list.value));
  return element("label", { class: "chart-choice" }, element("span", {}, label), list);
}

/** Buttons of which one is on. */
export function switcher(label: string, options: [value: string, text: string][], chosen: string, run: (value: string) => void): HTMLElement {
  const buttons = options.map(([value, text]) => {
    const made = element("button", { type: "button", "aria-pressed": String(value === chosen) }, text);
    made.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === made)));
      run(value);
    });
    return made;
  });
  return element("div", { class: "chart-switch", role: "group", "aria-label": label }, ...buttons);
}

/** A short line with the colour and the dashes of a curve. */
export function swatch(colour: string, dash: readonly number[] = [], kind: "line" | "band" = "line"): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("class", "chart-swatch");
  picture.setAttribute("viewBox", "0 0 26 10");
  picture.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(space, kind === "line" ? "line" : "rect");
  const where = kind === "line" ? { x1: 0, y1: 5, x2: 26, y2: 5 } : { x: 0, y: 0, width: 26, height: 10 };
  for (const [key, value] of Object.entries(where)) shape.setAttribute(key, String(value));
  shape.setAttribute(kind === "line" ? "stroke" : "fill", colour);
  if (kind === "line") shape.setAttribute("stroke-width", "2.5");
  if (kind === "line" && dash.length) shape.setAttribute("stroke-dasharray", dash.join(" "));
  picture.append(shape);
  return picture;
}

/** Run at most once in so many milliseconds, the last call always. */
export function throttled(run: () => void, pause: number): () => void {
  let last = -Infinity;
  let waiting: ReturnType<typeof setTimeout> | null = null;
  const go = () => {
    waiting = null;
    last = performance.now();
    run();
  };
  return () => {
    if (waiting !== null) return;
    const rest = pause - (performance.now() - last);
    if (rest <= 0) go();
    else waiting = setTimeout(go, rest);
  };
}
