/** The drawing with its transport on the whole screen. */
import { h, icon } from "../dom";

const GROW = "M13 4h7v7h-2V7.4l-4.3 4.3-1.4-1.4L16.6 6H13zM4 13h2v3.6l4.3-4.3 1.4 1.4L7.4 18H11v2H4z";
const SHRINK = "M14 4v4.6L19.3 3.3l1.4 1.4L15.4 10H20v2h-8V4zM12 14v8h-2v-4.6l-5.3 5.3-1.4-1.4L8.6 16H4v-2z";

export interface FullScreen {
  /** Null where the browser shows nothing on its whole screen. */
  button: HTMLElement | null;
  toggle(): void;
  readonly on: boolean;
}

/** changed: the element has got another size. */
export function makeFullScreen(element: HTMLElement, changed: () => void): FullScreen {
  const on = (): boolean => document.fullscreenElement === element;
  const toggle = (): void => {
    if (on()) void document.exitFullscreen();
    else if (document.fullscreenEnabled) element.requestFullscreen().catch((problem: unknown) => console.info(problem)); // the browser may refuse
  };
  const full = { toggle, get on() { return on(); } }; // prettier-ignore
  if (!document.fullscreenEnabled) return { button: null, ...full };
  const picture = icon(GROW);
  const button = h("button", { type: "button", class: "tool", onclick: toggle }, picture);
  const show = (): void => {
    const label = on() ? "Exit full screen (F)" : "Full screen (F)";
    button.title = label;
    button.setAttribute("aria-label", label);
    picture.firstElementChild!.setAttribute("d", on() ? SHRINK : GROW);
  };
  show();
  document.addEventListener("fullscreenchange", () => {
    show();
    changed();
  });
  return { button, toggle, get on() { return on(); } }; // prettier-ignore
}
