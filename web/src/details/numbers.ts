/** The numbers of a part at the moment, as text with units. */
import type { LoadedResult } from "../data";
import { number, text } from "../format";
import { surfaceName, rollerGap, zonesAt } from "../stage/parts";
import { linksOf, type Moment, spanLinks, wrap } from "../stage/moment";
import type { Pick } from "../store";
import type { ArrayRef } from "../types";

export interface Row {
  label: string;
  value: string;
}

const NOT_KEPT = "not kept in this run";

/** All numbers of a part; the most important ones first. The same labels for every result. */
export function rowsFor(result: LoadedResult, moment: Moment, pick: Pick): Row[] {
  if (!result.frames.count) return [];
  switch (pick.kind) {
    case "link":
      return linkRows(result, moment, pick.index);
    case "roller":
      return rollerRows(result, moment, pick.index);
    case "wheel":
      return wheelRows(result, moment, pick.index);
    case "span":
      return spanRows(result, moment, pick.index);
    case "guide":
      return guideRows(result, moment, pick.index);
    case "body":
      return bodyRows(result, moment, pick.index);
    case "tensioner":
      return tensionerRows(result, moment, pick.index);
  }
}

/** One value of a channel, or why there is none. */
function value(values: ArrayLike<number> | null, at: number, unit: string): string {
  return values ? text(values[at], unit) : NOT_KEPT;
}

function vectorRows(label: string, values: Float32Array | null, at: number): Row[] {
  const [x, y] = values ? [values[2 * at]!, values[2 * at + 1]!] : [NaN, NaN];
  return [
    { label, value: values ? text(Math.hypot(x, y), "N") : NOT_KEPT },
    { label: "… components x, y", value: values ? `${text(x, "N")}, ${text(y, "N")}` : NOT_KEPT },
  ];
}

function placeText(result: LoadedResult, place: number): string {
  const n = result.header.drive.links;
  const at = wrap(place, n);
  const zones = zonesAt(result.header.loop?.zones ?? [], at, n).map((zone) => `${zone.kind} ${zone.name}`);
  return `${at.toFixed(2)} of ${n} pitches${zones.length ? ` (${zones.join(", ")})` : ""}`;
}

/** What roller i touches: "crankshaft, tooth gap 12 of 64". */
function touchText(result: LoadedResult, moment: Moment, i: number): string {
  const bodies = result.frames.contactSurface;
  if (!bodies) return NOT_KEPT;
  const { links, wheels } = result.header.drive;
  const c = bodies[moment.frame * links + i]!;
  if (c < 0) return "nothing";
  if (result.header.drive.sheaves) return surfaceName(result, c);
  const gap = rollerGap(result, moment, i);
  return gap >= 0 ? `${surfaceName(result, c)}, tooth gap ${gap} of ${wheels[c]!.teeth}` : `guide ${surfaceName(result, c)}`;
}

function linkRows(result: LoadedResult, moment: Moment, i: number): Row[] {
  const { frames, header } = result;
  const n = header.drive.links;
  const at = moment.frame * n + i;
  const next = (i + 1) % n;
  const rows = [{ label: "Tension", value: value(frames.tension, at, "N") }];
  if (frames.tensionLow && frames.tensionHigh) rows.push({ label: "Minimum, maximum since the previous frame", value: `${text(frames.tensionLow[at], "N")}, ${text(frames.tensionHigh[at], "N")}` });
  if (header.loop) {
    const [tension] = header.loop.curves;
    const of = (ref: ArrayRef): string => text(result.array(ref)[i], "N");
    rows.push({ label: "Minimum, mean, maximum over one loop of the chain", value: `${of(tension.link_low)}, ${of(tension.link_mean)}, ${of(tension.link_high)}` });
  }
  if (header.drive.plates) {
    const both = (values: Float32Array | null, unit: string): string => (values ? `${text(values[at], unit)}, ${text(values[moment.frame * n + next], unit)}` : NOT_KEPT);
    rows.push(
      { label: `Pin force in its bush (joint ${i}), on its pin (joint ${next})`, value: both(frames.pinForce, "N") },
      { label: "Pin gap at both joints", value: both(frames.pinGap, "m") },
      { label: "Friction moment at both joints", value: both(frames.pinMoment, "N·m") },
      { label: "Angle, counter-clockwise from the x axis", value: frames.linkAngle ? `${number((frames.linkAngle[at]! * 180) / Math.PI, 4)}°` : NOT_KEPT },
    );
  }
  if (header.drive.space) rows.push({ label: "Roll about its long axis", value: frames.linkRoll ? `${number((frames.linkRoll[at]! * 180) / Math.PI, 3)}°` : NOT_KEPT });
  rows.push({ label: "Position along the loop", value: placeText(result, i + 0.5 + frames.advance[moment.frame]!) });
  for (const roller of [i, next]) {
    const force = frames.contactForce ? frames.contactForce[moment.frame * n + roller]! : NaN;
    const touch = touchText(result, moment, roller);
    const joint = header.drive.sheaves ? "pin" : "roller";
    rows.push({ label: `Its ${roller === i ? "first" : "second"} ${joint} (${roller}) is in contact with`, value: force > 0 && touch !== "nothing" ? `${touch}: ${text(force, "N")}` : touch });
  }
  return rows;
}

function rollerRows(result: LoadedResult, moment: Moment, i: number): Row[] {
  const { frames, header } = result;
  const n = header.drive.links;
  const at = moment.frame * n + i;
  if (header.drive.sheaves) return pinRows(result, moment, i);
  const direction = frames.contactDirection && frames.contactForce && frames.contactForce[at]! > 0 ? `${number((frames.contactDirection[at]! * 360) / 256, 3)}°` : "–";
  return [
    { label: "Normal force", value: value(frames.contactForce, at, "N") },
    { label: "In contact with", value: touchText(result, moment, i) },
    { label: "Friction force", value: frames.contactSurface?.[at] === -1 ? "0 N" : value(frames.frictionForce, at, "N") },
    { label: "Direction of the normal force, counter-clockwise from the x axis", value: frames.contactDirection ? direction : NOT_KEPT },
    ...jointRows(result, at),
    ...tensionRows(result, moment, i),
    { label: "Position along the loop", value: placeText(result, i + frames.advance[moment.frame]!) },
    ...(frames.rollerOffset ? [{ label: "Offset in front of the drawing plane", value: text(frames.rollerOffset[at], "m") }, { label: "Side force of a tooth on the plate, towards the front", value: value(frames.sideForce, at, "N") }] : []),
    { label: "Position x, y", value: `${text(frames.roller[2 * at], "m", 4)}, ${text(frames.roller[2 * at + 1], "m", 4)}` },
  ];
}

/** A pin between sheaves: forces on one of its ends, and how it slides. */
function pinRows(result: LoadedResult, moment: Moment, i: number): Row[] {
  const { frames, header } = result;
  const at = moment.frame * header.drive.links + i;
  return [
    { label: "Normal force on an end", value: value(frames.pinNormalForce, at, "N") },
    { label: "In contact with", value: touchText(result, moment, i) },
    { label: "Friction around the axis, on an end, counter-clockwise", value: value(frames.pinCircumferentialFriction, at, "N") },
    { label: "Friction along the cone, on an end, outwards", value: value(frames.pinRadialFriction, at, "N") },
    { label: "Slip around the axis, counter-clockwise", value: value(frames.pinSlip, at, "m/s") },
    { label: "Slip along the cone, outwards", value: value(frames.pinDrift, at, "m/s") },
    ...tensionRows(result, moment, i),
    { label: "Position along the loop", value: placeText(result, i + frames.advance[moment.frame]!) },
    { label: "Position x, y", value: `${text(frames.roller[2 * at], "m", 4)}, ${text(frames.roller[2 * at + 1], "m", 4)}` },
  ];
}

/** Tensions of the links on both sides of a roller, of one beyond which there is none only that of the other. */
function tensionRows({ frames, header }: LoadedResult, moment: Moment, i: number): Row[] {
  const n = header.drive.links;
  const sides = [wrap(i - 1, n), i].filter((link) => link < linksOf(header.drive));
  return [{ label: `Tension of ${sides.map((link) => `link ${link}`).join(", of ")}`, value: sides.map((link) => text(frames.tension[moment.frame * n + link], "N")).join(", ") }];
}

/** What the pin in the bush of a roller does. */
function jointRows({ frames, header }: LoadedResult, at: number): Row[] {
  if (!header.drive.plates) return [];
  return [
    { label: "Pin force", value: value(frames.pinForce, at, "N") },
    { label: "Gap between pin and bush", value: value(frames.pinGap, at, "m") },
    { label: "Friction moment", value: value(frames.pinMoment, at, "N·m") },
  ];
}

function wheelRows(result: LoadedResult, moment: Moment, w: number): Row[] {
  const { frames, header } = result;
  const { wheels, links } = header.drive;
  const at = moment.frame * wheels.length + w;
  const speed = frames.wheelSpeed?.[at] ?? NaN;
  const torque = frames.wheelTorque?.[at] ?? NaN;
  const angle = frames.wheelAngle[at]!;
  let touching = 0;
  if (frames.contactSurface && frames.contactForce)
    for (let i = 0; i < links; i++) if (frames.contactSurface[moment.frame * links + i] === w && frames.contactForce[moment.frame * links + i]! > 0) touching++;
  const turned = frames.wheelAngle[at]! - frames.wheelAngle[w]!;
  return [
    { label: "Speed", value: frames.wheelSpeed ? `${number((speed * 30) / Math.PI, 4)} rpm (${number(speed, 4)} rad/s)` : NOT_KEPT },
    { label: "Shaft torque", value: value(frames.wheelTorque, at, "N·m") },
    { label: "Shaft power", value: frames.wheelSpeed && frames.wheelTorque ? text(speed * torque, "W") : NOT_KEPT },
    ...vectorRows("Bearing force", frames.bearingForce, at),
    ...(header.drive.sheaves
      ? [
          { label: "Thrust", value: value(frames.sheaveThrust, at, "N") },
          { label: "Running radius", value: value(frames.runningRadius, at, "m") },
        ]
      : [{ label: "Rollers in contact", value: frames.contactSurface && frames.contactForce ? String(touching) : NOT_KEPT }]),
    { label: "Angle", value: `${number(wrap((angle * 180) / Math.PI, 360), 4)}°, ${number(turned / (2 * Math.PI), 4)} revolutions since the first frame` },
    { label: "Centre x, y", value: `${text(moment.wheelCentre[2 * w], "m", 4)}, ${text(moment.wheelCentre[2 * w + 1], "m", 4)}` },
    ...(header.drive.sheaves ? [] : [{ label: "Teeth", value: String(wheels[w]!.teeth) }]),
    ...spaceRows(result, moment, w),
  ];
}

/** Where a wheel stands out of the plane of the drawing. */
function spaceRows({ header }: LoadedResult, { wheelOffset, wheelTilt }: Moment, w: number): Row[] {
  if (!header.drive.space) return [];
  const [x, y] = [0, 1].map((axis) => `${number((wheelTilt[2 * w + axis]! * 180) / Math.PI, 3)}°`);
  return [
    { label: "Offset in front of the drawing plane", value: text(wheelOffset[w], "m") },
    { label: "Tilt about x, about the wheel's own y", value: `${x}, ${y}` },
  ];
}

function spanRows(result: LoadedResult, moment: Moment, k: number): Row[] {
  const { frames, header } = result;
  const at = moment.frame * header.drive.spans.length + k;
  const stretch = spanLinks(result, moment, k);
  const rows = [
    { label: "Mean tension", value: value(frames.spanTension, at, "N") },
    { label: "Transverse displacement at midspan, from the straight line", value: value(frames.spanDisplacement, at, "m") },
    { label: "Links in the span", value: stretch ? `${stretch.count}, from link ${stretch.first}` : "–" },
  ];
  if (stretch) {
    let [low, high] = [Infinity, -Infinity];
    for (let m = 0; m < stretch.count; m++) {
      const tension = moment.tension[(stretch.first + m) % header.drive.links]!;
      [low, high] = [Math.min(low, tension), Math.max(high, tension)];
    }
    rows.push({ label: "Minimum, maximum tension of these links", value: `${text(low, "N")}, ${text(high, "N")}` });
  }
  return rows;
}

function guideRows(result: LoadedResult, moment: Moment, g: number): Row[] {
  const { frames, header } = result;
  const { guides, wheels, links } = header.drive;
  let touching = 0;
  let pressed = 0;
  for (let i = 0; i < links; i++) {
    if (frames.contactSurface?.[moment.frame * links + i] !== wheels.length + g) continue;
    touching++;
    pressed = Math.max(pressed, frames.contactForce?.[moment.frame * links + i] ?? 0);
  }
  return [
    ...vectorRows("Force of the chain", frames.guideForce, moment.frame * guides.length + g),
    { label: "Rollers in contact", value: frames.contactSurface ? String(touching) : NOT_KEPT },
    { label: "Largest force of a single roller", value: frames.contactForce ? text(pressed, "N") : NOT_KEPT },
  ];
}

function bodyRows(result: LoadedResult, moment: Moment, b: number): Row[] {
  const { frames, header } = result;
  const body = header.drive.bodies[b]!;
  const n = header.drive.bodies.length;
  const at = moment.frame * n + b;
  const [x, y] = [frames.bodyPosition?.[2 * at] ?? NaN, frames.bodyPosition?.[2 * at + 1] ?? NaN];
  return [
    { label: "Rotation from the position drawn", value: frames.bodyAngle ? `${number((frames.bodyAngle[at]! * 180) / Math.PI, 4)}°` : NOT_KEPT },
    { label: "Displacement of the centre of mass from the position drawn", value: frames.bodyPosition ? text(Math.hypot(x - body.centre[0], y - body.centre[1]), "m") : NOT_KEPT },
    { label: "Centre of mass x, y", value: frames.bodyPosition ? `${text(x, "m", 4)}, ${text(y, "m", 4)}` : NOT_KEPT },
    { label: "Joint", value: `${body.joint}, on ${body.parent < 0 ? "the ground" : (header.drive.bodies[body.parent]?.name ?? "")}` },
  ];
}

function tensionerRows(result: LoadedResult, moment: Moment, k: number): Row[] {
  const { frames, header } = result;
  const t = header.drive.tensioners[k]!;
  const [a, b] = [moment.at(t.bodies[0], t.ends[0]), moment.at(t.bodies[1], t.ends[1])];
  return [
    { label: "Force (positive: pushes its ends apart)", value: value(frames.tensionerForce, moment.frame * header.drive.tensioners.length + k, "N") },
    { label: "Distance between its ends", value: text(Math.hypot(b[0] - a[0], b[1] - a[1]), "m", 4) },
    { label: "Kind", value: t.kind.replaceAll("_", " ") },
  ];
}
