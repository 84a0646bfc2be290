// A document in a list: its title opens it in the reader.
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Doc } from "../api/types";
import { colorOfCluster } from "../map/look";
import { css } from "../map/colors";
import { stageOf } from "../map/opened";
import { nameOf } from "../state/index";
import { go, view } from "../state/view";
import { cut } from "./format";

export const titleOf = (document: { title: string; id: string; beginning?: string }): string => document.title || document.beginning?.trim() || document.id;

export function DocumentItem({ document, children, aside }: { document: Doc; children?: ComponentChildren; aside?: ComponentChildren }): JSX.Element {
  const isOpen = view.value.document === document.id;
  useEffect(() => () => { stageOf.peek()?.leave(document.row); }, [document.row]); // a list that goes away under the pointer says nothing of it
  return (
    <li class="hit" data-open={isOpen} onPointerEnter={() => stageOf.value?.setHovered(document.row)} onPointerLeave={() => stageOf.value?.leave(document.row)}>
      <button type="button" class="title" dir="auto" aria-current={isOpen} onClick={() => { go({ document: document.id }); }}>
        <span class="cut">{cut(titleOf(document), 300)}</span>
      </button>
      <div class="under">
        {aside}
        {document.cluster >= 0 && <ClusterTag number={document.cluster} />}
        {document.label && <span class="tag" dir="auto">{cut(document.label, 60)}</span>}
        {document.source && document.source !== document.title && <span dir="auto">{cut(document.source, 80)}</span>}
      </div>
      {children}
    </li>
  );
}

export function ClusterTag({ number }: { number: number }): JSX.Element {
  return <span class="tag" dir="auto"><span class="chip" style={{ background: css(colorOfCluster(number)) }} />{cut(nameOf(number), 60)}</span>;
}
