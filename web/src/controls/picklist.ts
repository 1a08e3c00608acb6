/** The list of everything that can be picked, for those who do not click into drawings. */
import type { Report } from "../data";
import { h, setText } from "../dom";
import { countOf, exists, kindName, KINDS, nameOf } from "../stage/parts";
import { effect, type PickKind, store } from "../store";

/** More parts than this are chosen by number. */
const LIST_LIMIT = 30;

export interface PickList {
  element: HTMLElement;
  /** The next or previous of the kind that is picked. */
  next(by: number): void;
}

export function makePickList(report: Report): PickList {
  const results = report.results;
  const result = h("select", { "aria-label": "Result to select from" });
  results.forEach((r, k) => result.append(h("option", { value: k }, r.header.label)));
  const kind = h("select", { "aria-label": "Kind of part to select" }, h("option", { value: "" }, "no part"));
  const item = h("span", { class: "pick-item" });
  const clear = h("button", { type: "button", class: "tool text", onclick: () => (store.picked.value = null) }, "Clear");
  const step = (by: number, label: string, sign: string): HTMLButtonElement => h("button", { type: "button", class: "tool text", "aria-label": label, title: label, onclick: () => next(by) }, sign);
  const previous = step(-1, "Previous part of this kind (p)", "‹");
  const following = step(1, "Next part of this kind (n)", "›");
  const follow = h("input", { type: "checkbox" });
  follow.addEventListener("change", () => (store.following.value = follow.checked));

  const fillKinds = (): void => {
    const chosen = results[Number(result.value)] ?? results[0]!;
    kind.replaceChildren(h("option", { value: "" }, "no part"), ...KINDS.filter((k) => countOf(chosen, k) > 0).map((k) => h("option", { value: k }, kindName(chosen, k)[0].toLowerCase())));
  };
  fillKinds();

  const pickFirst = (): void => {
    const k = kind.value as PickKind | "";
    store.picked.value = k ? { result: Number(result.value), kind: k, index: 0 } : null;
  };
  kind.addEventListener("change", pickFirst);
  result.addEventListener("change", () => {
    const old = store.picked.value;
    fillKinds();
    const moved = old ? { ...old, result: Number(result.value) } : null;
    store.picked.value = moved && exists(results[moved.result]!, moved) ? moved : null;
  });

  let shown = "";
  effect(() => {
    const pick = store.picked.value;
    const k = pick?.kind ?? "";
    if (pick && result.value !== String(pick.result)) {
      result.value = String(pick.result);
      fillKinds();
    }
    kind.value = k;
    previous.disabled = following.disabled = clear.disabled = follow.disabled = pick === null;
    const key = pick ? `${pick.result} ${k}` : "";
    if (key !== shown) {
      shown = key;
      item.replaceChildren();
      if (pick) item.append(chooser(pick.result, pick.kind));
    }
    const input = item.querySelector<HTMLSelectElement | HTMLInputElement>("select, input");
    if (input && pick && (document.activeElement !== input || (input.value !== "" && Number(input.value) !== pick.index))) input.value = String(pick.index);
  });
  effect(() => {
    follow.checked = store.following.value;
  });

  function chooser(r: number, k: PickKind): HTMLElement {
    const n = countOf(results[r]!, k);
    const label = `${kindName(results[r]!, k)[0]} to select`;
    const choose = (index: number): boolean => {
      const good = Number.isInteger(index) && index >= 0 && index < n;
      if (good) store.picked.value = { result: r, kind: k, index };
      return good;
    };
    if (n > LIST_LIMIT) {
      const input = h("input", { type: "number", min: 0, max: n - 1, step: 1, inputmode: "numeric", "aria-label": `${label}, 0 to ${n - 1}` });
      input.addEventListener("input", () => input.setAttribute("aria-invalid", String(input.value === "" || !choose(Number(input.value)))));
      input.addEventListener("change", () => {
        input.removeAttribute("aria-invalid");
        input.value = String(store.picked.value?.index ?? "");
      });
      return h("span", {}, input, h("span", { class: "unit" }, ` 0 … ${n - 1}`));
    }
    const list = h("select", { "aria-label": label });
    for (let index = 0; index < n; index++) list.append(h("option", { value: index }, nameOf(results[r]!, k, index)));
    list.addEventListener("change", () => choose(Number(list.value)));
    return list;
  }

  function next(by: number): void {
    const pick = store.picked.value;
    if (!pick) {
      kind.value = KINDS.find((k) => countOf(results[Number(result.value)]!, k) > 0) ?? "";
      pickFirst();
      return;
    }
    const n = countOf(results[pick.result]!, pick.kind);
    store.picked.value = { ...pick, index: (pick.index + by + n) % n };
  }

  const live = h("p", { class: "visually-hidden", "aria-live": "polite" });
  effect(() => {
    const pick = store.picked.value;
    setText(live, pick ? `${kindName(results[pick.result]!, pick.kind)[0]} ${nameOf(results[pick.result]!, pick.kind, pick.index)} selected` : "");
  });
  const element = h(
    "fieldset",
    { class: "panel pick" },
    h("legend", {}, "Selected part"),
    h("div", { class: "row" }, ...(results.length > 1 ? [result] : []), kind, item),
    h("div", { class: "row" }, previous, following, clear, h("label", { class: "check" }, follow, "follow")),
    live,
  );
  return { element, next };
}
