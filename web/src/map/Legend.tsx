// What the colours mean, and a choice of what they show. A click on an entry shows only it; more clicks add others.
import type { JSX } from "preact";
import { count } from "../parts/format";
import { columns } from "../state/index";
import { theme } from "../state/theme";
import { go, view } from "../state/view";
import { css, ramp } from "./colors";
import { coloring } from "./look";
import { legendOpen, legendSide } from "./opened";

const OWN: Record<string, string> = { cluster: "cluster", label: "label", folder: "folder", uncertainty: "uncertainty" };
const STEPS = 12;

export function Legend(): JSX.Element {
  const open = legendOpen.value, known = columns.value.filter((each) => each.name !== "cluster" && each.kind !== "text"), { color, only } = view.value, now = coloring.value;
  return (
    <section class={`legend ${legendSide.value}`} aria-label="Colours">
      <div class="head">
        <label class="row grow">
          <span>Colour by</span>
          <select class="grow" value={color} onChange={(event) => { go({ color: event.currentTarget.value, only: [] }); }}>
            <option value="cluster">cluster</option>
            {known.map((each) => <option key={each.name} value={each.name}>{OWN[each.name] ?? each.name}</option>)}
          </select>
        </label>
        <button type="button" class="button small" aria-expanded={open} onClick={() => { legendOpen.value = !open; }}>{open ? "Hide" : "Legend"}</button>
      </div>
      {open && (now.shares ? <Ramp low={now.low} high={now.high} /> : <Entries only={only} />)}
    </section>
  );
}

function Ramp({ low, high }: { low: string; high: string }): JSX.Element {
  return (
    <div class="entries">
      <div class="ramp" aria-hidden="true">{Array.from({ length: STEPS }, (_, i) => <span key={i} style={{ background: css(ramp(i / (STEPS - 1), theme.value)) }} />)}</div>
      <div class="row apart count"><span>{low}</span><span>{high}</span></div>
    </div>
  );
}

function Entries({ only }: { only: readonly string[] }): JSX.Element {
  const isOn = (key: string): boolean => !only.length || only.includes(key);
  const toggle = (key: string): void => { go({ only: only.includes(key) ? only.filter((each) => each !== key) : [...only, key] }); };
  return (
    <div class="entries">
      {only.length > 0 && <button type="button" onClick={() => { go({ only: [] }); }}>Show all again</button>}
      <ul>
        {coloring.value.entries.map((entry) => (
          <li key={entry.key}>
            <button type="button" aria-pressed={isOn(entry.key)} title={entry.name.slice(0, 300)} onClick={() => { toggle(entry.key); }}>
              <span class="chip" style={{ background: css(entry.color) }} />
              <span class="name" dir="auto">{entry.name.slice(0, 120)}</span>
              <span class="count">{count(entry.count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
