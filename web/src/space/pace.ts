/** How many pixels are drawn: fewer while the picture moves and the machine is slow, all of them when it stands. */

/** A picture may take so long [ms]: 30 in a second, with some room. */
const TIME = 31;
/** Pictures over which the time is averaged. */
const OVER = 10;
const LEAST = 0.5;
/** After so long without movement it is drawn finely [ms]. */
const REST = 160;

export class Pace {
  /** Pixels of the screen per CSS pixel. */
  ratio = 1;
  private part = 1;
  private last = 0;
  private sum = 0;
  private count = 0;
  private timer = 0;

  /** smooth: the graphics smooth edges themselves; else a standing picture is drawn with twice the pixels. */
  constructor(
    private readonly smooth: boolean,
    private readonly redraw: () => void,
  ) {}

  /** A processor draws, or pictures have come too late. */
  get slow(): boolean {
    return !this.smooth || this.part < 1;
  }

  private get finest(): number {
    return this.smooth ? this.ratio : Math.max(2, this.ratio);
  }

  /** Pixels per CSS pixel of a picture drawn now; quickly: others follow at once. */
  at(now: number, quickly: boolean): number {
    window.clearTimeout(this.timer);
    if (!quickly) {
      const rested = now - this.last > REST;
      if (!rested) this.timer = window.setTimeout(this.redraw, REST + 20);
      this.sum = this.count = 0;
      return rested ? this.finest : this.part * this.coarse;
    }
    this.timer = window.setTimeout(this.redraw, REST + 20);
    if (this.last && now - this.last < 250) {
      this.sum += now - this.last;
      if (++this.count === OVER) {
        const mean = this.sum / OVER;
        if (mean > TIME) this.part = Math.max(LEAST / this.coarse, 0.85 * this.part);
        else if (mean < 0.6 * TIME) this.part = Math.min(1, 1.1 * this.part);
        this.sum = this.count = 0;
      }
    }
    this.last = now;
    return Math.round(8 * this.part * this.coarse) / 8;
  }

  private get coarse(): number {
    return this.smooth ? this.ratio : 1;
  }
}
