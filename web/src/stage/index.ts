import type { Report } from "../data";

export function startStage(_report: Report): void {}
