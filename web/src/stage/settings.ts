/** How the stage is drawn, as the reader has set it. */
import { signal } from "@preact/signals-core";

export type RangeMode = "run" | "instant" | "typed";

export const settings = {
  contactForces: signal(true),
  bearingForces: signal(false),
  /** Forces of tensioners, and in the joints of bodies. */
  mechanismForces: signal(false),
  labels: signal(true),
  /** Badges: tension of the spans, speed of the wheels. */
  tensions: signal(true),
  speeds: signal(true),
  /** Factor on the motion of the spans across. */
  enlarged: signal(1),
  /** Factor on the length of arrows. */
  arrows: signal(1),
  range: signal<RangeMode>("run"),
  /** Limits of the colours [N] when typed. */
  limits: signal<[number, number]>([0, 1]),
  /** The drawing is in space, where links move there. */
  inSpace: signal(false),
  /** In space: without perspective, factor on distances from the plane of the drawing, forces on the plates. */
  parallel: signal(false),
  stretch: signal(1),
  sideForces: signal(true),
};
