// Near-duplicates: groups to look through, with what may be removed.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { get, send } from "../api/client";
import type { DuplicateGroup } from "../api/types";
import { Answer } from "../parts/Answer";
import { counted, cut, percent } from "../parts/format";
import { useAsked } from "../state/asked";
import { info, load, state } from "../state/index";
import { say, tried } from "../state/toasts";
import { go, view } from "../state/view";

const SHOWN = 100;

export function DuplicatesPanel(): JSX.Element {
  const threshold = view.value.similarity;
  const asked = useAsked((signal) => get<{ groups: DuplicateGroup[]; total: number }>("/duplicates", { threshold, limit: SHOWN }, signal), [threshold, state.value]);
  return (
    <>
      <div><h2>Duplicates</h2><p class="lead">Documents that say the same. The first of each group, which was added first, is the one to keep.</p></div>
      <label class="row"><span class="count">similarity at least {percent(threshold)}</span>
        <input class="grow" type="range" min="0.5" max="1" step="0.05" value={threshold} onChange={(event) => { go({ similarity: Number(event.currentTarget.value) }, "same"); }} />
      </label>
      <Answer of={asked}>
        {({ groups, total }) => (
          <>
            <p role="status">{total ? counted(total, "group") : "No two documents are as similar as that."}{total > groups.length ? `, the first ${String(groups.length)} of them here` : ""}</p>
            <ul class="stack">{groups.map((group) => <Group key={group.kept} group={group} />)}</ul>
          </>
        )}
      </Answer>
    </>
  );
}

function Group({ group }: { group: DuplicateGroup }): JSX.Element {
  const [sure, setSure] = useState(false);
  const remove = async (): Promise<void> => {
    const answer = await tried(() => send<{ removed: number }>("DELETE", "/documents", { selection: { ids: group.removable } }));
    if (!answer) return;
    say(`${counted(answer.removed, "document")} removed.`);
    await load();
  };
  return (
    <li class="card stack">
      <ul>
        {group.documents.map((each) => (
          <li key={each.id} class="row apart">
            <button type="button" class="link grow" dir="auto" onClick={() => { go({ document: each.id }); }}>{cut(each.title || each.id, 120)}</button>
            <span class="count">{each.id === group.kept ? "keep" : percent(each.similarity)}</span>
          </li>
        ))}
      </ul>
      {!info.value?.read_only && group.removable.length > 0 && (sure
        ? <div class="row"><span>Remove {counted(group.removable.length, "document")} from the index?</span><button type="button" class="button small main" onClick={() => { void remove(); }}>Remove</button><button type="button" class="button small" onClick={() => { setSure(false); }}>Keep</button></div>
        : <button type="button" class="button small" onClick={() => { setSure(true); }}>Remove all but the first…</button>)}
    </li>
  );
}
