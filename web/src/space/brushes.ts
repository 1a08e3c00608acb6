/** How shapes are shaded: in the corners of the triangles, which costs next to nothing where a processor draws. */
import { BackSide, BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, ShaderMaterial } from "three";
import type { Shape } from "./shapes";

/** Shared by all: factor on distances from the plane of the drawing. */
export const stretch = { value: 1 };

/** Links, bars and arrows: an instance from its rear to its front end, turned so that its z is along its pins. */
const ALONG = `
attribute vec3 rear; attribute vec3 front; attribute vec3 pin; attribute vec3 tint; attribute float end;
uniform float stretch;
void pose(in vec3 at, in vec3 to, out vec3 place, out vec3 facing) {
  vec3 a = vec3(rear.xy, rear.z * stretch), b = vec3(front.xy, front.z * stretch);
  vec3 x = normalize(b - a), n = normalize(vec3(pin.xy * stretch, pin.z));
  vec3 z = normalize(n - dot(n, x) * x), y = cross(z, x);
  place = mix(a, b, end) + mat3(x, y, z) * at;
  facing = mat3(x, y, z) * to;
}`;

/** Everything else: where its matrix puts it. */
const STANDING = `
uniform vec3 tint;
void pose(in vec3 at, in vec3 to, out vec3 place, out vec3 facing) {
  place = (modelMatrix * vec4(at, 1.0)).xyz;
  facing = normalize(mat3(modelMatrix) * to);
}`;

/** Light from over the left shoulder of the reader: a face towards the reader keeps its colour, as in the legend. */
const FACES = `
attribute vec4 look; varying vec3 shade;
uniform float swell;
void main() {
  vec3 place, facing;
  pose(position, normal, place, facing);
  vec3 seen = normalize(mat3(viewMatrix) * facing);
  vec3 own = mix(look.rgb, tint, look.a);
  float light = 0.68 + 0.36 * max(0.0, dot(seen, normalize(vec3(-0.18, 0.4, 1.0)))) + 0.09 * seen.y;
  float gleam = (1.0 - 0.6 * look.a) * pow(max(0.0, dot(seen, normalize(vec3(-0.3, 0.55, 1.0)))), 16.0);
  shade = own * light + 0.13 * gleam;
  gl_Position = projectionMatrix * viewMatrix * vec4(place + swell * facing, 1.0);
}`;

/** Lines lie a little before the faces whose edges they are. */
const LINES = `
attribute vec4 look; varying vec3 shade;
uniform float nearer; uniform float strong;
void main() {
  vec3 place, facing;
  pose(position, vec3(0.0, 0.0, 1.0), place, facing);
  vec3 own = mix(look.rgb, tint, look.a);
  shade = mix(own, dot(own, vec3(0.3, 0.6, 0.1)) > 0.33 ? vec3(0.08, 0.12, 0.16) : vec3(1.0), strong); // seen on dark and on light
  vec4 seen = viewMatrix * vec4(place, 1.0);
  seen.z += nearer;
  gl_Position = projectionMatrix * seen;
}`;

const PLAIN = "varying vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }";
const HALO = "uniform vec3 halo; void main() { gl_FragColor = vec4(halo, 1.0); }";

export function faces(instances: boolean): ShaderMaterial {
  const uniforms = { stretch, swell: { value: 0 }, tint: { value: [1, 1, 1] } };
  return new ShaderMaterial({ vertexShader: (instances ? ALONG : STANDING) + FACES, fragmentShader: PLAIN, uniforms });
}

export function lines(instances: boolean, nearer: number, strong: number): ShaderMaterial {
  const uniforms = { stretch, nearer: { value: nearer }, strong: { value: strong }, tint: { value: [1, 1, 1] } };
  return new ShaderMaterial({ vertexShader: (instances ? ALONG : STANDING) + LINES, fragmentShader: PLAIN, uniforms });
}

/** Without light, for what lies on the ground. */
export function flat(): ShaderMaterial {
  const unlit = FACES.replace("shade = own * light + 0.13 * gleam;", "shade = own;");
  return new ShaderMaterial({ vertexShader: ALONG + unlit, fragmentShader: PLAIN, uniforms: { stretch, swell: { value: 0 } }, side: DoubleSide });
}

/** A coloured rim around what is picked: its back faces, swollen. */
export function halo(instances: boolean, colour: readonly number[]): ShaderMaterial {
  const uniforms = { stretch, swell: { value: 0 }, halo: { value: [...colour] }, tint: { value: [1, 1, 1] } };
  return new ShaderMaterial({ vertexShader: (instances ? ALONG : STANDING) + FACES, fragmentShader: HALO, uniforms, side: BackSide });
}

/** The triangles and the lines of a shape as three.js takes them; instances share their buffers. */
export function geometries(shape: Shape, instances: Instances | null): { faces: BufferGeometry; lines: BufferGeometry } {
  const make = (position: number[], look: number[], end: number[]): BufferGeometry => {
    const made = instances ? instances.geometry() : new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(Float32Array.from(position), 3));
    made.setAttribute("look", new BufferAttribute(Float32Array.from(look), 4));
    if (instances) made.setAttribute("end", new BufferAttribute(Float32Array.from(end), 1));
    return made;
  };
  const solid = make(shape.position, shape.look, shape.end);
  solid.setAttribute("normal", new BufferAttribute(Float32Array.from(shape.normal), 3));
  solid.setIndex(shape.index);
  return { faces: solid, lines: make(shape.linePosition, shape.lineLook, shape.lineEnd) };
}

/** The triangles of a shape for its rim: corners go outwards as one, or the rim would burst at the edges. */
export function swelling(shape: Shape, instances: Instances | null): BufferGeometry {
  const made = geometries(shape, instances).faces;
  const { position, normal, end } = shape;
  const sums = new Map<string, [number, number, number]>();
  const keys = end.map((of, v) => `${of} ${[0, 1, 2].map((k) => Math.round(1e7 * position[3 * v + k]!)).join(" ")}`);
  keys.forEach((key, v) => {
    const sum = sums.get(key) ?? [0, 0, 0];
    for (const k of [0, 1, 2] as const) sum[k] += normal[3 * v + k]!;
    sums.set(key, sum);
  });
  const outwards = keys.flatMap((key) => {
    const sum = sums.get(key)!;
    const length = Math.hypot(...sum) || 1;
    return sum.map((v) => (Math.SQRT2 * v) / length); // at an edge both faces go outwards by so much
  });
  made.setAttribute("normal", new BufferAttribute(Float32Array.from(outwards), 3));
  return made;
}

/** Where instances are: filled anew for every picture. */
export class Instances {
  readonly rear: InstancedBufferAttribute;
  readonly front: InstancedBufferAttribute;
  readonly pin: InstancedBufferAttribute;
  readonly tint: InstancedBufferAttribute;
  private readonly made: InstancedBufferGeometry[] = [];
  count = 0;

  constructor(readonly most: number) {
    const buffer = (): InstancedBufferAttribute => new InstancedBufferAttribute(new Float32Array(3 * Math.max(1, most)), 3).setUsage(DynamicDrawUsage);
    [this.rear, this.front, this.pin, this.tint] = [buffer(), buffer(), buffer(), buffer()];
  }

  geometry(): InstancedBufferGeometry {
    const made = new InstancedBufferGeometry();
    for (const name of ["rear", "front", "pin", "tint"] as const) made.setAttribute(name, this[name]);
    made.instanceCount = this.count;
    this.made.push(made);
    return made;
  }

  add(rear: ArrayLike<number>, front: ArrayLike<number>, pin: ArrayLike<number>, tint: ArrayLike<number>): void {
    const k = 3 * this.count++;
    this.rear.array.set(rear, k);
    this.front.array.set(front, k);
    this.pin.array.set(pin, k);
    this.tint.array.set(tint, k);
  }

  /** What was added since clear() is drawn. */
  done(): void {
    for (const name of ["rear", "front", "pin", "tint"] as const) this[name].needsUpdate = true;
    for (const each of this.made) each.instanceCount = this.count;
  }

  clear(): void {
    this.count = 0;
  }
}
