import assert from "node:assert/strict";
import { test } from "node:test";
import { type Box, boxAt, Field, gapTo, leaderOf, NEAR, overlap, place, type Placed, through, type Wish } from "../src/stage/placing";

const boxOf = (wish: Wish, { offset }: Placed): Box => boxAt(wish.x + offset[0], wish.y + offset[1], wish.width, wish.height);

/** A row of wheels, so near that names fit nowhere between them. */
function crowded(count: number, radius: number, gap: number): Wish[] {
  return Array.from({ length: count }, (_, k) => ({ x: 60 + k * (2 * radius + gap), y: 150, radius, width: 90, height: 32 }));
}

test("covering something costs what is under the box", () => {
  const field = new Field(100, 100);
  field.box([40, 59, 40, 59], 2); // 5 by 5 cells of 4 px
  assert.equal(field.cost([40, 59.9, 40, 59.9]), 50);
  assert.equal(field.cost([0, 30, 0, 30]), 0);
  assert.equal(field.cost([-50, 500, -50, 500]), 50);
  field.line(0, 90, 99, 90, 0, 7);
  assert.equal(field.cost([0, 99, 88, 91]), 25 * 7);
});

test("distances from boxes to discs, and lines to them", () => {
  assert.equal(gapTo([20, 40, -5, 5], { x: 0, y: 0, radius: 12 }), 8);
  assert.equal(gapTo([5, 40, -5, 5], { x: 0, y: 0, radius: 12 }), 0);
  assert.deepEqual(leaderOf([20, 40, -5, 5], { x: 0, y: 0, radius: 12 }), [[20, 0], [12, 0]]); // prettier-ignore
  assert.ok(through([[0, 0], [100, 0]], [40, 60, -5, 5])); // prettier-ignore
  assert.ok(!through([[0, 10], [100, 10]], [40, 60, -5, 5])); // prettier-ignore
});

test("every name stands by its wheel or has a line to it; none cover each other", () => {
  const wishes = crowded(6, 22, 6);
  const field = new Field(420, 300);
  for (const { x, y, radius } of wishes) field.disc(x, y, radius, 3);
  const placed = place(wishes, field, wishes);
  const boxes = placed.map((one, k) => one && boxOf(wishes[k]!, one));
  assert.ok(placed.every(Boolean));
  placed.forEach((one, k) => {
    const box = boxes[k]!;
    assert.ok(box[0] >= 0 && box[1] <= 420 && box[2] >= 0 && box[3] <= 300);
    boxes.forEach((other, j) => assert.ok(j === k || !overlap(box, other!)));
    const own = gapTo(box, wishes[k]!);
    const nearest = Math.min(...wishes.filter((_, j) => j !== k).map((wish) => gapTo(box, wish)));
    assert.ok(one!.leader || (own <= NEAR && own < nearest), `${k}: ${own} ${nearest}`);
    if (!one!.leader) return;
    const line = leaderOf(box, wishes[k]!);
    boxes.forEach((other, j) => assert.ok(j === k || !through(line, other!)));
  });
  assert.ok(placed.some((one) => one!.leader));
});

test("what may cover nothing is left out where there is no room", () => {
  const field = new Field(200, 200);
  field.box([0, 199, 0, 199], 1000);
  const wish = { x: 100, y: 100, radius: 0, width: 60, height: 20 };
  assert.deepEqual(place([{ ...wish, most: 1000 }], field, []), [null]);
  assert.notEqual(place([wish], field, [])[0], null);
  assert.deepEqual(place([{ ...wish, width: 300 }], field, []), [null]); // it would be cut off
});

test("inside its wheel a name stands without a line", () => {
  const wish = { x: 100, y: 100, radius: 70, width: 60, height: 20, inside: [0, 25] as [number, number] };
  assert.deepEqual(place([wish], new Field(200, 200), [wish]), [{ offset: [0, 25], leader: false }]);
});
