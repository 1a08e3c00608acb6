/** The free chart as numbers: x, time, a column for every trace and for every mean; what does not belong to a row is empty. */
import { headed, type Table } from "../save/table";
import type { Trace } from "./traces";

export function tableOf(traces: readonly Trace[], x: string, labels: readonly { name: string; unit: string }[], remark: string): Table | null {
  if (!traces.length) return null;
  const headings = [x, "time [s]"];
  const columns: number[][] = [[], []];
  const block = (along: ArrayLike<number>, time: ArrayLike<number> | null, values: readonly { column: number; y: ArrayLike<number> }[]) => {
    const start = columns[0]!.length;
    for (let i = 0; i < along.length; i++) {
      for (const column of columns) column.push(NaN);
      columns[0]![start + i] = along[i]!;
      columns[1]![start + i] = time ? time[i]! : NaN;
      for (const { column, y } of values) columns[column]![start + i] = y[i]!;
    }
  };
  const column = (heading: string): number => {
    headings.push(heading);
    return columns.push([]) - 1;
  };
  const own = traces.map((_, k) => column(headed(labels[k]!.name, labels[k]!.unit)));
  const means = traces.map((trace, k) => (trace.mean ? column(headed(`${labels[k]!.name}, mean of ${trace.mean.periods}`, labels[k]!.unit)) : -1));
  for (const result of new Set(traces.map((trace) => trace.result))) {
    const of = traces.flatMap((trace, k) => (trace.result === result ? [{ trace, k }] : []));
    block(of[0]!.trace.x, of[0]!.trace.time, of.map(({ trace, k }) => ({ column: own[k]!, y: trace.y })));
  }
  traces.forEach((trace, k) => trace.mean && block(trace.mean.x, null, [{ column: means[k]!, y: trace.mean.y }]));
  return { comments: [remark], headings, columns };
}
