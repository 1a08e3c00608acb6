/** Everything of the page that can be kept: charts, tables, all data, the drawing, a link. */
import { button, element } from "../charts/html";
import { timeRange } from "../charts/timechart";
import type { Report } from "../data";
import { number } from "../format";
import type { Stage } from "../stage/index";
import { effect, store } from "../store";
import { downloadDrawing, recordVideo, type Recording, videoType } from "./drawing";
import { copyText } from "./files";
import { Link } from "./link";
import { attempt, closeMenusOutside, menu, offerTables } from "./menu";
import { downloadZip } from "./zip";
import { holdDrops } from "./overlay";
import "./save.css";

export function startSave(report: Report, stage: Stage): void {
  closeMenusOutside();
  holdDrops();
  offerTables();
  const link = new Link(report, stage);
  offerDrawing(report, stage);
  if (report.header.live) return; // its address and its data end with the run
  const said = element("span", { class: "save-said", role: "status" });
  const zip = button("All data (zip)", "Curves, loop, spectra, orders, waterfall and tables as CSV", () => {
    said.textContent = "Packing …";
    setTimeout(() => void attempt(said, "", () => downloadZip(report)), 30); // said before it is done
  });
  const copy = button("Copy link", "A link to this file with time, selection, zooms and content of the charts", () => void attempt(said, "Link copied.", () => copyText(link.address())));
  document.querySelector("body > header")?.append(element("div", { class: "chart-tools save-page", role: "group", "aria-label": "Save" }, zip, copy, said));
}

/** Picture and video of the drawing. */
function offerDrawing(report: Report, stage: Stage): void {
  const bar = document.querySelector("#stage .transport");
  if (!bar) return;
  let recording: Recording | null = null;
  const range = (): [number, number] => timeRange.peek() ?? [stage.player.first, stage.player.end];
  const video = button("Video", "", () => {
    if (recording) return recording.stop();
    void attempt(made.said, "", () => {
      recording = recordVideo(report, stage, range(), (part) => (made.said.textContent = `Recording: ${Math.round(100 * part)} %`), (problem) => {
        recording = null;
        video.textContent = "Video";
        made.said.textContent = problem ? `This failed: ${problem.message}.` : "Saved.";
      });
      video.textContent = "Stop and save";
    });
  });
  const about = element("p", { class: "save-said" });
  const made = menu("Save the drawing", button("PNG", "A picture of the drawing as shown", () => void attempt(made.said, "", () => downloadDrawing(report, stage))), video, about);
  made.box.classList.add("save-drawing");
  made.box.addEventListener("toggle", () => {
    const [from, to] = range();
    video.disabled = videoType() === null;
    about.textContent = video.disabled ? "This browser cannot record videos." : `The video plays ${number(from, 4)} s to ${number(to, 4)} s (the part shown in the curves) at the selected speed: ${number((to - from) / store.speed.peek(), 2)} s long.`;
  });
  effect(() => {
    if (store.playing.value) recording?.stop();
  });
  (bar.querySelector(".more") ?? bar).append(made.box);
}
