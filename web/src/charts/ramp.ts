/** What a map is drawn with: edges of its columns and rows, colours, and its picture. */

/** Edges between columns: halfway, the outer ones as far beyond as the next is within. */
export function edges(middles: ArrayLike<number>): Float64Array {
  const count = middles.length;
  const found = new Float64Array(count + 1);
  for (let i = 1; i < count; i++) found[i] = 0.5 * (middles[i - 1]! + middles[i]!);
  const first = count > 1 ? middles[1]! - middles[0]! : 1;
  const last = count > 1 ? middles[count - 1]! - middles[count - 2]! : 1;
  if (count > 0) {
    found[0] = middles[0]! - first / 2;
    found[count] = middles[count - 1]! + last / 2;
  }
  return found;
}

export type Colour = [number, number, number];

/**
 * Colours from the page's (small) over the colours of tension to what stands out most (large): on white backwards, to dark, which prints
 * with little ink; on a dark page to bright. Lines show on either.
 */
export function ramp(tension: readonly string[], page = "#ffffff", dark = false): Colour[] {
  const back = (dark ? [...tension] : [...tension].reverse()).map(rgb);
  const ground = rgb(page);
  const first = back[0] ?? ground;
  const pale = Array.from({ length: Math.ceil(back.length / 3) }, (_, k, count = Math.ceil(back.length / 3)): Colour => {
    const share = k / count;
    return [0, 1, 2].map((c) => Math.round(ground[c]! + share * (first[c]! - ground[c]!))) as Colour;
  });
  return [...pale, ...back];
}

/** "#rrggbb" or "rgb(r, g, b)" as three numbers. */
export function rgb(colour: string): Colour {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
  if (hex) return [parseInt(hex[1]!, 16), parseInt(hex[2]!, 16), parseInt(hex[3]!, 16)];
  const parts = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return [parts[0] ?? 128, parts[1] ?? 128, parts[2] ?? 128];
}

/** Powers of ten (columns, rows) as a picture of one pixel per value, low rows at the bottom; what is no number as the ground. */
export function mapPicture(power: ArrayLike<number>, columns: number, rows: number, span: readonly [number, number], colours: readonly Colour[], ground: Colour): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d")!;
  const pixels = context.createImageData(columns, rows);
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < rows; r++) {
      const value = power[c * rows + r]!;
      const share = Math.min(1, Math.max(0, (value - span[0]) / (span[1] - span[0])));
      const colour = Number.isFinite(value) ? colours[Math.round(share * (colours.length - 1))]! : ground;
      pixels.data.set([...colour, 255], 4 * ((rows - 1 - r) * columns + c));
    }
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}
