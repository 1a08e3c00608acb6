/**
 * What is drawn on a canvas, written down as SVG as well: lines as paths, text as text. The canvas keeps all of its state (colours, fonts,
 * transformation); only the calls that draw are heard. A map of pixels becomes one picture.
 */

type Command = [op: "M" | "L" | "C" | "Z", ...numbers: number[]] | [op: "A", x: number, y: number, radius: number, from: number, to: number, back: boolean];

/** Commands of a path, in the coordinates in which they were given. */
class Track {
  commands: Command[] = [];
  moveTo(x: number, y: number): void {
    this.commands.push(["M", x, y]);
  }
  lineTo(x: number, y: number): void {
    this.commands.push([this.commands.length ? "L" : "M", x, y]);
  }
  bezierCurveTo(a: number, b: number, c: number, d: number, x: number, y: number): void {
    this.commands.push(["C", a, b, c, d, x, y]);
  }
  arc(x: number, y: number, radius: number, from: number, to: number, back = false): void {
    this.commands.push(["A", x, y, radius, from, to, back]);
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.commands.push(["M", x, y], ["L", x + width, y], ["L", x + width, y + height], ["L", x, y + height], ["Z"]);
  }
  closePath(): void {
    this.commands.push(["Z"]);
  }

  /** The attribute d, under a transformation without skew. */
  text({ a, b, c, d, e, f }: DOMMatrix): string {
    const at = (x: number, y: number) => `${round(a * x + c * y + e)} ${round(b * x + d * y + f)}`;
    const scale = Math.hypot(a, b);
    return this.commands
      .map((command, k) => {
        if (command[0] === "Z") return "Z";
        if (command[0] !== "A") {
          const numbers = command.slice(1) as number[];
          const points: string[] = [];
          for (let i = 0; i < numbers.length; i += 2) points.push(at(numbers[i]!, numbers[i + 1]!));
          return command[0] + points.join(" ");
        }
        const [, x, y, radius, from, to, back] = command;
        const on = (angle: number) => at(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
        const turn = to - from;
        const r = round(radius * scale);
        const begin = `${k && this.commands[k - 1]![0] !== "Z" && this.commands[k - 1]![0] !== "M" ? "L" : "M"}${on(from)}`;
        const sweep = back ? 0 : 1;
        if (Math.abs(turn) >= 2 * Math.PI - 1e-6) return `M${on(from)}A${r} ${r} 0 1 ${sweep} ${on(from + Math.PI)}A${r} ${r} 0 1 ${sweep} ${on(from)}`;
        const swept = (((back ? -turn : turn) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
        return `${begin}A${r} ${r} 0 ${swept > Math.PI ? 1 : 0} ${sweep} ${on(to)}`;
      })
      .join("");
  }
}

const tracks = new WeakMap<object, Track>();

/** A path whose commands can be read; stands for the browser's while a chart is drawn. */
function hearing(Native: typeof Path2D): typeof Path2D {
  const NAMES = ["moveTo", "lineTo", "bezierCurveTo", "arc", "rect", "closePath"] as const;
  class Heard extends Native {
    constructor(given?: Path2D | string) {
      super(given as Path2D);
      const track = new Track();
      tracks.set(this, track);
      if (given && typeof given === "object") track.commands = [...(tracks.get(given)?.commands ?? [])];
    }
  }
  for (const name of NAMES) {
    Object.defineProperty(Heard.prototype, name, {
      value(this: Path2D, ...numbers: number[]) {
        (tracks.get(this)![name] as (...n: number[]) => void)(...numbers);
        (Native.prototype[name] as (...n: number[]) => void).apply(this, numbers);
      },
    });
  }
  return Heard as typeof Path2D;
}

/** Draw while paths can be read. */
export function withReadablePaths<T>(draw: () => T): T {
  const native = globalThis.Path2D;
  globalThis.Path2D = hearing(native);
  try {
    return draw();
  } finally {
    globalThis.Path2D = native;
  }
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function escaped(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** "#rrggbb" and opacity of what a context says of a colour. */
function paint(style: string | CanvasGradient | CanvasPattern): { colour: string; opacity: number } {
  const text = String(style);
  const parts = /^rgba\((\d+), (\d+), (\d+), ([\d.e-]+)\)$/.exec(text);
  if (!parts) return { colour: text, opacity: 1 };
  return { colour: `#${[1, 2, 3].map((k) => Number(parts[k]).toString(16).padStart(2, "0")).join("")}`, opacity: Number(parts[4]) };
}

let recorders = 0;

/** Hears what is drawn on a context from now on. */
export class Recorder {
  private readonly elements: string[] = [];
  private readonly defs: string[] = [];
  private readonly name = `c${++recorders}-`;
  private clip = "";
  private readonly kept: string[] = [];
  private readonly inverse: DOMMatrix;
  private path = new Track();
  private bitmap: { canvas: HTMLCanvasElement; box: [number, number, number, number]; clip: string } | null = null;

  /** density: pixels of the canvas for each of the picture. */
  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly density: number,
  ) {
    this.inverse = new DOMMatrix().scale(1 / density);
    this.hear();
  }

  /** All that was drawn, as elements of SVG. */
  text(): string {
    this.flush();
    return (this.defs.length ? `<defs>${this.defs.join("")}</defs>\n` : "") + this.elements.join("\n");
  }

  private get matrix(): DOMMatrix {
    return this.inverse.multiply(this.context.getTransform());
  }

  private override(name: string, run: (...given: never[]) => void): void {
    const { context } = this;
    const native = (CanvasRenderingContext2D.prototype as unknown as Record<string, (...given: unknown[]) => unknown>)[name]!;
    Object.defineProperty(context, name, {
      configurable: true,
      value: (...given: unknown[]) => {
        run(...(given as never[]));
        return native.apply(context, given);
      },
    });
  }

  private hear(): void {
    this.override("save", () => this.kept.push(this.clip));
    this.override("restore", () => (this.clip = this.kept.pop() ?? this.clip));
    this.override("beginPath", () => (this.path = new Track()));
    for (const name of ["moveTo", "lineTo", "bezierCurveTo", "closePath", "rect"] as const)
      this.override(name, (...numbers: never[]) => {
        // points lie where they were given: the transformation may change before the path is drawn
        const one = new Track();
        (one[name] as (...n: number[]) => void)(...numbers);
        if (name === "lineTo" && this.path.commands.length) one.commands[0]![0] = "L";
        this.path.commands.push(...one.commands.map((command) => this.moved(command)));
      });
    this.override("arc", (x: number, y: number, radius: number, from: number, to: number, back?: boolean) => {
      const { matrix } = this;
      const turned = Math.atan2(matrix.b, matrix.a);
      const centre = matrix.transformPoint({ x, y });
      this.path.arc(centre.x, centre.y, radius * Math.hypot(matrix.a, matrix.b), from + turned, to + turned, back);
    });
    this.override("stroke", (path?: Path2D) => this.draw(path, "stroke"));
    this.override("fill", (path?: Path2D) => this.draw(path, "fill"));
    this.override("clip", (path?: Path2D) => this.cut(path));
    this.override("fillRect", (x: number, y: number, width: number, height: number) => {
      const track = new Track();
      track.rect(x, y, width, height);
      this.put(`<path d="${track.text(this.matrix)}" ${this.filled()}`);
    });
    this.override("fillText", (text: string, x: number, y: number) => this.write(text, x, y, this.filled()));
    this.override("strokeText", (text: string, x: number, y: number) => this.write(text, x, y, this.stroked()));
    this.override("drawImage", (...given: never[]) => this.picture(given));
  }

  private moved(command: Command): Command {
    if (command[0] === "Z" || command[0] === "A") return command;
    const numbers = command.slice(1) as number[];
    const { matrix } = this;
    for (let i = 0; i < numbers.length; i += 2) {
      const point = matrix.transformPoint({ x: numbers[i]!, y: numbers[i + 1]! });
      numbers[i] = point.x;
      numbers[i + 1] = point.y;
    }
    return [command[0], ...numbers] as Command;
  }

  private d(path: Path2D | undefined): string {
    return path instanceof Path2D ? (tracks.get(path)?.text(this.matrix) ?? "") : this.path.text(new DOMMatrix());
  }

  private put(element: string): void {
    this.flush();
    this.elements.push(`${element}${this.clip ? ` clip-path="url(#${this.clip})"` : ""}/>`);
  }

  private opacity(kind: "fill" | "stroke", own: number): string {
    const opacity = own * this.context.globalAlpha;
    return opacity < 1 ? ` ${kind}-opacity="${Number(opacity.toFixed(3))}"` : "";
  }

  private filled(): string {
    const { colour, opacity } = paint(this.context.fillStyle);
    return `fill="${escaped(colour)}"${this.opacity("fill", opacity)}`;
  }

  private stroked(): string {
    const { context } = this;
    const { colour, opacity } = paint(context.strokeStyle);
    const scale = Math.hypot(this.matrix.a, this.matrix.b);
    const dashes = context.getLineDash().map((length) => round(length * scale));
    const dash = dashes.length ? ` stroke-dasharray="${dashes.join(" ")}"` : "";
    return `fill="none" stroke="${escaped(colour)}"${this.opacity("stroke", opacity)} stroke-width="${round(context.lineWidth * scale)}" stroke-linejoin="${context.lineJoin}" stroke-linecap="${context.lineCap}"${dash}`;
  }

  private draw(path: Path2D | undefined, kind: "stroke" | "fill"): void {
    const d = this.d(path);
    if (d) this.put(`<path d="${d}" ${kind === "fill" ? this.filled() : this.stroked()}`);
  }

  private cut(path: Path2D | undefined): void {
    const id = `${this.name}${this.defs.length}`;
    this.flush();
    this.defs.push(`<clipPath id="${id}"${this.clip ? ` clip-path="url(#${this.clip})"` : ""}><path d="${this.d(path)}"/></clipPath>`);
    this.clip = id;
  }

  private write(text: string, x: number, y: number, look: string): void {
    const { context, matrix } = this;
    const baseline = context.textBaseline;
    const top = context.measureText(text).actualBoundingBoxAscent;
    context.textBaseline = "alphabetic";
    const down = context.measureText(text).actualBoundingBoxAscent - top;
    context.textBaseline = baseline;
    const scale = Math.hypot(matrix.a, matrix.b);
    const point = matrix.transformPoint({ x, y: y + down });
    const turned = (Math.atan2(matrix.b, matrix.a) * 180) / Math.PI;
    const place = Math.abs(turned) < 1e-6 ? `x="${round(point.x)}" y="${round(point.y)}"` : `transform="translate(${round(point.x)} ${round(point.y)}) rotate(${round(turned)})"`;
    const anchor = { center: "middle", right: "end", end: "end", left: "start", start: "start" }[context.textAlign];
    const font = /^(.*?)([\d.]+)px (.*)$/.exec(context.font);
    const weight = font && /bold|[5-9]00/.test(font[1]!) ? ` font-weight="${/bold/.test(font[1]!) ? "bold" : /[5-9]00/.exec(font[1]!)![0]}"` : "";
    const clip = this.clip ? ` clip-path="url(#${this.clip})"` : "";
    this.flush();
    // a clip of a turned text would be turned too: axis titles are the only such texts, and nothing cuts them
    this.elements.push(`<text ${place} text-anchor="${anchor}" font-family="${escaped(font?.[3] ?? "sans-serif")}" font-size="${round(Number(font?.[2] ?? 11) * scale)}"${weight} ${look}${turned ? "" : clip}>${escaped(text)}</text>`);
  }

  /** Pictures that follow each other become one. */
  private picture(given: unknown[]): void {
    const { canvas } = this.context;
    const [x, y, width, height] = given.slice(given.length > 5 ? 5 : 1) as number[];
    if (!this.bitmap) {
      const layer = document.createElement("canvas");
      layer.width = canvas.width;
      layer.height = canvas.height;
      this.bitmap = { canvas: layer, box: [Infinity, Infinity, -Infinity, -Infinity], clip: this.clip };
    }
    const { box } = this.bitmap;
    const layer = this.bitmap.canvas.getContext("2d")!;
    layer.imageSmoothingEnabled = false;
    layer.setTransform(this.context.getTransform());
    (layer.drawImage as (...g: unknown[]) => void)(...given);
    const [low, high] = [this.context.getTransform().transformPoint({ x: x!, y: y! }), this.context.getTransform().transformPoint({ x: x! + width!, y: y! + height! })];
    this.bitmap.box = [Math.min(box[0], low.x), Math.min(box[1], low.y), Math.max(box[2], high.x), Math.max(box[3], high.y)];
  }

  private flush(): void {
    if (!this.bitmap) return;
    const { canvas, box, clip } = this.bitmap;
    this.bitmap = null;
    const left = Math.max(0, Math.floor(box[0]));
    const top = Math.max(0, Math.floor(box[1]));
    const width = Math.min(canvas.width, Math.ceil(box[2])) - left;
    const height = Math.min(canvas.height, Math.ceil(box[3])) - top;
    if (width <= 0 || height <= 0) return;
    const part = document.createElement("canvas");
    part.width = width;
    part.height = height;
    part.getContext("2d")!.drawImage(canvas, -left, -top);
    const size = [left, top, width, height].map((length) => round(length / this.density));
    this.elements.push(`<image x="${size[0]}" y="${size[1]}" width="${size[2]}" height="${size[3]}" preserveAspectRatio="none" href="${part.toDataURL("image/png")}"${clip ? ` clip-path="url(#${clip})"` : ""}/>`);
  }
}
