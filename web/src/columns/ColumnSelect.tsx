// Which column a panel is about; the address keeps it.
import type { JSX } from "preact";
import type { Column } from "../api/types";
import { go } from "../state/view";

export function ColumnSelect({ columns, value }: { columns: readonly Column[]; value: string }): JSX.Element {
  return (
    <label class="row">
      <span class="count">Column</span>
      <select class="grow" value={value} onChange={(event) => { go({ column: event.currentTarget.value }); }}>
        {columns.map((each) => <option key={each.name} value={each.name}>{each.name}</option>)}
      </select>
    </label>
  );
}
