/** The bar over the drawing where links move in space: drawing in the plane or in space, from where, how far stretched. */
import { h, setText } from "../dom";
import { decimalsFor } from "../format";
import type { Look, Sight } from "../space/contract";
import { settings } from "../stage/settings";
import type { StageView } from "../stage/view";
import { effect } from "../store";

export interface SpaceBar {
  element: HTMLElement;
  show(inSpace: boolean): void;
  /** Say what the grid means. */
  update(): void;
}

const LOOKS: [Look, string, string][] = [
  ["oblique", "Oblique", "From the front, the left and above"],
  ["side", "Side", "From the side, as in 2-D"],
  ["above", "Above", "From above: the chain line"],
  ["along", "Along", "Along the chain"],
];
export const STRETCHES = [1, 5, 20];
const IN_THE_PLANE = "Shown in 2-D.";

/** Null where no result has links in space. */
export function makeSpaceBar(views: StageView[], shown: () => StageView[], request: () => void): SpaceBar | null {
  if (!views.some((view) => view.spatial)) return null;
  const pressed = (button: HTMLElement, is: boolean): void => button.setAttribute("aria-pressed", String(is));
  const plane = h("button", { type: "button", class: "tool text", title: "Show in 2-D (2)", onclick: () => show(false) }, "2-D");
  const space = h("button", { type: "button", class: "tool text", title: "Show in 3-D (3)", onclick: () => show(true) }, "3-D");
  const said = h("p", { class: "space-said", role: "status" });
  const looks = LOOKS.map(([look, label, title]) => h("button", { type: "button", class: "tool text", title, "aria-label": title, onclick: () => from(look) }, label));
  const stretch = h("select", { "aria-label": "Scale of distances out of the plane" }, ...STRETCHES.map((factor) => h("option", { value: factor }, `depth × ${factor}`)));
  stretch.addEventListener("change", () => (settings.stretch.value = Number(stretch.value)));
  const parallel = check("parallel projection", settings.parallel);
  const more = h("div", { class: "space-more" }, stretch, h("div", { class: "space-looks", role: "group", "aria-label": "Viewpoint" }, ...looks));
  const element = h("div", { class: "space-bar" }, h("div", { class: "space-switch", role: "group", "aria-label": "Drawing" }, plane, space), more, said, parallel);

  function show(inSpace: boolean): void {
    if (!inSpace || space.disabled) {
      settings.inSpace.value = false;
      return;
    }
    try {
      for (const view of views) view.openSpace(request, share);
    } catch (problem) {
      console.info(problem);
      for (const view of views) view.space = null;
      space.disabled = true;
      setText(said, `3-D needs WebGL 2, which this browser does not support or has disabled. ${IN_THE_PLANE}`);
      return;
    }
    settings.inSpace.value = true;
  }

  /** All drawings are seen from the same place. */
  function share(source: StageView, sight: Sight): void {
    for (const view of views) if (view !== source) view.space?.assume(sight);
  }

  function from(look: Look): void {
    // a misalignment can be measured by eye without perspective only
    if (look !== "oblique") settings.parallel.value = true;
    else settings.parallel.value = false;
    shown()[0]?.space?.look(look);
  }

  const update = (): void => {
    if (space.disabled) return;
    const picture = shown().find((view) => view.shownInSpace)?.space;
    if (!picture) return setText(said, IN_THE_PLANE);
    const [x, z] = picture.grid.map((step) => `${(1000 * step).toFixed(decimalsFor(1000 * step))} mm`);
    const grid = x === z ? `Grid ${x}` : `Grid ${x}, out of the plane ${z}`;
    setText(said, `${grid}. Blue line: drawing plane.`);
  };
  effect(() => {
    const inSpace = settings.inSpace.value;
    pressed(plane, !inSpace);
    pressed(space, inSpace);
    more.hidden = parallel.hidden = !inSpace;
    stretch.value = String(settings.stretch.value);
    update();
  });
  return { element, show, update };
}

function check(label: string, signal: { value: boolean }): HTMLElement {
  const input = h("input", { type: "checkbox" });
  input.addEventListener("change", () => (signal.value = input.checked));
  effect(() => {
    input.checked = signal.value;
  });
  return h("label", { class: "check" }, input, label);
}
