/** A chart as a picture to be kept: title, chart, legend and remark on paper's colours, as pixels or as SVG. */
import type { Plot } from "../charts/plot";
import { font, INK, PAGE, QUIET } from "../charts/look";
import { inLight } from "../style/theme";
import { escaped, Recorder, withReadablePaths } from "./svg";

/** Of a picture [CSS pixels]. */
const WIDTH = 760;
const LEAST_HEIGHT = 320;
const EDGE = 14;
const LINE = 17;
const SWATCH = 26;

interface Entry {
  name: string;
  colour: string;
  dash: number[];
  band: boolean;
}

/** What stands around a chart in the page. */
export interface Words {
  title: string;
  entries: Entry[];
  remark: string;
}

/** Read from the figure: what is struck out in the legend is not shown. */
export function wordsOf(figure: HTMLElement): Words {
  const entries = [...figure.querySelectorAll<HTMLElement>(":scope > .chart-legend:not([hidden]) .entry:not([aria-pressed=false]), :scope > .measured > .chart-legend:not([hidden]) .entry")].map((entry): Entry => {
    const shape = entry.querySelector("line, rect");
    const dash = (shape?.getAttribute("stroke-dasharray") ?? "").split(" ").filter(Boolean).map(Number);
    return { name: entry.querySelector(".name")?.textContent ?? "", colour: shape?.getAttribute("stroke") ?? shape?.getAttribute("fill") ?? INK, dash, band: shape?.tagName === "rect" };
  });
  const remark = [...(figure.querySelector(":scope > .remark")?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.classList.contains("hint"))).map((node) => node.textContent ?? "").join("");
  return { title: figure.querySelector(":scope > .chart-head > :is(figcaption, .caption)")?.textContent ?? "", entries, remark: remark.trim() };
}

/** A line of text cut into lines that fit. */
function wrapped(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && context.measureText(`${last} ${word}`).width <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

interface Row {
  draw(context: CanvasRenderingContext2D, y: number): void;
}

function textRows(context: CanvasRenderingContext2D, text: string, style: string, colour: string): Row[] {
  context.font = style;
  return wrapped(context, text, WIDTH - 2 * EDGE).map((line) => ({
    draw: (c, y) => {
      c.font = style;
      c.fillStyle = colour;
      c.fillText(line, EDGE, y + 12);
    },
  }));
}

function legendRows(context: CanvasRenderingContext2D, entries: Entry[]): Row[] {
  const style = font(11, 1);
  context.font = style;
  const rows: { entry: Entry; x: number }[][] = [];
  let x = Infinity;
  for (const entry of entries) {
    const width = SWATCH + 6 + context.measureText(entry.name).width + 18;
    if (x + width > WIDTH - EDGE) {
      rows.push([]);
      x = EDGE;
    }
    rows[rows.length - 1]!.push({ entry, x });
    x += width;
  }
  return rows.map((items) => ({
    draw: (c, y) => {
      for (const { entry, x: left } of items) {
        c.strokeStyle = c.fillStyle = entry.colour;
        c.lineWidth = 2.2;
        c.setLineDash(entry.dash);
        if (entry.band) c.fillRect(left, y + 4, SWATCH, 8);
        else {
          c.beginPath();
          c.moveTo(left, y + 8);
          c.lineTo(left + SWATCH, y + 8);
          c.stroke();
        }
        c.setLineDash([]);
        c.font = style;
        c.fillStyle = INK;
        c.fillText(entry.name, left + SWATCH + 6, y + 12);
      }
    },
  }));
}

/** The scale of colours that stands over a map, as a row. */
function scaleRows(figure: HTMLElement): Row[] {
  const bar = figure.querySelector<HTMLElement>(":scope > .scale-bar");
  const colours = bar?.querySelector<HTMLElement>(".ramp")?.style.background.match(/rgb\([^)]*\)/g) ?? [];
  if (!bar || !colours.length) return [];
  const ticks = [...bar.querySelectorAll<HTMLElement>(".ticks span")].map((tick) => [parseFloat(tick.style.left) / 100, tick.textContent ?? ""] as const);
  const wide = 240;
  const draw = (c: CanvasRenderingContext2D, y: number): void => {
    c.font = font(11, 1);
    c.fillStyle = INK;
    c.fillText(bar.querySelector("span")?.textContent ?? "", EDGE, y + 12);
    const left = EDGE + c.measureText(bar.querySelector("span")?.textContent ?? "").width + 24;
    colours.forEach((colour, k) => {
      c.fillStyle = colour;
      c.fillRect(left + (k * wide) / colours.length, y + 3, wide / colours.length + 0.3, 10);
    });
    c.fillStyle = INK;
    c.textAlign = "center";
    for (const [place, label] of ticks) c.fillText(label, left + place * wide, y + 26);
    c.textAlign = "left";
  };
  return [{ draw }, { draw: () => undefined }];
}

export interface Picture {
  canvas: HTMLCanvasElement;
  svg: string;
}

/** Null where the chart shows nothing. */
export function pictureOf(plot: Plot, figure: HTMLElement, drive: string, density: number): Picture | null {
  return inLight(() => withReadablePaths(() => compose(plot, figure, drive, density)));
}

function compose(plot: Plot, figure: HTMLElement, drive: string, density: number): Picture | null {
  const words = wordsOf(figure);
  const height = Math.max(LEAST_HEIGHT, plot.wish.height(WIDTH - 2 * EDGE, true));
  const recorders: Recorder[] = [];
  const chart = plot.copy(WIDTH - 2 * EDGE, height, density, (made) => recorders.push(new Recorder(made, density)));
  if (!chart) return null;
  queueMicrotask(() => chart.destroy());
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const head = [...textRows(context, words.title, font(14, 1, "600"), INK), ...textRows(context, drive, font(11, 1), QUIET)];
  const foot = [...scaleRows(figure), ...legendRows(context, words.entries), ...textRows(context, words.remark, font(10, 1), QUIET)];
  const top = EDGE + LINE * head.length + 4;
  const total = Math.ceil(top + height + 6 + LINE * foot.length + EDGE);
  canvas.width = WIDTH * density;
  canvas.height = total * density;
  const outer = new Recorder(context, density);
  context.scale(density, density);
  context.fillStyle = PAGE;
  context.fillRect(0, 0, WIDTH, total);
  head.forEach((row, k) => row.draw(context, EDGE + LINE * k));
  foot.forEach((row, k) => row.draw(context, top + height + 6 + LINE * k));
  const around = outer.text();
  context.drawImage(chart.ctx.canvas, EDGE, top, WIDTH - 2 * EDGE, height);
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${total}" viewBox="0 0 ${WIDTH} ${total}">`;
  const named = `<title>${escaped(`${drive}: ${words.title}`)}</title>`;
  return { canvas, svg: `<?xml version="1.0" encoding="UTF-8"?>\n${open}\n${named}\n${around}\n<g transform="translate(${EDGE} ${top})">\n${recorders[0]!.text()}\n</g>\n</svg>\n` };
}
