/** Keys, while the focus is in the stage, and the panel that explains them. */
import { h, icon } from "../dom";
import type { FullScreen } from "../stage/fullscreen";
import { FACTORS } from "../stage/enlargement";
import type { Player } from "../stage/player";
import { settings } from "../stage/settings";
import { store } from "../store";
import type { PickList } from "./picklist";
import type { Transport } from "./transport";

const KEYS: [string, string][] = [
  ["space", "play, pause"],
  ["← →", "previous, next frame (with Shift: ten frames)"],
  ["Home, End", "first, last frame"],
  ["[ ]", "slower, faster"],
  ["+ −", "zoom in, out"],
  ["0", "fit the drive"],
  ["Alt + arrows", "pan"],
  ["n p", "next, previous part of the selected kind"],
  ["f", "follow the selected part, or stop following it"],
  ["a", "arrows of contact forces"],
  ["b", "arrows of forces on bearings and guides"],
  ["c", "forces of tensioners and in joints"],
  ["t, v", "tension of the spans, speed of the wheels"],
  ["m", "motion of the spans × 1, × 10, × 50"],
  ["F", "full screen"],
  ["2 3", "2-D, 3-D (drives with links in space)"],
  ["j l, i k", "3-D: orbit left, right; up, down"],
  ["Esc", "clear the selection"],
  ["?", "show these keys"],
];

const POINTER: [string, string][] = [
  ["wheel, two fingers", "zoom"],
  ["drag", "pan"],
  ["double click", "zoom in (with Shift: out)"],
  ["drag in 3-D", "orbit (with Shift, the right button or two fingers: pan); tap the drawing first to orbit with one finger"],
];

export interface Help {
  button: HTMLElement;
  open(): void;
}

/** parts: what can be selected, in words. */
export function makeHelp(parts: string): Help {
  const rows = (pairs: [string, string][]): HTMLElement[] => pairs.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what)));
  const close = h("button", { type: "button", class: "tool text" }, "Close");
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keyboard and pointer" },
    h("h3", {}, "Keyboard"),
    h("p", {}, "While the focus is in the drawing or its controls:"),
    h("table", {}, h("tbody", {}, ...rows(KEYS))),
    h("h3", {}, "Pointer"),
    h("table", {}, h("tbody", {}, ...rows([["click", `select a ${parts}`], ...POINTER]))),
    close,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  const open = (): void => dialog.showModal();
  const button = h("button", { type: "button", class: "tool", "aria-label": "Keyboard shortcuts (?)", title: "Keyboard shortcuts (?)", onclick: open });
  button.append(icon("M11 16.5h2v2.2h-2zM12 5a4.2 4.2 0 0 0-4.2 4.2h2a2.2 2.2 0 1 1 3.5 1.8c-1.3 1-2.3 1.7-2.3 4h2c0-1.5.6-1.8 1.6-2.6A4.2 4.2 0 0 0 12 5z"));
  return { button, open };
}

export interface CameraActions {
  zoomBy(factor: number): void;
  panBy(dx: number, dy: number): void;
  fit(): void;
  /** Radians; does nothing in the plane. */
  turnBy(yaw: number, pitch: number): void;
}

/** What changes between the drawing in the plane and the one in space. */
export interface SpaceSwitch {
  show(inSpace: boolean): void;
}

/** Of a key that turns the drawing in space [rad]. */
const TURN = Math.PI / 24;

/** Listen to keys inside an element. */
export function listen(root: HTMLElement, player: Player, transport: Transport, picks: PickList, camera: CameraActions, help: Help, space: SpaceSwitch | null, full: FullScreen): void {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const input = target instanceof HTMLInputElement ? target.type : target instanceof HTMLSelectElement ? "select" : target instanceof HTMLButtonElement ? "button" : "";
    const typing = input === "number" || input === "text" || input === "select";
    if (event.key === "Escape") {
      if (store.picked.value) store.picked.value = null;
      return;
    }
    if (typing) return;
    if (event.key === " " && (input === "button" || input === "checkbox")) return;
    if (input === "range" && !event.altKey && !event.shiftKey && /^(Arrow|Home|End|Page)/.test(event.key)) return; // its own
    if (act(event)) event.preventDefault();
  });

  function act(event: KeyboardEvent): boolean {
    const steps = event.shiftKey ? 10 : 1;
    if (event.altKey) {
      const move = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
      if (!move) return false;
      camera.panBy(move[0]!, move[1]!);
      return true;
    }
    switch (event.key) {
      case " ":
        player.toggle();
        return true;
      case "ArrowLeft":
        player.step(-steps);
        return true;
      case "ArrowRight":
        player.step(steps);
        return true;
      case "Home":
        player.go(0);
        return true;
      case "End":
        player.go(player.times.length - 1);
        return true;
      case "[":
        transport.slower();
        return true;
      case "]":
        transport.faster();
        return true;
      case "+":
      case "=":
        camera.zoomBy(1.5);
        return true;
      case "-":
      case "−":
        camera.zoomBy(1 / 1.5);
        return true;
      case "0":
        camera.fit();
        return true;
      case "n":
        picks.next(1);
        return true;
      case "p":
        picks.next(-1);
        return true;
      case "f":
        store.following.value = !store.following.value && store.picked.value !== null;
        return true;
      case "a":
        settings.contactForces.value = !settings.contactForces.value;
        return true;
      case "b":
        settings.bearingForces.value = !settings.bearingForces.value;
        return true;
      case "c":
        settings.mechanismForces.value = !settings.mechanismForces.value;
        return true;
      case "t":
        settings.tensions.value = !settings.tensions.value;
        return true;
      case "v":
        settings.speeds.value = !settings.speeds.value;
        return true;
      case "m":
        settings.enlarged.value = FACTORS[(FACTORS.indexOf(settings.enlarged.value) + 1) % FACTORS.length]!;
        return true;
      case "F":
        full.toggle();
        return true;
      case "2":
      case "3":
        space?.show(event.key === "3");
        return space !== null;
      case "j":
      case "l":
        camera.turnBy(event.key === "j" ? -TURN : TURN, 0);
        return true;
      case "i":
      case "k":
        camera.turnBy(0, event.key === "i" ? TURN : -TURN);
        return true;
      case "?":
        help.open();
        return true;
      default:
        return false;
    }
  }
}
