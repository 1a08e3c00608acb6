/**
 * Light or dark: as the system is set, or as the reader chose. The colours are in tokens.css alone; what is drawn by script reads them here.
 * Knows nothing of the rest of the page: every bundle holds its own copy, and all of them hear of a change.
 */

export type Choice = "system" | "light" | "dark";
export const CHOICES: Choice[] = ["system", "light", "dark"];

const CHANGE = "chaindrive-colours";
const KEPT = "chaindrive-appearance";
const DARK = "(prefers-color-scheme: dark)";
const CONDITIONS: Record<Choice, string> = { system: `screen and ${DARK}`, light: "not all", dark: "screen" };

/** The colour of a token of tokens.css, "" where there is no page. */
export function token(name: string): string {
  return typeof document === "undefined" ? "" : getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Run now, and whenever the colours have changed. */
export function painted(run: () => void): void {
  if (typeof document === "undefined") return; // tests outside of a browser draw nothing
  run();
  document.addEventListener(CHANGE, run);
}

export function isDark(): boolean {
  return token("scheme") === "dark";
}

/** The rules of the style sheet for dark screens, found once by their condition. */
let rules: CSSMediaRule[] | null = null;

function apply(condition: string): void {
  rules ??= [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.media.mediaText.includes("prefers-color-scheme"));
  for (const rule of rules) rule.media.mediaText = condition;
  announce();
}

let announced = "";

/** Tell that the colours have changed, if they have. */
function announce(): void {
  const scheme = token("scheme");
  if (scheme === announced) return;
  announced = scheme;
  document.dispatchEvent(new Event(CHANGE));
}

/** Run with the colours of paper, which pictures to be kept have. */
export function inLight<T>(run: () => T): T {
  apply(CONDITIONS.light);
  try {
    return run();
  } finally {
    apply(CONDITIONS[chosen]);
  }
}

let chosen: Choice = "system";

export function choose(choice: Choice): void {
  chosen = choice;
  apply(CONDITIONS[choice]);
  try {
    localStorage.setItem(KEPT, choice);
  } catch {
    // a page that may keep nothing asks the system every time
  }
}

export function choice(): Choice {
  return chosen;
}

/** Take up what was chosen before, and follow the system and the printer. Once, by the page's own script, before anything is drawn. */
export function startTheme(): void {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // as above
  }
  chosen = CHOICES.find((one) => one === kept) ?? "system";
  apply(CONDITIONS[chosen]);
  for (const media of [DARK, "print"]) matchMedia(media).addEventListener("change", announce);
  // paper is light: pictures for it are made from the screen's colours of that time
  addEventListener("beforeprint", () => apply(CONDITIONS.light));
  addEventListener("afterprint", () => apply(CONDITIONS[chosen]));
}
