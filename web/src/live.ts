/** The page while a computation is running: what is new is fetched and appended; then the finished report is opened. */
import type { Report } from "./data";
import { h, setText } from "./dom";
import { number } from "./format";
import type { Stage } from "./stage/index";
import { store } from "./store";
import type { Feed } from "./types";

const INTERVAL = 250;
/** So many failed requests in a row mean that the program has ended. */
const PATIENCE = 8;
/** An answer with so many frames is not the last of its kind. */
const MANY = 200;

/** "about 3 min" */
export function duration(seconds: number): string {
  if (seconds < 1) return "less than a second";
  if (seconds < 90) return `about ${Math.round(seconds)} s`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`;
  return `about ${number(seconds / 3600, 2)} h`;
}

export function statusText(feed: Feed): string {
  const part = feed.until > 0 ? ` (${Math.floor((100 * feed.time) / feed.until)} %)` : "";
  const message = feed.message ? `: ${feed.message}` : "";
  switch (feed.state) {
    case "starting":
      return `Starting${message}`;
    case "running":
      return `Running: ${number(feed.time, 4)} of ${number(feed.until, 4)} s${part}${feed.remaining === null ? "" : `, ${duration(feed.remaining)} left`}${message}`;
    case "paused":
      return `Paused at ${number(feed.time, 4)} of ${number(feed.until, 4)} s${part}${message}`;
    case "finished":
      return `Finished at ${number(feed.time, 4)} s${message}`;
    case "failed":
      return `Stopped at ${number(feed.time, 4)} s${message}`;
    case "interrupted":
      return `Interrupted at ${number(feed.time, 4)} s${message}`;
  }
}

/** Whether the run goes on, or would if it were not paused. */
function lasts(feed: Feed | null): boolean {
  return feed !== null && (feed.state === "running" || feed.state === "paused");
}

export function startLive(report: Report, stage: Stage): void {
  const result = report.results[0];
  if (!result) return;
  const status = h("div", { class: "live-status" }, "Waiting for the simulation");
  const announced = h("p", { class: "visually-hidden", role: "status" }); // changes of the state only
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the run" });
  let latest: Feed | null = null;
  const ask = (what: string): void => void fetch(`./${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "null" }).then((answer) => answer.text()).catch(() => undefined);
  const pause = h("button", { type: "button", disabled: true, onclick: () => ask(latest?.state === "paused" ? "continue" : "pause") }, "Pause");
  const stop = h("button", { type: "button", disabled: true, title: "End the run here; its results are kept", onclick: () => ask("stop") }, "Stop");
  const buttons = h("div", { class: "live-buttons" }, pause, stop);
  const show = (feed: Feed | null): void => {
    for (const button of [pause, stop]) button.toggleAttribute("disabled", !lasts(feed));
    setText(pause, feed?.state === "paused" ? "Continue" : "Pause");
  };
  (document.getElementById("stage") ?? document.body).prepend(h("div", { class: "live" }, status, buttons, bar, announced));
  stage.player.atEdge = true;
  let failures = 0;
  let generation = 0;
  const page = Math.floor(Math.random() * 1e15); // which of several pages that watch the same run

  const poll = async (): Promise<void> => {
    let wait = INTERVAL;
    try {
      const answer = await fetch(`./feed?after=${result.frames.count}&generation=${generation}&page=${page}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(`HTTP status ${answer.status}`);
      const feed = (await answer.json()) as Feed;
      failures = 0;
      if (latest?.state !== feed.state) setText(announced, statusText(feed));
      latest = feed;
      generation = feed.generation ?? 0;
      setText(status, statusText(feed));
      show(feed);
      bar.value = feed.until > 0 ? Math.min(1, feed.time / feed.until) : 0;
      if (await result.take(feed)) store.version.value++;
      if ((feed.frames?.kept ?? 0) >= MANY) wait = 20; // there is more to fetch
      if (feed.report !== null) {
        window.location.replace(`${feed.report}?page=${page}`);
        return;
      }
    } catch (problem) {
      if (++failures >= PATIENCE) {
        const over = latest !== null && latest.state !== "starting" && !lasts(latest);
        show(null);
        const reason = problem instanceof Error ? problem.message : String(problem);
        setText(status, over ? `${statusText(latest!)} The simulation program has ended; the report is beside the results file.` : `Connection to the simulation lost (${reason}). The page shows everything received so far.`);
        return;
      }
    }
    window.setTimeout(() => void poll(), wait);
  };
  void poll();
}
