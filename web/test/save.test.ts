import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersIn } from "../src/save/kept";
import { namedUnit, readColumns, rmsDifference, unitFactor, UnreadableError } from "../src/save/measured";
import { csvOf, digits, tabbedOf, within } from "../src/save/table";

test("numbers have all their digits and no more", () => {
  assert.equal(digits(Math.fround(0.1)), "0.1");
  assert.equal(digits(0.1), "0.1");
  assert.equal(digits(Math.fround(185.774612)), "185.77461");
  assert.equal(Math.fround(Number(digits(Math.fround(1 / 3)))), Math.fround(1 / 3));
  assert.equal(digits(1 / 3), String(1 / 3));
  assert.equal(digits(NaN), "");
});

test("a table as CSV and for a spreadsheet", () => {
  const table = { comments: ["two\nlines"], headings: ["time [s]", 'a "b", c [N]', "=1+1"], columns: [[0, 0.1], [1, null], ["x", "-2"]] };
  assert.equal(csvOf(table), '# two lines\r\ntime [s],"a ""b"", c [N]",\'=1+1\r\n0,1,x\r\n0.1,,-2\r\n');
  assert.equal(tabbedOf(table), 'time [s]\ta "b", c [N]\t=1+1\n0\t1\tx\n0.1\t\t-2');
  assert.deepEqual(within(table, [0.05, 1]).columns, [[0.1], [null], ["-2"]]);
});

test("measured files with all separators, decimal commas, units in the names or below them", () => {
  for (const text of ["t [ms];F [kN]\n0,5;1,25\n1;-2e3\n", "\ufefft [ms]\tF [kN]\r\n0.5\t1.25\r\n1\t-2e3\r\n", '# bench\n"t (ms)","F (kN)"\n0.5,1.25\n\n1,-2E3\n', "t;F\n[ms];[kN]\n0,5;1,25\n1;-2000\n"]) {
    const [t, force] = readColumns(text);
    assert.deepEqual([t!.name, t!.unit, force!.name, force!.unit], ["t", "ms", "F", "kN"]);
    assert.deepEqual([...t!.values], [0.5, 1]);
    assert.deepEqual([...force!.values], [1.25, -2000]);
  }
  assert.ok(Number.isNaN(readColumns("t [s],a [N],b [N]\n0,,1\n1,2,3\n")[1]!.values[0]));
  assert.deepEqual(namedUnit("force / kN"), ["force", "kN"]);
});

test("what cannot be read is told with its line", () => {
  const said = (text: string) => {
    try {
      readColumns(text);
    } catch (problem) {
      assert.ok(problem instanceof UnreadableError);
      return problem.message;
    }
    return "";
  };
  assert.match(said("t [s],F [N]\n0,1\n1,two\n"), /^Line 3, column "F": "two" cannot be read/);
  assert.match(said("t [s],F [N]\n0,1.2.3\n"), /^Line 2/);
  assert.match(said(""), /no lines/);
  assert.match(said("0,1\n1,2\n"), /^Line 1 has numbers where names are expected/);
  assert.match(said("alone\n1\n"), /^Line 1 has one column/);
});

test("units of the same quantity are converted, others refused", () => {
  assert.equal(unitFactor("ms", "s"), 1e-3);
  assert.equal(unitFactor("kN", "N"), 1e3);
  assert.equal(unitFactor("Nm", "N m"), 1);
  assert.equal(unitFactor("rpm", "rad/s"), Math.PI / 30);
  assert.ok(Math.abs(unitFactor("rad/s", "rpm")! - 30 / Math.PI) < 1e-12);
  assert.equal(unitFactor("bar", "Pa"), 1e5);
  assert.equal(unitFactor("bar", "N"), null);
  assert.equal(unitFactor("rev", "°"), 360);
  assert.equal(unitFactor("deg", "rev"), 1 / 360);
  assert.equal(unitFactor("°", "pitches"), null);
  assert.equal(unitFactor("mm", "m"), 1e-3);
});

test("the difference of two polylines is exact, over what both have", () => {
  // y = x and y = 0 on 0..1: the root of the integral of x squared
  assert.ok(Math.abs(rmsDifference([0, 1], [0, 1], [0, 0.3, 1], [0, 0, 0])!.rms - Math.sqrt(1 / 3)) < 1e-12);
  const shifted = rmsDifference([0, 2], [5, 5], [1, 4], [2, 2])!;
  assert.deepEqual([shifted.rms, shifted.from, shifted.to], [3, 1, 2]);
  assert.equal(rmsDifference([0, 1], [0, 0], [2, 3], [0, 0]), null);
  // a gap does not count
  assert.equal(rmsDifference([0, 1, 2], [1, 1, NaN], [0, 2], [0, 0])!.rms, 1);
});

test("numbers of a link are checked", () => {
  assert.deepEqual(numbersIn("1,-2.5,3e-4", 3), [1, -2.5, 3e-4]);
  for (const bad of [null, "", "1", "1,2,3", "NaN,1", "1e999,1", "0x10,1", " 1,2", "1,javascript:1"]) assert.equal(numbersIn(bad, 2), null);
});
