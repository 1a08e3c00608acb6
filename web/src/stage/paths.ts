/** Outlines as paths, with no more points than can be seen. */

/** Douglas & Peucker (1973): the points of a line that keep it within a tolerance; first and last are kept. */
export function simplified(points: ArrayLike<number>, tolerance: number): number[] {
  const n = points.length / 2;
  const keep = new Uint8Array(n);
  keep[0] = keep[n - 1] = 1;
  // a closed line is cut where it is farthest from its first point
  const closed = points[0] === points[2 * n - 2] && points[1] === points[2 * n - 1];
  const stack: [number, number][] = [];
  if (closed && n > 3) {
    let far = 0;
    let most = -1;
    for (let k = 1; k < n; k++) {
      const size = Math.hypot(points[2 * k]! - points[0]!, points[2 * k + 1]! - points[1]!);
      if (size > most) [far, most] = [k, size];
    }
    keep[far] = 1;
    stack.push([0, far], [far, n - 1]);
  } else stack.push([0, n - 1]);
  while (stack.length) {
    const [a, b] = stack.pop()!;
    const ax = points[2 * a]!;
    const ay = points[2 * a + 1]!;
    const dx = points[2 * b]! - ax;
    const dy = points[2 * b + 1]! - ay;
    const length = Math.hypot(dx, dy);
    let far = -1;
    let most = tolerance;
    for (let k = a + 1; k < b; k++) {
      const ex = points[2 * k]! - ax;
      const ey = points[2 * k + 1]! - ay;
      const size = length > 0 ? Math.abs(ex * dy - ey * dx) / length : Math.hypot(ex, ey);
      if (size > most) [far, most] = [k, size];
    }
    if (far >= 0) {
      keep[far] = 1;
      stack.push([a, far], [far, b]);
    }
  }
  const kept: number[] = [];
  for (let k = 0; k < n; k++) if (keep[k]) kept.push(points[2 * k]!, points[2 * k + 1]!);
  return kept;
}

export function pathOf(points: ArrayLike<number>, close: boolean): Path2D {
  const path = new Path2D();
  for (let k = 0; k < points.length; k += 2) {
    if (k === 0) path.moveTo(points[0]!, points[1]!);
    else path.lineTo(points[k]!, points[k + 1]!);
  }
  if (close) path.closePath();
  return path;
}

/** One outline at several levels of detail. */
export class Outline {
  private readonly levels = new Map<number, Path2D>();

  constructor(
    readonly points: ArrayLike<number>,
    private readonly close = true,
  ) {}

  /** The path, true to a quarter of a pixel at so many pixels per metre. */
  at(scale: number): Path2D {
    const level = Math.ceil(Math.log2(scale));
    let path = this.levels.get(level);
    if (!path) this.levels.set(level, (path = pathOf(simplified(this.points, 0.25 / 2 ** level), this.close)));
    return path;
  }
}
