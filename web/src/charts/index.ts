import type { Report } from "../data";

export function startCharts(_report: Report): void {}
