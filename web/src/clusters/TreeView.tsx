// The tree of clusters: with the keyboard as with the mouse, and in full for screen readers.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { css } from "../map/colors";
import { colorOfCluster } from "../map/look";
import { count, cut } from "../parts/format";
import { above, type Branch, stepped } from "./branches";

interface TreeProps {
  readonly branches: readonly Branch[];
  readonly chosen: string;
  readonly choose: (branch: Branch) => void;
}

interface Shared extends TreeProps {
  readonly open: ReadonlySet<string>;
  readonly at: string;
  readonly toggle: (path: string) => void;
  readonly stand: (path: string) => void;
}

const pathOf = (target: EventTarget | null): string => (target instanceof HTMLElement ? (target.closest<HTMLElement>("[data-path]")?.dataset["path"] ?? "") : "");

export function TreeView({ branches, chosen, choose }: TreeProps): JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set<string>()), [at, setAt] = useState(""), list = useRef<HTMLUListElement>(null), moving = useRef(false);
  const standing = at || branches[0]?.path || "";
  useEffect(() => {
    if (!moving.current) return;
    moving.current = false;
    list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(standing)}"]`)?.focus();
  }, [standing, open]);
  useEffect(() => { // what was chosen elsewhere is shown here
    const inside = chosen ? above(chosen, branches) : null;
    if (!inside) return;
    setAt(chosen);
    if (inside.some((each) => !open.has(each))) setOpen(new Set([...open, ...inside]));
  }, [chosen, branches]);
  const find = (path: string, among: readonly Branch[]): Branch | undefined => among.find((each) => each.path === path) ?? among.map((each) => find(path, each.children)).find(Boolean);
  const key = (event: KeyboardEvent): void => {
    const here = find(pathOf(event.target), branches);
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") choose(here);
    else {
      const next = stepped(event.key, here.path, branches, open);
      if (!next) return;
      moving.current = true;
      setAt(next.at);
      setOpen(next.open);
    }
    event.preventDefault();
  };
  const toggle = (path: string): void => { setOpen(open.has(path) ? new Set([...open].filter((each) => each !== path)) : new Set([...open, path])); };
  return (
    <ul ref={list} class="tree" role="tree" aria-label="Clusters" onKeyDown={key}>
      {branches.map((branch) => <Item key={branch.path} branch={branch} level={1} shared={{ branches, chosen, choose, open, at: standing, toggle, stand: setAt }} />)}
    </ul>
  );
}

function Item({ branch, level, shared }: { branch: Branch; level: number; shared: Shared }): JSX.Element {
  const isOpen = shared.open.has(branch.path), hasChildren = branch.children.length > 0;
  const click = (): void => { shared.stand(branch.path); shared.choose(branch); };
  return (
    <li
      role="treeitem" data-path={branch.path} aria-level={level} aria-selected={shared.chosen === branch.path} aria-expanded={hasChildren ? isOpen : undefined}
      tabIndex={shared.at === branch.path ? 0 : -1} aria-label={`${cut(branch.name, 200)}, ${count(branch.size)} documents`}
    >
      <div class="node" onClick={click}>
        <span class="twist" aria-hidden="true" onClick={(event) => { if (hasChildren) { event.stopPropagation(); shared.toggle(branch.path); } }}>{hasChildren ? (isOpen ? "▾" : "▸") : ""}</span>
        {branch.cluster >= 0 && <span class="chip" style={{ background: css(colorOfCluster(branch.cluster)) }} />}
        <span class={branch.named ? "name given" : "name"} dir="auto">{cut(branch.name, 160)}{branch.pinned && <span title="pinned"> 📌</span>}{branch.named && branch.words && <span class="more" dir="auto">{branch.words}</span>}</span>
        <span class="count">{count(branch.size)}</span>
      </div>
      {hasChildren && isOpen && <ul role="group">{branch.children.map((child) => <Item key={child.path} branch={child} level={level + 1} shared={shared} />)}</ul>}
    </li>
  );
}
