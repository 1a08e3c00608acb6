/** Everything of the page that can be kept: charts, tables, all data, the drawing, a link. */
import { button, element } from "../charts/html";
import type { Report } from "../data";
import type { Stage } from "../stage/index";
import { attempt, closeMenusOutside, offerTables } from "./menu";
import { downloadZip } from "./zip";
import "./save.css";

export function startSave(report: Report, stage: Stage): void {
  closeMenusOutside();
  offerTables();
  const said = element("span", { class: "save-said", role: "status" });
  const zip = button("All data (zip)", "Curves, loop, spectra, orders, waterfall and tables as CSV", () => {
    said.textContent = "Packing …";
    setTimeout(() => void attempt(said, "", () => downloadZip(report)), 30); // said before it is done
  });
  if (report.header.live) return;
  const tools = element("div", { class: "chart-tools save-page", role: "group", "aria-label": "Save" }, zip, said);
  document.querySelector("body > header")?.append(tools);
  void stage;
}
