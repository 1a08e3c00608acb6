/** Play, scrub, step, speed. */
import type { Report } from "../data";
import { h, icon, setText } from "../dom";
import { decimalsFor, number } from "../format";
import type { Player, Speed } from "../stage/player";
import type { StageView } from "../stage/view";
import { effect, store } from "../store";

const ICONS = {
  start: "M6 5h2.5v14H6zM20 5v14L9.5 12z",
  back: "M15 5v14L6 12zM16.5 5H19v14h-2.5z",
  play: "M7 4.5v15L20 12z",
  pause: "M6.5 5H10v14H6.5zM14 5h3.5v14H14z",
  forward: "M9 5v14l9-7zM5 5h2.5v14H5z",
  end: "M15.5 5H18v14h-2.5zM4 5v14l10.5-7z",
};

export interface Transport {
  element: HTMLElement;
  /** Show the moment. */
  update(views: StageView[]): void;
  /** To the next slower or faster speed. */
  slower(): void;
  faster(): void;
  /** Other speeds to choose from. */
  offer(speeds: { choices: Speed[]; standard: number }): void;
}

function button(path: string, label: string, act: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: act }, icon(path));
}

export function makeTransport(report: Report, player: Player, speeds: { choices: Speed[]; standard: number }): Transport {
  const play = h("button", { type: "button", class: "tool primary", onclick: () => player.toggle() });
  const playIcon = icon(ICONS.play);
  play.append(playIcon);
  effect(() => {
    const label = store.playing.value ? "Pause (space)" : "Play (space)";
    play.setAttribute("aria-label", label);
    play.title = label;
    playIcon.firstElementChild!.setAttribute("d", store.playing.value ? ICONS.pause : ICONS.play);
  });

  const scrub = h("input", { type: "range", class: "scrub", min: 0, step: 1, value: 0, "aria-label": "Time of the animation" });
  scrub.addEventListener("input", () => player.go(Number(scrub.value)));

  const speed = h("select", { class: "speed", "aria-label": "Speed of the animation" });
  let values: number[] = [];
  let standard = NaN;
  const offer = (given: { choices: Speed[]; standard: number }): void => {
    const untouched = Number.isNaN(standard) || store.speed.value === standard;
    values = given.choices.map((choice) => choice.value);
    speed.replaceChildren(...given.choices.map((choice, k) => h("option", { value: k }, choice.label)));
    standard = given.standard;
    if (untouched) store.speed.value = standard;
    speed.value = String(values.indexOf(store.speed.value));
  };
  offer(speeds);
  speed.addEventListener("change", () => (store.speed.value = values[Number(speed.value)]!));
  effect(() => {
    speed.value = String(values.indexOf(store.speed.value));
  });
  const change = (by: number): void => {
    const now = values.indexOf(store.speed.value);
    store.speed.value = values[Math.min(values.length - 1, Math.max(0, now + by))]!;
  };

  const repeat = h("input", { type: "checkbox" });
  effect(() => {
    repeat.checked = store.repeat.value;
  });
  repeat.addEventListener("change", () => (store.repeat.value = repeat.checked));

  const clock = h("span", { class: "clock" });
  const count = h("span", { class: "count" });
  const element = h(
    "div",
    { class: "transport", role: "group", "aria-label": "Animation" },
    h(
      "div",
      { class: "bar" },
      h(
        "div",
        { class: "buttons" },
        button(ICONS.start, "First frame (Home)", () => player.go(0)),
        button(ICONS.back, "Previous frame (←)", () => player.step(-1)),
        play,
        button(ICONS.forward, "Next frame (→)", () => player.step(1)),
        button(ICONS.end, "Last frame (End)", () => player.go(player.times.length - 1)),
      ),
      scrub,
    ),
    h(
      "div",
      { class: "more" },
      h("div", { class: "readout" }, clock, count),
      h("div", { class: "pace" }, h("label", {}, h("span", { class: "name" }, "Speed "), speed), report.header.live ? "" : h("label", { class: "check" }, repeat, "repeat")),
    ),
  );

  let decimals = 3;
  let length = -1;
  const update = (views: StageView[]): void => {
    const n = player.times.length;
    if (n !== length) {
      length = n;
      scrub.max = String(Math.max(0, n - 1));
      scrub.disabled = n < 2;
      decimals = n > 1 ? Math.max(3, decimalsFor((player.end - player.first) / (n - 1)) + 1) : 3;
    }
    const index = player.index;
    if (scrub.value !== String(index)) scrub.value = String(index);
    const shown = views.find((view) => view.result.frames.count && store.visible.value[view.result.index] !== false);
    const time = shown ? shown.moment.time : store.time.value;
    const written = `t = ${time.toFixed(decimals).replace("-", "−")} s`;
    setText(clock, written);
    setText(count, n ? `frame ${index + 1} of ${n}${shown && report.results.length === 1 ? `, row ${shown.result.frames.row[shown.moment.frame]}` : ""}` : "");
    if (!store.playing.value) scrub.setAttribute("aria-valuetext", `${number(time, 6)} seconds, frame ${index + 1} of ${n}`);
  };
  return { element, update, offer, slower: () => change(1), faster: () => change(-1) };
}
