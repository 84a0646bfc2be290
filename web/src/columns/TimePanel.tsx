// Clusters over time: one row of columns per cluster.
import type { JSX } from "preact";
import { get } from "../api/client";
import type { Timeline } from "../api/types";
import { css } from "../map/colors";
import { colorOfCluster } from "../map/look";
import { Answer } from "../parts/Answer";
import { Columns } from "../parts/Columns";
import { count, cut } from "../parts/format";
import { useAsked } from "../state/asked";
import { columns, state } from "../state/index";
import { go, view } from "../state/view";
import { ColumnSelect } from "./ColumnSelect";

const SHOWN = 40;

export function TimePanel(): JSX.Element {
  const dates = columns.value.filter((each) => each.kind === "date" || (each.kind === "number" && /^(year|date|time|month|published)/i.test(each.name)));
  const name = dates.find((each) => each.name === view.value.column)?.name ?? dates[0]?.name ?? "";
  const asked = useAsked(name ? (signal) => get<Timeline>("/columns/timeline", { name, by: "cluster" }, signal) : null, [name, state.value]);
  return (
    <>
      <div><h2>Time</h2><p class="lead">When the documents of each cluster are from.</p></div>
      {!dates.length && <p class="empty">No column of these documents holds dates. Documents from a table or a mail folder have them: a column of dates, or of years.</p>}
      {dates.length > 0 && <ColumnSelect columns={dates} value={name} />}
      <Answer of={asked}>{(timeline) => <Rows timeline={timeline} />}</Answer>
    </>
  );
}

function Rows({ timeline }: { timeline: Timeline }): JSX.Element {
  const size = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);
  const order = [...timeline.series].sort((a, b) => size(b.counts) - size(a.counts)), all = timeline.bins.map((_, i) => order.reduce((sum, each) => sum + (each.counts[i] ?? 0), 0));
  const bins = (counts: readonly number[]): { name: string; value: number; of: number }[] => timeline.bins.map((name, i) => ({ name, value: counts[i] ?? 0, of: all[i] ?? 0 }));
  return (
    <>
      <section><h3>All documents by {timeline.period}</h3><Columns bins={bins(all)} label="All documents" height={96} /></section>
      <ul class="stack" aria-label="Clusters over time">
        {order.slice(0, SHOWN).map((each) => {
          const number = each.cluster ?? -1, name = each.name ?? each.value ?? "";
          return (
            <li key={`${String(number)} ${name}`}>
              <div class="row apart">
                <button type="button" class="link flush grow" dir="auto" onClick={() => { go({ selection: { by: "cluster", cluster: String(number) } }); }}><span class="chip" style={{ background: css(colorOfCluster(number)) }} /> {cut(name, 100)}</button>
                <span class="count">{count(size(each.counts))}</span>
              </div>
              <Columns bins={bins(each.counts)} label={cut(name, 100)} height={52} color={css(colorOfCluster(number))} />
            </li>
          );
        })}
      </ul>
    </>
  );
}
