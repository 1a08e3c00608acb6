/** The switch between light and dark, and what of the head of the page has a colour of its own. */
import { choice as chooser } from "../charts/html";
import { legible } from "../charts/look";
import type { Header } from "../types";
import { effect, store } from "../store";
import { type Choice, choice, choose, CHOICES } from "./theme";

const NAMES: Record<Choice, string> = { system: "system setting", light: "light", dark: "dark" };

export function offerAppearance({ colours }: Header): void {
  const header = document.querySelector("body > header");
  if (!header) return;
  const options = CHOICES.map((one): [string, string] => [one, NAMES[one]]);
  const control = chooser("Colours", options, choice(), (chosen) => choose(chosen as Choice));
  control.classList.add("appearance");
  control.querySelector("select")!.setAttribute("aria-label", "Colours of the page");
  header.prepend(control);
  const labels = [...header.querySelectorAll<HTMLElement>(".labels li")];
  effect(() => {
    void store.colours.value;
    labels.forEach((label, k) => label.style.setProperty("--colour", legible(colours.results[k] ?? "")));
  });
}
