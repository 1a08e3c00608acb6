/** Buttons in the tables that lead to a moment and a part of the drive. */
import type { Report } from "../data";
import { exists, KINDS } from "../stage/parts";
import type { Player } from "../stage/player";
import { type Pick, store } from "../store";

/** The moment and the part that a button names in its data-jump-... attributes. */
export function jumpOf(data: DOMStringMap): { result: number; time: number; pick: Pick | null } | null {
  const time = Number(data.jumpTime);
  if (data.jumpTime === undefined || data.jumpTime === "" || !Number.isFinite(time)) return null;
  const result = Number(data.jumpResult ?? 0) || 0;
  for (const kind of KINDS) {
    const index = data[`jump${kind[0]!.toUpperCase()}${kind.slice(1)}`];
    if (index !== undefined && index !== "" && Number.isInteger(Number(index))) return { result, time, pick: { result, kind, index: Number(index) } };
  }
  return { result, time, pick: null };
}

export function listenToJumps(report: Report, player: Player, stage: HTMLElement | null): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element | null)?.closest?.<HTMLElement>("button.jump");
    if (!button) return;
    const row = button.closest<HTMLElement>("tr");
    const jump = jumpOf(button.dataset) ?? (row ? jumpOf(row.dataset) : null);
    if (!jump) return;
    const result = report.results[jump.result];
    if (result && store.visible.value[jump.result] === false) store.visible.value = store.visible.value.map((shown, k) => shown || k === jump.result);
    player.goTo(jump.time);
    if (jump.pick && result && exists(result, jump.pick)) store.picked.value = jump.pick;
    // the drawing itself: on a narrow screen the stage with all its controls is higher than the window
    const drawing = stage?.querySelector<HTMLElement>(".stage-frame") ?? stage;
    drawing?.scrollIntoView({ block: "nearest", behavior: window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    stage?.querySelector<HTMLElement>("canvas")?.focus({ preventScroll: true });
  });
}
