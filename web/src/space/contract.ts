/** What the page and the drawing in space know of each other: the page's script does not hold three.js, this one does. */
import type { LoadedResult } from "../data";
import type { TensionScale } from "../stage/colours";
import type { Moment } from "../stage/moment";
import type { Pick, PickKind } from "../store";

export type Look = "oblique" | "side" | "above" | "along";

/** From where the drive is seen. Directions: x to the right, y upwards, z out of the drawing towards the reader. */
export interface Sight {
  /** Turn of the eye about the vertical, and its height above the horizon [rad]; 0, 0 is the drawing in the plane. */
  yaw: number;
  pitch: number;
  /** Height of what is seen at the distance of the middle [m]. */
  height: number;
  /** From the middle of the drive, or of what is followed, to the middle of the picture [m]. */
  shift: [number, number, number];
}

/** What the page gives to the drawing. */
export interface Host {
  result: LoadedResult;
  moment: Moment;
  scale: TensionScale;
  /** Draw soon. */
  redraw(): void;
  /** The reader has moved the eye. */
  moved(sight: Sight): void;
  picked(found: { kind: PickKind; index: number } | null): void;
  /** What is under the pointer, null: nothing. */
  pointed(found: { kind: PickKind; index: number } | null, event: PointerEvent): void;
}

/** How it is to be drawn. */
export interface Wishes {
  picked: Pick | null;
  following: boolean;
  playing: boolean;
  names: boolean;
  sideForces: boolean;
  /** Without perspective. */
  parallel: boolean;
  /** Factor on distances from the plane of the drawing. */
  stretch: number;
}

export interface Picture {
  readonly canvas: HTMLCanvasElement;
  /** The canvas, and names over it. */
  readonly element: HTMLElement;
  /** Of the graphics, as the browser calls them. */
  readonly renderer: string;
  readonly sight: Sight;
  /** The eye is on its way. */
  readonly moving: boolean;
  /** Spacing of the grid on the ground: in the plane of the drawing, and out of it [m]. */
  readonly grid: [number, number];
  /** Side force whose arrow is as long as a pitch [N]; 0: no arrows. */
  readonly force: number;
  measure(width: number, height: number, ratio: number): void;
  draw(wishes: Wishes): void;
  look(from: Look): void;
  assume(sight: Sight): void;
  zoomBy(factor: number): void;
  /** Move what is seen by pixels; turn the eye by radians. */
  panBy(dx: number, dy: number): void;
  turnBy(yaw: number, pitch: number): void;
  fit(): void;
  /** Where a part is on the canvas [px]. */
  place(kind: PickKind, index: number): [number, number] | null;
}

/** What the script of the drawing in space leaves in the window. Throws where there is no WebGL. */
export interface Studio {
  open(host: Host): Picture;
}
