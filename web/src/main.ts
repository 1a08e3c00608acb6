import "uplot/dist/uPlot.min.css";
import "./style/index.css";
import "./stage/stage.css";
import { startCharts } from "./charts/index";
import { loadReport } from "./data";
import { startStage } from "./stage/index";
import { store } from "./store";

async function start(): Promise<void> {
  const report = await loadReport(document);
  store.visible.value = report.results.map(() => true);
  store.time.value = Math.min(...report.results.map((result) => result.timeRange[0]));
  startStage(report);
  startCharts(report);
}

start().catch((problem: unknown) => {
  console.error(problem);
  const place = document.getElementById("stage") ?? document.body;
  const text = document.createElement("p");
  text.className = "problem";
  text.setAttribute("role", "alert");
  text.textContent = `The animation and the curves cannot be shown: ${problem instanceof Error ? problem.message : String(problem)}. Tables and text of this report are complete.`;
  place.prepend(text);
});
