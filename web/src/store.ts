/** What the parts of the page share: the moment, what is picked, what is shown. */
import { batch, computed, effect, signal } from "@preact/signals-core";

export { batch, computed, effect, signal };

export type PickKind = "link" | "roller" | "wheel" | "span" | "guide" | "body" | "tensioner";

export interface Pick {
  result: number;
  kind: PickKind;
  index: number;
}

export const store = {
  /** The moment of the animation [s of the simulation]. */
  time: signal(0),
  playing: signal(false),
  /** Simulated seconds per second of the clock. */
  speed: signal(1),
  /** Begin again at the end. */
  repeat: signal(true),
  picked: signal<Pick | null>(null),
  /** The view moves with what is picked. */
  following: signal(false),
  /** Grows when data of a running computation were appended. */
  version: signal(0),
  /** Which results are shown. */
  visible: signal<boolean[]>([]),
  /** Grows when the page becomes dark or light: colours are to be asked for anew. */
  colours: signal(0),
  /** The time under the pointer in a chart [s]. */
  hoveredTime: signal<number | null>(null),
};
