import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { acts } from "../src/editor/acting";
import { typedValue } from "../src/editor/forms";
import { pathOf } from "../src/editor/panels";
import { fieldAt, fieldOf, type Schema, useSchema, variantOf } from "../src/editor/schema";
import { placeOf } from "../src/editor/session";

const schema = JSON.parse(readFileSync(join(process.cwd(), "..", "src", "chaindrive", "examples", "drive.schema.json"), "utf8")) as Schema;
useSchema(schema);

/** The field at a path of a file that says this. */
function at(path: (string | number)[], file: unknown = { wheels: [{}], chain: {} }): NonNullable<ReturnType<typeof fieldAt>> {
  const value = (way: (string | number)[]): unknown => way.reduce<unknown>((here, step) => (here as Record<string, unknown> | undefined)?.[step], file);
  const field = fieldAt(path, value);
  assert.ok(field, path.join("."));
  return field;
}

test("a quantity has its unit and its range", () => {
  const mass = at(["wheels", 0, "mass"]);
  assert.deepEqual([mass.single, mass.numeric, mass.text, mass.unit], [true, true, true, "kg"]);
  assert.match(mass.range, /^> 0, ≤ 1e7$/);
  assert.equal(at(["wheels", 0, "teeth"]).whole, true);
});

test("a point is a pair, a table of points a list of pairs", () => {
  assert.equal(at(["wheels", 0, "position"]).pair, true);
  const guide = { guides: [{ shape: { kind: "spline", points: [] } }] };
  assert.equal(at(["guides", 0, "shape", "points"], guide).items?.pair, true);
});

test("the kinds of a table are offered, and the one given is found", () => {
  const motion = at(["wheels", 0, "motion"]);
  assert.deepEqual(motion.variants.map(({ word }) => word).sort(), ["angle_table", "constant_speed", "input", "orders", "run_down", "run_up", "speed_table"]);
  assert.equal(variantOf(motion, { kind: "run_down" })?.word, "run_down");
  assert.ok("orders" in (variantOf(motion, { kind: "orders" })?.schema.properties ?? {}));
  const torque = at(["wheels", 0, "torque"]);
  assert.equal(torque.single, true);
  assert.ok(torque.items !== null);
  assert.ok(torque.variants.some(({ word }) => word === "induction_motor"));
});

test("every field of the schema can be shown", () => {
  const seen = new Set<Schema>();
  const walk = (field: ReturnType<typeof fieldOf>, path: string): void => {
    const ways = [field.words.length > 0, field.single, field.bool, field.variants.length > 0, field.items !== null, field.free];
    assert.ok(ways.some(Boolean), `${path}: nothing may be in it`);
    if (field.items) walk(field.items, `${path}[]`);
    for (const { schema: part } of field.variants) {
      const own = Object.values(part.properties ?? {})[0];
      if (!own || seen.has(own)) continue;
      seen.add(own);
      for (const [key, value] of Object.entries(part.properties ?? {})) if (path.length < 120 && !isFree(value)) walk(fieldOf(value), `${path}.${key}`);
    }
  };
  walk(fieldOf(schema), "");
});

/** A table of whatever one likes has no fields to show; what replaces a value of a bicycle is described with its wheel. */
function isFree(value: Schema & { additionalProperties?: unknown }): boolean {
  return typeof value.additionalProperties === "object" || Object.keys(value).join() === "description";
}

test("what is typed is a number where it reads as one", () => {
  const position = at(["wheels", 0, "position"]).items!;
  assert.equal(typedValue(" 0.25 ", position), 0.25);
  assert.equal(typedValue("280 mm", position), "280 mm");
  assert.equal(typedValue("1e-3", position), 0.001);
  assert.equal(typedValue("17", at(["wheels", 0, "name"])), "17");
  assert.equal(typedValue("auto", at(["chain", "links"])), "auto");
});

test("the place of a problem is a path, and back", () => {
  for (const place of ["wheels[2].motion.speed", "chain.links", "name", "stages[0].wheels[1].teeth"]) assert.equal(placeOf(pathOf(place)), place);
});

test("every kind of torque of the schema can be put on a wheel", () => {
  const offered = acts();
  const kinds = (key: string): string[] => offered.filter((act) => act.key === key).map(({ word }) => word);
  const torque = at(["wheels", 0, "torque"]).variants.map(({ word }) => word).filter((word) => word !== "law"); // prettier-ignore
  assert.deepEqual(kinds("torque"), ["", ...torque]);
  assert.ok(kinds("loads").includes("speed"));
  assert.ok(kinds("motion").includes("run_up"));
  for (const key of ["torque", "load_torque", "loads", "load_table", "vehicle", "motion"]) assert.ok(kinds(key).length > 0, key);
  assert.equal(offered.find(({ key }) => key === "load_torque")?.unit, "N*m");
});
