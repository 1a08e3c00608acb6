/** The scale of the colours: what they mean, and how they can be changed. */
import type { Report } from "../data";
import { h, setText } from "../dom";
import { decimalsFor, fixed, niceStep, scaleFor } from "../format";
import type { TensionScale } from "../stage/colours";
import { type RangeMode, settings } from "../stage/settings";
import type { StageView } from "../stage/view";
import { effect, store } from "../store";

export interface ColourPanel {
  element: HTMLElement;
  /** Set the scale for the moment and show it. */
  update(views: StageView[]): void;
}

/** Least and largest tension of the results shown, over the run. */
function wholeRun(report: Report): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const result of report.results) {
    if (store.visible.value[result.index] === false) continue;
    low = Math.min(low, result.tensionRange[0]);
    high = Math.max(high, result.tensionRange[1]);
  }
  return low <= high ? [low, high] : [0, 1];
}

function instant(views: StageView[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const view of views) {
    if (store.visible.value[view.result.index] === false || !view.result.frames.count) continue;
    for (const tension of view.moment.tension) {
      if (tension < low) low = tension;
      if (tension > high) high = tension;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

/** False when frames are there, but no run kept the tension of its links. */
function hasTension(views: StageView[]): boolean {
  const filled = views.filter((view) => view.result.frames.count);
  return !filled.length || filled.some((view) => view.moment.tension.some((tension) => !Number.isNaN(tension)));
}

export function makeColourPanel(report: Report, scale: TensionScale, redraw: () => void): ColourPanel {
  const bar = h("div", { class: "colour-bar" });
  bar.style.background = `linear-gradient(to right, ${report.header.colours.tension.join(",")})`;
  const now = h("div", { class: "colour-now" });
  const ticks = h("div", { class: "colour-ticks" });
  const nowText = h("p", { class: "remark" });
  const mode = h("select", { "aria-label": "Range of the colour scale" });
  for (const [value, label] of [["run", "whole run"], ["instant", "this frame"], ["typed", "fixed limits"]]) mode.append(h("option", { value: value! }, label!)); // prettier-ignore
  const low = h("input", { type: "number", step: "any", "aria-label": "Lower limit of the colour scale" });
  const high = h("input", { type: "number", step: "any", "aria-label": "Upper limit of the colour scale" });
  const unit = h("span", { class: "unit" });
  const typed = h("span", { class: "typed" }, low, " to ", high, unit);
  let typedFactor = 1;
  mode.addEventListener("change", () => {
    if (mode.value === "typed") {
      settings.limits.value = [scale.low, scale.high];
      show(3);
      take();
    }
    settings.range.value = mode.value as RangeMode;
  });
  /** Write the limits into the fields, in the unit that fits them. */
  const show = (digits: number): void => {
    const limits = settings.limits.peek();
    const s = scaleFor(Math.max(...limits.map(Math.abs)), "N");
    typedFactor = s.factor;
    setText(unit, ` ${s.unit}`);
    [low.value, high.value] = limits.map((limit) => String(Number((limit * s.factor).toPrecision(digits)))) as [string, string];
  };
  const take = (): void => {
    const [a, b] = [Number(low.value) / typedFactor, Number(high.value) / typedFactor];
    const good = low.value !== "" && high.value !== "" && a < b;
    for (const input of [low, high]) input.setAttribute("aria-invalid", String(!good));
    if (good) settings.limits.value = [a, b];
  };
  const written = (): string => [low, high].map((input) => Number(input.value) / typedFactor).join();
  low.addEventListener("input", take);
  high.addEventListener("input", take);
  effect(() => {
    mode.value = settings.range.value;
    typed.hidden = settings.range.value !== "typed";
    if (!typed.hidden && written() !== settings.limits.value.join()) show(9); // they did not come from the fields
    redraw();
  });

  const box = h("div", { class: "colour-box" }, now, bar, ticks);
  const legend = h("legend", {}, "Link tension");
  const choice = h("label", { class: "row" }, h("span", { class: "name" }, "Colour scale over "), mode);
  let drawn = "";
  const update = (views: StageView[]): void => {
    if (!hasTension(views)) {
      setText(nowText, "The run did not keep the link tensions (channel link_tension).");
      for (const part of [box, choice, typed]) part.hidden = true;
      return;
    }
    const current = instant(views);
    const range = settings.range.value === "run" ? wholeRun(report) : settings.range.value === "instant" ? current : settings.limits.value;
    scale.set(range[0], range[1]);
    const unitScale = scaleFor(Math.max(Math.abs(scale.low), Math.abs(scale.high)), "N");
    const length = scale.high - scale.low;
    const key = `${scale.low} ${scale.high}`;
    if (key !== drawn) {
      drawn = key;
      const step = niceStep(length * unitScale.factor, 4);
      const decimals = decimalsFor(step);
      ticks.replaceChildren();
      for (let k = Math.ceil((scale.low * unitScale.factor) / step - 1e-6); k * step <= scale.high * unitScale.factor * (1 + 1e-9) + 1e-12; k++) {
        const tick = h("span", {}, (k * step).toFixed(decimals).replace("-", "−"));
        tick.style.left = `${(100 * ((k * step) / unitScale.factor - scale.low)) / length}%`;
        ticks.append(tick);
      }
      setText(legend, `Link tension [${unitScale.unit}]`);
    }
    const part = (v: number): number => Math.min(100, Math.max(0, (100 * (v - scale.low)) / length));
    now.style.left = `${part(current[0])}%`;
    now.style.width = `${Math.max(0.5, part(current[1]) - part(current[0]))}%`;
    const decimals = decimalsFor((length * unitScale.factor) / 1000);
    setText(nowText, `now ${fixed(current[0], unitScale, decimals)} to ${fixed(current[1], unitScale, decimals)} ${unitScale.unit}`);
  };
  const element = h(
    "fieldset",
    { class: "panel colours" },
    legend,
    box,
    nowText,
    choice,
    typed,
  );
  return { element, update };
}
