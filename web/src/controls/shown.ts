/** What is shown besides the chain: arrows with their scales, names, badges, enlarged motion. */
import { switcher } from "../charts/html";
import type { LoadedResult, Report } from "../data";
import { h, setText } from "../dom";
import { text } from "../format";
import type { ArrowScale, ArrowScales } from "../stage/arrows";
import { BEARING, FRICTION, JOINT, NORMAL, TENSIONER } from "../stage/colours";
import { Course, FACTORS } from "../stage/enlargement";
import { settings } from "../stage/settings";
import { effect, store } from "../store";

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

/** Longest arrows, and the inverse of the shortest, by their usual length. */
export const MOST_ARROWS = 16;

export interface ShownPanel {
  element: HTMLElement;
  /** Show what arrows of this scale mean. factor: on their usual length; perPitch: force of an arrow in space as long as a pitch [N]. */
  update(scales: ArrowScales, factor: number, perPitch: number | null): void;
}

/** A kind of arrows: whether a result has them, what they are called, and the channel that was not kept where none has. */
interface Kind {
  setting: { value: boolean };
  label: string;
  scale: keyof ArrowScales;
  entries: { colour: string; name: string; there: (result: LoadedResult) => boolean }[];
  channel: string;
  forces: string;
  /** Only drives with such parts have them. */
  parts: boolean;
}

function kindsOf(results: LoadedResult[]): Kind[] {
  const guides = results.some((r) => r.header.drive.guides.length);
  const tensioners = results.some((r) => r.header.drive.tensioners.length);
  const bodies = results.some((r) => r.header.drive.bodies.length);
  return [
    {
      setting: settings.contactForces, label: "contact forces on rollers", scale: "contact", channel: "contact_force", forces: "contact forces", parts: results.some((r) => !r.header.drive.sheaves),
      entries: [
        { colour: NORMAL, name: "normal", there: ({ frames }) => Boolean(frames.contactForce && frames.contactDirection) },
        { colour: FRICTION, name: "friction", there: ({ frames }) => Boolean(frames.contactForce && frames.frictionForce) },
      ],
    },
    {
      setting: settings.bearingForces, label: guides ? "forces on bearings and guides" : "forces on bearings", scale: "bearing", channel: "bearing_force", forces: "bearing forces", parts: true,
      entries: [{ colour: BEARING, name: guides ? "on a bearing or guide" : "on a bearing", there: ({ frames }) => Boolean(frames.bearingForce || frames.guideForce) }],
    },
    {
      setting: settings.mechanismForces, label: !tensioners ? "forces in joints of bodies" : bodies ? "forces of tensioners and in joints" : "forces of tensioners", scale: "mechanism",
      channel: tensioners ? "tensioner_force" : "joint_force", forces: "forces of tensioners and joints", parts: tensioners || bodies,
      entries: [
        { colour: TENSIONER, name: "of a tensioner", there: ({ frames, header }) => Boolean(frames.tensionerForce && header.drive.tensioners.length) },
        { colour: JOINT, name: "of a body on its joint", there: ({ frames, header }) => Boolean(frames.jointForce && header.drive.bodies.length) },
      ],
    },
  ]; // prettier-ignore
}

function check(signal: { value: boolean }, label: string): [HTMLElement, HTMLInputElement] {
  const input = h("input", { type: "checkbox" });
  input.addEventListener("change", () => (signal.value = input.checked));
  effect(() => {
    input.checked = signal.value;
  });
  return [h("label", { class: "check" }, input, label), input];
}

export function makeShownPanel(report: Report): ShownPanel {
  const { results } = report;
  const kinds = kindsOf(results).filter((kind) => kind.parts);
  const rows = kinds.map((kind) => {
    const [label, input] = check(kind.setting, kind.label);
    label.classList.add("plane-only");
    return { kind, label, input, legend: h("p", { class: "legend plane-only" }) };
  });
  const [side, sideInput] = check(settings.sideForces, "side forces of teeth on plates");
  side.classList.add("space-only");
  const sideLegend = h("p", { class: "legend space-only" });
  const size = (factor: number, label: string, sign: string): HTMLElement => h("button", { type: "button", class: "tool text", "aria-label": label, title: label, onclick: () => (settings.arrows.value = Math.min(MOST_ARROWS, Math.max(1 / MOST_ARROWS, settings.arrows.value * factor))) }, sign);
  const why = (channel: string, forces: string): string => {
    const reason = results.map((r) => r.header.absent?.[channel]).find(Boolean);
    return reason ? `No ${forces}: ${reason}.` : `The run did not keep ${forces} (channel ${channel}).`;
  };
  let drawn = "";
  const update = (scales: ArrowScales, factor: number, perPitch: number | null): void => {
    const colours = kindsOf(results);
    const waiting = !results.some((r) => r.frames.count); // a live page before its first frame: what the run keeps is not known yet
    const key = JSON.stringify([waiting, rows.map(({ kind }) => [scales[kind.scale].reference(factor), kind.setting.value]), perPitch, settings.sideForces.value, store.colours.value]);
    if (key === drawn) return;
    drawn = key;
    sideInput.disabled = !results.some((r) => r.frames.sideForce);
    sideLegend.hidden = waiting || (!settings.sideForces.value && !sideInput.disabled);
    if (sideInput.disabled) setText(sideLegend, why("side_force", "side forces"));
    else sideLegend.replaceChildren(...(perPitch ? [entry(NORMAL, 24, `${text(perPitch, "N", 2)} per pitch of arrow length`)] : []));
    for (const { kind, input, legend } of rows) {
      const { entries } = colours.find((one) => one.scale === kind.scale)!;
      const there = entries.filter((each) => results.some(each.there));
      input.disabled = !there.length;
      legend.hidden = waiting || (there.length > 0 && !kind.setting.value);
      const [force, pixels] = (scales[kind.scale] satisfies ArrowScale).reference(factor);
      if (!there.length) legend.replaceChildren(why(kind.channel, kind.forces));
      else legend.replaceChildren(...(pixels > 0 ? there.map(({ colour, name }) => entry(colour, pixels, `${text(force, "N", 1).replace(/\.0+(?= )/, "")} ${name}`)) : []));
    }
  };
  const element = h(
    "fieldset",
    { class: "panel arrows" },
    h("legend", {}, "Shown"),
    ...rows.flatMap(({ label, legend }) => [label, legend]),
    side,
    sideLegend,
    h("div", { class: "row plane-only" }, h("span", { class: "name" }, "Arrow length"), size(0.5, "Shorter arrows", "−"), size(2, "Longer arrows", "+")),
    ...makeTexts(results),
    ...makeEnlargement(results),
  );
  return { element, update };
}

function entry(colour: string, pixels: number, words: string): HTMLElement {
  return h("span", { class: "legend-item" }, legendArrow(colour, pixels), ` ${words}`);
}

/** Names, and what stands beside the parts at the moment. */
function makeTexts(results: LoadedResult[]): HTMLElement[] {
  const [names] = check(settings.labels, "names");
  const [tensions, tensionsInput] = check(settings.tensions, "span tension, mean and current");
  const [speeds, speedsInput] = check(settings.speeds, "wheel speed");
  for (const each of [tensions, speeds]) each.classList.add("plane-only");
  effect(() => {
    void store.version.value;
    tensionsInput.disabled = !results.some((r) => r.frames.spanTension && r.header.drive.spans.length);
    speedsInput.disabled = !results.some((r) => r.frames.wheelSpeed);
  });
  return [names, tensions, speeds];
}

/** The factor on the motion of the spans, and what it is measured from. */
function makeEnlargement(results: LoadedResult[]): HTMLElement[] {
  const having = results.filter((result) => new Course(result).known);
  if (!having.length) return [];
  const buttons = switcher("Magnification of the transverse motion of the spans", FACTORS.map((factor): [string, string] => [String(factor), `× ${factor}`]), String(settings.enlarged.value), (value) => (settings.enlarged.value = Number(value)));
  effect(() => {
    for (const button of buttons.children) button.setAttribute("aria-pressed", String(button.textContent === `× ${settings.enlarged.value}`));
  });
  const windows = having.map(({ header }) => {
    const { start, stop, steady } = header.view!;
    return `${results.length > 1 ? `${header.label}: ` : ""}${text(start, "s", 4)} to ${text(stop, "s", 4)}${steady ? ", the steady part" : ""}`;
  });
  const remark = h("p", { class: "remark plane-only" }, `Drawn about the mean from ${windows.join("; ")}; a thin line shows that mean.`);
  effect(() => {
    remark.hidden = settings.enlarged.value === 1;
  });
  return [h("div", { class: "row plane-only" }, h("span", { class: "name" }, "Span motion"), buttons), remark];
}
