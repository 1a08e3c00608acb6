/** Pointer over the drawing in space: turning, moving, zooming, picking. */
import type { Picture } from "./contract";

/** So far a pointer may move in a click [px]. */
const STILL = 5;
/** Radians for a drag over the height of the canvas. */
const TURN = Math.PI;

export interface Gestures {
  /** A drag or a pinch goes on. */
  readonly busy: boolean;
}

export function listenTo(canvas: HTMLCanvasElement, picture: Pick<Picture, "turnBy" | "panBy" | "zoomBy">, clicked: (event: MouseEvent) => void, hovered: (event: PointerEvent | null) => void): Gestures {
  const down = new Map<number, { x: number; y: number }>();
  let moved = 0;
  /** True after the pointer has moved over the canvas since the page was scrolled: then the wheel zooms. */
  let armed = false;
  window.addEventListener("scroll", () => (armed = false), { passive: true });
  const height = (): number => Math.max(1, canvas.clientHeight);

  const spread = (): [number, number, number] => {
    const [a, b] = [...down.values()];
    return [(a!.x + b!.x) / 2, (a!.y + b!.y) / 2, Math.hypot(b!.x - a!.x, b!.y - a!.y)];
  };

  canvas.addEventListener("pointerdown", (event) => {
    armed = true;
    if (down.size === 0) moved = 0;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    hovered(null);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.movementX || event.movementY) armed = true;
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") hovered(event);
      return;
    }
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    moved += Math.abs(dx) + Math.abs(dy);
    if (down.size === 2) {
      const [x0, y0, apart] = spread();
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const [x1, y1, now] = spread();
      if (apart > 0 && now > 0) picture.zoomBy(now / apart);
      picture.panBy(x1 - x0, y1 - y0);
      return;
    }
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (moved < STILL) return;
    const moving = (event.buttons & 6) !== 0 || event.shiftKey;
    if (moving) picture.panBy(dx, dy);
    else picture.turnBy((-dx / height()) * TURN, (dy / height()) * TURN);
  });
  const up = (event: PointerEvent): void => {
    down.delete(event.pointerId);
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => hovered(null));
  canvas.addEventListener("contextmenu", (event) => moved > STILL && event.preventDefault());
  canvas.addEventListener("click", (event) => {
    if (moved <= STILL) clicked(event);
  });
  canvas.addEventListener("dblclick", (event) => picture.zoomBy(event.shiftKey ? 0.5 : 2));
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!armed && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 24 : 1;
      picture.zoomBy(2 ** (-event.deltaY * lines * (event.ctrlKey ? 10 : 1) * 0.002));
    },
    { passive: false },
  );
  return {
    get busy() {
      return down.size > 0;
    },
  };
}
