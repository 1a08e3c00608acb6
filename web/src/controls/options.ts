/** The scale of colours and the arrows: what they mean, and how they can be changed. */
import type { Report } from "../data";
import { h, setText } from "../dom";
import { decimalsFor, fixed, niceStep, scaleFor, text } from "../format";
import type { ArrowScale } from "../stage/arrows";
import { BEARING, FRICTION, NORMAL, type TensionScale } from "../stage/colours";
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
  const mode = h("select", { "aria-label": "Range of the colours" });
  for (const [value, label] of [["run", "whole run"], ["instant", "this instant"], ["typed", "typed limits"]]) mode.append(h("option", { value: value! }, label!)); // prettier-ignore
  const low = h("input", { type: "number", step: "any", "aria-label": "Lower limit of the colours" });
  const high = h("input", { type: "number", step: "any", "aria-label": "Upper limit of the colours" });
  const unit = h("span", { class: "unit" });
  const typed = h("span", { class: "typed" }, low, " to ", high, unit);
  let typedFactor = 1;
  mode.addEventListener("change", () => {
    if (mode.value === "typed") {
      settings.limits.value = [scale.low, scale.high];
      const s = scaleFor(Math.max(Math.abs(scale.low), Math.abs(scale.high)), "N");
      typedFactor = s.factor;
      setText(unit, ` ${s.unit}`);
      low.value = String(Number((scale.low * s.factor).toPrecision(3)));
      high.value = String(Number((scale.high * s.factor).toPrecision(3)));
    }
    settings.range.value = mode.value as RangeMode;
  });
  const take = (): void => {
    const [a, b] = [Number(low.value) / typedFactor, Number(high.value) / typedFactor];
    const good = low.value !== "" && high.value !== "" && a < b;
    for (const input of [low, high]) input.setAttribute("aria-invalid", String(!good));
    if (good) settings.limits.value = [a, b];
  };
  low.addEventListener("input", take);
  high.addEventListener("input", take);
  effect(() => {
    typed.hidden = settings.range.value !== "typed";
    void settings.limits.value;
    redraw();
  });

  const box = h("div", { class: "colour-box" }, now, bar, ticks);
  const legend = h("legend", {}, "Tension of the links");
  const choice = h("label", { class: "row" }, h("span", { class: "name" }, "Colours over "), mode);
  let drawn = "";
  const update = (views: StageView[]): void => {
    if (!hasTension(views)) {
      setText(nowText, "The run kept no tension of the links (channel link_tension).");
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
      setText(legend, `Tension of the links [${unitScale.unit}]`);
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

function legendArrow(colour: string, pixels: number): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const width = Math.max(6, Math.round(pixels));
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", "10");
  svg.setAttribute("viewBox", `0 0 ${width} 10`);
  svg.setAttribute("class", "legend-arrow");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", `M0 5H${width - 5}M${width} 5l-7 -3.2v6.4z`);
  path.setAttribute("stroke", colour);
  path.setAttribute("fill", colour);
  path.setAttribute("stroke-width", "1.6");
  svg.append(path);
  return svg;
}

export interface ArrowPanel {
  element: HTMLElement;
  /** Show what arrows of this scale mean. factor: on their usual length; perPitch: force of an arrow in space as long as a pitch [N]. */
  update(scales: { contact: ArrowScale; bearing: ArrowScale }, factor: number, perPitch: number | null): void;
}

export function makeArrowPanel(report: Report): ArrowPanel {
  const results = report.results;
  const check = (signal: { value: boolean }, label: string): [HTMLElement, HTMLInputElement] => {
    const input = h("input", { type: "checkbox" });
    input.addEventListener("change", () => (signal.value = input.checked));
    effect(() => {
      input.checked = signal.value;
    });
    return [h("label", { class: "check" }, input, label), input];
  };
  const guides = results.some((r) => r.header.drive.guides.length);
  const [contact, contactInput] = check(settings.contactForces, "contact forces on rollers");
  const [bearing, bearingInput] = check(settings.bearingForces, guides ? "forces on bearings and guides" : "forces on bearings");
  const [labels] = check(settings.labels, "names");
  const [side, sideInput] = check(settings.sideForces, "forces of teeth on the sides of plates");
  const sideLegend = h("p", { class: "legend space-only" });
  for (const each of [contact, bearing]) each.classList.add("plane-only");
  side.classList.add("space-only");
  const contactLegend = h("p", { class: "legend plane-only" });
  const bearingLegend = h("p", { class: "legend plane-only" });
  const size = (factor: number, label: string, sign: string): HTMLElement => h("button", { type: "button", class: "tool text", "aria-label": label, title: label, onclick: () => (settings.arrows.value = Math.min(16, Math.max(1 / 16, settings.arrows.value * factor))) }, sign);

  const why = (channel: string, forces: string): string => {
    const reason = results.map((r) => r.header.absent?.[channel]).find(Boolean);
    return reason ? `No ${forces}: ${reason}.` : `The run kept no ${forces} (channel ${channel}).`;
  };
  let drawn = "";
  const update = (latest: { contact: ArrowScale; bearing: ArrowScale }, factor: number, perPitch: number | null): void => {
    const [withContact, withBearing] = [settings.contactForces.value, settings.bearingForces.value];
    const key = JSON.stringify([latest.contact.reference(factor), latest.bearing.reference(factor), withContact, withBearing, perPitch, settings.sideForces.value, store.colours.value]);
    if (key === drawn) return;
    drawn = key;
    sideInput.disabled = !results.some((r) => r.frames.sideForce);
    sideLegend.hidden = !settings.sideForces.value && !sideInput.disabled;
    if (sideInput.disabled) setText(sideLegend, why("side_force", "side forces"));
    else sideLegend.replaceChildren(...(perPitch ? [h("span", { class: "legend-item" }, legendArrow(NORMAL, 24), ` ${text(perPitch, "N", 2)} as long as a pitch`)] : []));
    const hasContact = results.some((r) => r.frames.contactForce && r.frames.contactDirection);
    const hasBearing = results.some((r) => r.frames.bearingForce || r.frames.guideForce);
    contactInput.disabled = !hasContact;
    bearingInput.disabled = !hasBearing;
    contactLegend.replaceChildren();
    bearingLegend.replaceChildren();
    contactLegend.hidden = hasContact && !withContact;
    bearingLegend.hidden = hasBearing && !withBearing;
    const line = (to: HTMLElement, scale: ArrowScale, colour: string, name: string): void => {
      const [force, pixels] = scale.reference(factor);
      if (pixels > 0) to.append(h("span", { class: "legend-item" }, legendArrow(colour, pixels), ` ${text(force, "N", 1).replace(/\.0+(?= )/, "")} ${name}`));
    };
    if (!hasContact) contactLegend.append(why("contact_force", "contact forces"));
    else {
      line(contactLegend, latest.contact, NORMAL, "normal");
      if (results.some((r) => r.frames.frictionForce)) line(contactLegend, latest.contact, FRICTION, "friction");
    }
    if (!hasBearing) bearingLegend.append(why("bearing_force", "bearing forces"));
    else line(bearingLegend, latest.bearing, BEARING, guides ? "on a bearing or guide" : "on a bearing");
  };
  const element = h(
    "fieldset",
    { class: "panel arrows" },
    h("legend", {}, "Shown"),
    contact,
    contactLegend,
    bearing,
    bearingLegend,
    side,
    sideLegend,
    labels,
    h("div", { class: "row plane-only" }, h("span", { class: "name" }, "Length of arrows"), size(0.5, "Shorter arrows", "−"), size(2, "Longer arrows", "+")),
  );
  return { element, update };
}
