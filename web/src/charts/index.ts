/** All charts of the page. */
import type { Report } from "../data";
import { startCampbell } from "./campbell";
import { startCurves } from "./curves";
import { startFree } from "./free";
import { startLoop } from "./loop";
import { startPicked } from "./picked";
import { printCharts } from "./plot";
import { startNav } from "../style/nav";
import { startOrders, startSpectra } from "./spectra";

export function startCharts(report: Report): void {
  const start = (id: string, run: (report: Report, place: HTMLElement) => void) => {
    const place = document.getElementById(id);
    if (place) run(report, place);
  };
  start("details", startPicked);
  start("curves", startCurves);
  start("free", startFree);
  start("loop", startLoop);
  start("spectra", startSpectra);
  start("orders", startOrders);
  start("campbell", startCampbell);
  printCharts();
  startNav(document);
}
