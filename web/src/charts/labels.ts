/** Places for the labels of lines, without overlap: the important ones first, what finds no place is left out. */

export interface LabelWish {
  /** where the line stands [px] */
  at: number;
  /** width of the text [px] */
  width: number;
  /** larger is placed first */
  weight: number;
}

export interface LabelPlace {
  /** left edge of the text [px] */
  left: number;
  row: number;
}

/**
 * Left edge and row of every label, null where none is free. A label stands centred on its line, or starts or ends at it,
 * within left..right; rows count from the top. Two labels of a row keep `gap` pixels between them.
 */
export function placeLabels(
  wishes: readonly LabelWish[],
  left: number,
  right: number,
  rows: number,
  gap = 6,
): (LabelPlace | null)[] {
  const places: (LabelPlace | null)[] = wishes.map(() => null);
  const taken: [number, number][][] = Array.from({ length: rows }, () => []);
  const order = wishes.map((_, index) => index).sort((a, b) => wishes[b]!.weight - wishes[a]!.weight || a - b);
  for (const index of order) {
    const { at, width } = wishes[index]!;
    if (!(at >= left && at <= right) || width > right - left) continue;
    for (let row = 0; row < rows && !places[index]; row++) {
      for (const wish of [at - width / 2, at - width + 3, at - 3]) {
        const start = Math.min(Math.max(wish, left), right - width);
        if (taken[row]!.every(([from, to]) => start >= to + gap || start + width + gap <= from)) {
          places[index] = { left: start, row };
          taken[row]!.push([start, start + width]);
          break;
        }
      }
    }
  }
  return places;
}

/** The text as it fits into so many pixels, cut with an ellipsis; empty when fewer than seven letters would be left. */
export function fitText(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  for (let length = Math.min(text.length - 1, 60); length >= 7; length--) {
    const cut = text.slice(0, length).trimEnd() + "…";
    if (context.measureText(cut).width <= room) return cut;
  }
  return "";
}
