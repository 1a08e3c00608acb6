/** The value of a curve at a moment: the stored one of the nearest frame where the frames keep it, else the nearest of the curve. */
import type { LoadedCurveGroup, LoadedFrames, LoadedResult } from "../data";
import { nearest } from "./numbers";

type Column = { values: Float32Array; width: number; axes: 1 | 2; factor: number };

/** Curves of speeds of wheels are in rpm. */
const RPM = 30 / Math.PI;

/** The channel of the frames that holds the same quantity as a group of curves. */
function columnOf(frames: LoadedFrames, result: LoadedResult, key: string): Column | null {
  const { drive } = result.header;
  const table: Record<string, [Float32Array | null, number, 1 | 2]> = {
    span_tension: [frames.spanTension, drive.spans.length, 1],
    span_displacement: [frames.spanDisplacement, drive.spans.length, 1],
    wheel_speed: [frames.wheelSpeed, drive.wheels.length, 1],
    wheel_torque: [frames.wheelTorque, drive.wheels.length, 1],
    bearing_force: [frames.bearingForce, drive.wheels.length, 2],
    guide_force: [frames.guideForce, drive.guides.length, 2],
    tensioner_force: [frames.tensionerForce, drive.tensioners.length, 1],
  };
  const found = table[key];
  return found?.[0] ? { values: found[0], width: found[1], axes: found[2], factor: key === "wheel_speed" ? RPM : 1 } : null;
}

export function valueAt(result: LoadedResult, group: LoadedCurveGroup, series: number, time: number): number {
  const { frames } = result;
  const index = group.info.series[series]?.index ?? -1;
  const column = frames.count > 0 ? columnOf(frames, result, group.info.key) : null;
  if (column && index >= 0 && index < column.width) {
    const at = frames.nearest(time) * column.width + index;
    return column.axes === 1 ? column.factor * column.values[at]! : Math.hypot(column.values[2 * at]!, column.values[2 * at + 1]!);
  }
  const near = nearest(group.time, time);
  return near < 0 ? NaN : group.values[series]![near]!;
}
