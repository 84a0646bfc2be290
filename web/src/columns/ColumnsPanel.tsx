// Clusters by a column, as a heat map of what is more and less than chance would make it.
import type { JSX } from "preact";
import { get } from "../api/client";
import type { CrossTable } from "../api/types";
import { Answer } from "../parts/Answer";
import { count, cut, signed } from "../parts/format";
import { conditionOf } from "../search/SearchPanel";
import type { Selected } from "../state/address";
import { useAsked } from "../state/asked";
import { columns, state } from "../state/index";
import { go, view } from "../state/view";
import { ColumnSelect } from "./ColumnSelect";

const WIDEST = 24;
const FOLDER = "folder"; // made from ids, and no column of the documents: no condition knows it

/** The colour of a cell: the more it differs from chance the stronger, one hue for more and one for less. */
export function heatOf(residual: number): string {
  const share = Math.min(1, Math.abs(residual) / 8);
  return `color-mix(in srgb, var(${residual < 0 ? "--minus" : "--plus"}) ${(34 * share).toFixed(1)}%, transparent)`;
}

/** What a cell counts: the documents of a cluster that have a value. */
export function selectedBy(cluster: number, column: string, value: string): Selected {
  if (column === FOLDER || value === "") return { by: "cluster", cluster: String(cluster) };
  return { by: "where", where: `cluster=${String(cluster)} AND ${conditionOf(column, value)}` };
}

export function ColumnsPanel(): JSX.Element {
  const known = columns.value.filter((each) => each.kind === "category" && !["cluster", "source"].includes(each.name) && each.distinct > 1);
  const name = (known.find((each) => each.name === view.value.column) ?? known.find((each) => each.name !== FOLDER) ?? known[0])?.name ?? "";
  const asked = useAsked(name ? (signal) => get<CrossTable>("/columns/table", { name }, signal) : null, [name, state.value]);
  return (
    <>
      <div><h2>Columns</h2><p class="lead">How many documents of each cluster have each value. Blue: more than chance; orange: fewer.</p></div>
      {!known.length && <p class="empty">These documents have no column with a few values.</p>}
      {known.length > 0 && <ColumnSelect columns={known} value={name} />}
      <Answer of={asked}>{(table) => <Heat table={table} name={name} />}</Answer>
    </>
  );
}

function Heat({ table, name }: { table: CrossTable; name: string }): JSX.Element {
  const shown = table.columns.slice(0, WIDEST);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={`Clusters by ${name}`}>
      <table class="heat">
        <caption class="hidden-text">Documents of each cluster by {name}</caption>
        <thead><tr><th scope="col">cluster</th>{shown.map((value) => <th key={value} scope="col"><span class="upright" dir="auto">{cut(value, 28) || "(none)"}</span></th>)}</tr></thead>
        <tbody>
          {table.clusters.map((cluster, i) => (
            <tr key={cluster.number}>
              <th scope="row" dir="auto">{cut(cluster.name, 44)}</th>
              {shown.map((value, j) => {
                const size = table.counts[i]?.[j] ?? 0, residual = table.residuals[i]?.[j] ?? 0;
                const said = `${count(size)} documents, ${signed(residual)} standard deviations from chance`;
                return <td key={value} style={{ background: heatOf(residual) }}><button type="button" title={said} onClick={() => { go({ selection: selectedBy(cluster.number, name, value) }); }}>{size || ""}<span class="hidden-text">{said}</span></button></td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
