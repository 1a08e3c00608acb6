/** What an empty file begins with: a template and its few numbers, or an empty drive. */
import { h } from "../dom";
import { act, edit } from "./session";
import type { Template } from "./types";

/** templates: all of them; begun: called when there is a drive. */
export function startPage(templates: Template[], begun: () => void): HTMLElement {
  const form = h("form", { class: "questions" });
  const kinds = h("div", { class: "kinds explained" });
  const choose = (template: Template): void => {
    kinds.classList.remove("explained"); // the title is above the questions then
    ask(form, template, begun);
  };
  const kind = (name: string, about: string, onclick: () => void): Node[] => [h("button", { type: "button", class: "tool text", title: about, onclick }, name), h("span", { class: "about" }, about)];
  for (const template of templates) kinds.append(...kind(template.kind.replaceAll("_", " "), `${template.title}.`, () => choose(template)));
  kinds.append(...kind("empty drive", "A chain, and wheels that you place.", () => void beginEmpty(begun)));
  return h("section", { id: "begin", class: "panel" }, h("h2", {}, "Begin with"), kinds, form);
}

/** The smallest beginning: what every drive has, and nothing that only its owner knows. */
async function beginEmpty(begun: () => void): Promise<void> {
  const fields: [string, unknown][] = [["name", "drive"], ["gravity", ["0 m/s^2", "-9.81 m/s^2"]], ["loop", "counterclockwise"]]; // prettier-ignore
  const changes = fields.map(([key, value]) => ({ kind: "set" as const, path: [key], value }));
  const chain = { kind: "set" as const, path: ["chain", "standard"], value: "08B-1" };
  const links = { kind: "set" as const, path: ["chain", "links"], value: "auto" };
  if (await edit([...changes, chain, links], "begin with an empty drive")) begun();
}

function ask(form: HTMLFormElement, template: Template, begun: () => void): void {
  const inputs = template.questions.map((question) => {
    const id = `question-${question.name}`;
    const control = question.options
      ? h("select", { id }, ...Object.entries(question.options).map(([word, meaning]) => h("option", { value: word, selected: word === question.default }, meaning ? `${word}: ${meaning}` : word)))
      : h("input", { id, type: "text", value: question.default, autocomplete: "off" });
    return { question, control, row: h("div", { class: "field" }, h("div", { class: "line" }, h("label", { for: id }, question.text), control), h("small", { class: "hint" }, question.options ? "" : question.allowed)) };
  });
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answers = Object.fromEntries(inputs.map(({ question, control }) => [question.name, control.value]));
    if (await act("begin", { kind: template.kind, answers })) begun();
  };
  form.replaceChildren(h("p", {}, `${template.title}.`), ...inputs.map(({ row }) => row), h("button", { type: "submit", class: "tool text primary" }, "Draw it"));
  form.onsubmit = (event) => void make(event);
  const first = inputs[0]?.control;
  first?.focus();
  if (first instanceof HTMLInputElement) first.select(); // what is typed takes the place of the default
}
