/** Frames per second while the animation plays. */
export class FrameRate {
  private readonly times = new Float64Array(240);
  private n = 0;
  private running = false;

  /** A frame begins; now: milliseconds. */
  mark(now: number): void {
    if (!this.running) {
      this.running = true;
      this.n = 0;
    }
    this.times[this.n++ % this.times.length] = now;
  }

  pause(): void {
    this.running = false;
  }

  /** Intervals between the latest frames [ms], oldest first. */
  get intervals(): number[] {
    const size = this.times.length;
    const kept = Math.min(this.n, size);
    const found: number[] = [];
    for (let k = this.n - kept + 1; k < this.n; k++) found.push(this.times[k % size]! - this.times[(k - 1) % size]!);
    return found;
  }

  /** Mean over the latest frames; 0 before there are two. */
  get perSecond(): number {
    const intervals = this.intervals;
    const total = intervals.reduce((sum, t) => sum + t, 0);
    return total > 0 ? (1000 * intervals.length) / total : 0;
  }
}
