/** What lies beneath the drive: a photo, or a layer of a DXF or SVG; its scale, its strength, whether it is shown. */
import { choice as chooser } from "../charts/html";
import { h, setText } from "../dom";
import type { Point } from "../types";
import type { Board } from "./canvas";
import { lengthText } from "./drawing";
import { drawnGuide } from "./placing";
import { edit, post, selected, shown, trouble } from "./session";

interface Beneath {
  lines: Point[][];
  layers: string[];
  skipped: Record<string, number>;
}

/** Bytes of a drawing that can be sent. */
const LARGEST = 3_500_000;
const UNITS: [string, string][] = [["", "as stated in the file"], ["mm", "mm"], ["cm", "cm"], ["m", "m"], ["inch", "inch"], ["ft", "ft"]]; // prettier-ignore

function button(label: string, title: string, run: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "tool text", title, onclick: run }, label);
}

/** scale: begins to ask for two points of known distance. */
export function beneathPanel(board: Board, scale: () => void): HTMLElement {
  const { underlay } = board;
  let drawing = ""; // text of the DXF or SVG, for another layer or unit
  let [name, layer, unit] = ["", "", ""];
  let lines: Point[][] = [];
  const told = h("p", { class: "hint", role: "status" });
  const choices = h("div", { class: "row" });
  const file = h("input", { type: "file", accept: "image/*,.dxf,.svg", "aria-label": "Background picture or drawing" });

  const read = async (): Promise<void> => {
    trouble.value = "";
    const found = await post<Beneath>("beneath", { text: drawing, layer: layer || null, unit: unit || null });
    if (!found) return;
    lines = found.lines;
    underlay.takeLines(lines);
    board.fit();
    const [left, right, bottom, top] = underlay.extent as [number, number, number, number];
    const skipped = Object.entries(found.skipped).map(([kind, count]) => `${count} ${kind}`).join(", "); // prettier-ignore
    setText(told, `${lengthText(right - left)} by ${lengthText(top - bottom)}${skipped ? `; not shown: ${skipped}` : ""}`);
    const layers = [["", "all layers"], ...found.layers.map((name) => [name, name])] as [string, string][];
    choices.replaceChildren(
      chooser("Layer", layers, layer, (chosen) => ((layer = chosen), void read())),
      chooser("Unit", UNITS, unit, (chosen) => ((unit = chosen), void read())),
      button("Create rail", "A guide that is read from this layer: one curve of lines and arcs", () => void rail()),
    );
  };

  /** The drawing is kept beside the drive, whose file names it. */
  const rail = async (): Promise<void> => {
    trouble.value = "";
    const { scale, origin } = underlay.place;
    if (scale !== 1) return void (trouble.value = "A rail has the size stated in its file: choose the unit of the file instead of changing the scale.");
    const guide = drawnGuide(name, layer, unit, lines, origin, shown.value!.sketch);
    if ((await post("drawing", { name, text: drawing })) && (await edit([guide.change], guide.label))) selected.value = guide.path;
  };

  const take = async (given: File): Promise<void> => {
    choices.replaceChildren();
    setText(told, "");
    if (!/\.(dxf|svg)$/i.test(given.name)) {
      const { camera } = board;
      const middle = camera.world(camera.width / 2, camera.height / 2);
      await underlay.takePicture(given, middle, (0.8 * camera.width) / camera.scale).catch(() => (trouble.value = `${given.name} cannot be shown: the browser does not support this kind of picture.`));
    } else if (given.size > LARGEST) trouble.value = `${given.name} is too large; save only the layers that you need.`;
    else {
      [drawing, name, layer, unit] = [await given.text(), given.name, "", ""];
      await read();
    }
  };
  file.addEventListener("change", () => void (file.files?.[0] && take(file.files[0])));

  const visible = h("input", { type: "checkbox", checked: underlay.visible });
  visible.addEventListener("change", () => {
    underlay.visible = visible.checked;
    underlay.keep();
    board.redraw();
  });
  const opacity = h("input", { type: "range", min: 0.1, max: 1, step: 0.05, value: underlay.opacity, "aria-label": "Opacity of the background" });
  opacity.addEventListener("input", () => {
    underlay.opacity = Number(opacity.value);
    board.redraw();
  });
  opacity.addEventListener("change", () => underlay.keep());
  const remove = (): void => {
    underlay.remove();
    file.value = "";
    choices.replaceChildren();
    setText(told, "");
  };
  return h(
    "details",
    { class: "beneath" },
    h("summary", {}, "Background drawing or photo"),
    h("div", { class: "row" }, file, h("label", {}, visible, " Show"), opacity, button("Scale", "Click two points whose distance is known", scale), button("Remove it", "Remove the background", remove)),
    choices,
    told,
  );
}

/** After two clicks on what lies beneath: their distance, and where the first one is. */
export function askScale(board: Board, box: HTMLElement, first: Point, second: Point): void {
  const distance = h("input", { type: "number", min: 0, step: "any", "aria-label": "Distance in mm" });
  const [x, y] = ["x", "y"].map((axis) => h("input", { type: "number", step: "any", value: 0, "aria-label": `${axis} of the first point in mm` }));
  const close = (): void => {
    box.replaceChildren();
    board.escape();
  };
  const take = (): void => {
    if (!(Number(distance.value) > 0)) return void distance.focus();
    board.underlay.fit(first, second, Number(distance.value) / 1000, [Number(x!.value) / 1000, Number(y!.value) / 1000]);
    close();
    board.fit();
  };
  const form = h("form", { class: "row", onsubmit: (event: Event) => (event.preventDefault(), take()) }, h("label", {}, "They are ", distance, " mm apart,"), h("label", {}, " the first one is at ", x!, y!, " mm "), h("button", { type: "submit", class: "tool text primary" }, "Scale"), button("Cancel", "", close)); // prettier-ignore
  box.replaceChildren(form);
  distance.focus();
}
