/** Wheels with their true teeth, and the arrow of gravity. */
import { arrow } from "./arrows";
import { type Brush, inMetres, inPixels } from "./brush";
import { EDGE, GREY, INK, MARK, PICKED, WHEEL } from "./colours";

export function drawWheels(brush: Brush): void {
  const { context, camera, moment, result, wheels, cogs, picked } = brush;
  const drive = result.header.drive;
  for (let w = 0; w < wheels.length; w++) {
    const wheel = drive.wheels[w]!;
    const [x, y] = [moment.wheelCentre[2 * w]!, moment.wheelCentre[2 * w + 1]!];
    if (!Number.isFinite(x + y)) continue;
    const reach = (1.15 * Math.max(wheel.radius, ...wheel.cogs.map((cog) => cog.radius)) + drive.pitch) * camera.scale;
    const [px, py] = [camera.x(x), camera.y(y)];
    if (px < -reach || py < -reach || px > camera.width + reach || py > camera.height + reach) continue;
    inMetres(brush, x, y, moment.wheelAngle[w]!);
    const level = camera.scale * brush.ratio;
    const path = wheels[w]!.at(level);
    const beside = cogs[w]!.map((cog, k) => ({ path: cog.at(level), larger: wheel.cogs[k]!.radius > wheel.radius }));
    context.fillStyle = WHEEL;
    context.strokeStyle = GREY;
    context.lineWidth = 0.6 / camera.scale;
    for (const cog of beside.filter(({ larger }) => larger)) {
      context.fill(cog.path);
      context.stroke(cog.path);
    }
    context.fill(path);
    for (const cog of beside.filter(({ larger }) => !larger)) context.stroke(cog.path);
    const isPicked = picked?.kind === "wheel" && picked.index === w;
    context.strokeStyle = isPicked ? PICKED : EDGE;
    context.lineWidth = (isPicked ? 2.6 : 0.8) / camera.scale;
    context.stroke(path);
    drawHub(brush, w, px, py);
  }
}

/** Hub with a cross that turns with the wheel, a mark at gap 0, and the sense of rotation (with colour: prescribed). */
function drawHub(brush: Brush, w: number, x: number, y: number): void {
  const { context, camera, moment, result } = brush;
  const drive = result.header.drive;
  const wheel = drive.wheels[w]!;
  const radius = wheel.radius * camera.scale;
  const angle = moment.wheelAngle[w]!;
  const [c, s] = [Math.cos(angle), -Math.sin(angle)];
  inPixels(brush);
  context.strokeStyle = EDGE;
  context.lineWidth = 0.8;
  context.beginPath();
  context.arc(x, y, 0.05 * radius, 0, 2 * Math.PI);
  const cross = 0.09 * radius;
  context.moveTo(x - cross * c, y - cross * s);
  context.lineTo(x + cross * c, y + cross * s);
  context.moveTo(x + cross * s, y - cross * c);
  context.lineTo(x - cross * s, y + cross * c);
  context.stroke();
  context.fillStyle = EDGE;
  context.beginPath();
  context.arc(x + 0.84 * radius * c, y + 0.84 * radius * s, Math.min(5, Math.max(1.2, 0.025 * radius)), 0, 2 * Math.PI);
  context.fill();
  if (radius < 14) return;
  const colour = wheel.driven ? MARK : GREY;
  const turn = drive.sense * wheel.sign; // +1 counter-clockwise
  const arc = Math.min(0.72 * radius, 300);
  const half = 0.6;
  const end = -Math.PI / 2 - turn * half; // canvas angles grow clockwise
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.3;
  context.beginPath();
  context.arc(x, y, arc, -Math.PI / 2 + turn * half, end, turn > 0);
  context.stroke();
  context.beginPath();
  const tip = [x + arc * Math.cos(end), y + arc * Math.sin(end)] as const;
  arrow(context, tip[0], tip[1], 13 * turn * Math.sin(end), -13 * turn * Math.cos(end), 8);
  context.fill();
}

/** Direction of gravity in the lower right corner. */
export function drawGravity(brush: Brush): void {
  const { context, camera, result } = brush;
  const [gx, gy] = result.header.drive.gravity;
  const strength = Math.hypot(gx, gy);
  if (strength === 0) return;
  inPixels(brush);
  const [x, y] = [camera.width - 26, camera.height - 34];
  const [dx, dy] = [(26 * gx) / strength, (-26 * gy) / strength];
  context.strokeStyle = context.fillStyle = INK;
  context.lineWidth = 1.3;
  context.beginPath();
  arrow(context, x - dx / 2, y - dy / 2, dx, dy, 8);
  context.stroke();
  context.fill();
  context.font = "italic 13px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText("g", x - (10 * dy) / 26, y + (10 * dx) / 26);
}
