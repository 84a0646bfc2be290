// The tree of clusters: with the keyboard as with the mouse, and in full for screen readers.
import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { css } from "../map/colors";
import { colorOfCluster } from "../map/look";
import { count, cut } from "../parts/format";
import { above, type Branch, openAtFirst, stepped, type Visible, visibleOf } from "./branches";

interface TreeProps {
  readonly branches: readonly Branch[];
  readonly chosen: string;
  /** Whether it leaves room for what stands below. */
  readonly short: boolean;
  readonly choose: (branch: Branch) => void;
}

interface ItemProps {
  readonly seen: Visible;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  readonly isAt: boolean;
  readonly choose: () => void;
  readonly toggle: () => void;
}

interface Standing {
  readonly at: string;
  readonly open: ReadonlySet<string>;
}

const pathOf = (target: EventTarget | null): string => (target instanceof HTMLElement ? (target.closest<HTMLElement>("[data-path]")?.dataset["path"] ?? "") : "");

const find = (path: string, among: readonly Branch[]): Branch | undefined => among.find((each) => each.path === path) ?? among.map((each) => find(path, each.children)).find(Boolean);

/** Where the keyboard stands and what is open. Keys may come faster than the page is drawn, so the next one starts from what the last one said. */
function useStanding(first: string, opened: ReadonlySet<string>) {
  const [shown, setShown] = useState<Standing>({ at: "", open: opened }), now = useRef(shown);
  const stand = (next: Partial<Standing>): void => {
    now.current = { ...now.current, ...next };
    setShown(now.current);
  };
  return { at: shown.at || first, open: shown.open, now: (): Standing => ({ ...now.current, at: now.current.at || first }), stand };
}

const toggled = (open: ReadonlySet<string>, path: string): ReadonlySet<string> => (open.has(path) ? new Set([...open].filter((each) => each !== path)) : new Set([...open, path]));

export function TreeView({ branches, chosen, short, choose }: TreeProps): JSX.Element {
  const { at, open, now, stand } = useStanding(branches[0]?.path ?? "", openAtFirst(branches)), list = useRef<HTMLUListElement>(null), moving = useRef(false);
  useEffect(() => {
    if (moving.current) list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(now().at)}"]`)?.focus();
    moving.current = false;
  }, [at, open]);
  useEffect(() => { // what was chosen elsewhere is shown here
    const inside = chosen ? above(chosen, branches) : null;
    if (inside) stand({ at: chosen, open: new Set([...now().open, ...inside]) });
  }, [chosen, branches]);
  useEffect(() => { list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }); }, [chosen, short]);
  const key = (event: KeyboardEvent): void => {
    const here = find(now().at, branches), next = here && stepped(event.key, here.path, branches, now().open);
    if (here && (event.key === "Enter" || event.key === " ")) choose(here);
    else if (next) {
      moving.current = true;
      stand(next);
    } else return;
    event.preventDefault();
  };
  const focused = (event: FocusEvent): void => { if (!moving.current) stand({ at: pathOf(event.target) }); };
  return (
    <ul ref={list} class={short ? "tree short" : "tree"} role="tree" aria-label="Clusters" onKeyDown={key} onFocusIn={focused}>
      {visibleOf(branches, open).map((seen) => {
        const { branch } = seen, { path } = branch;
        return (
          <Item
            key={path} seen={seen} isChosen={chosen === path} isOpen={open.has(path)} isAt={at === path}
            choose={() => { stand({ at: path }); choose(branch); }} toggle={() => { stand({ open: toggled(now().open, path) }); }}
          />
        );
      })}
    </ul>
  );
}

/** One branch. All of them are siblings, and say by their level which is inside which: so the name of one is not that of all inside it. */
function Item({ seen, isChosen, isOpen, isAt, choose, toggle }: ItemProps): JSX.Element {
  const { branch, level } = seen, hasChildren = branch.children.length > 0, own = useId();
  return (
    <li
      role="treeitem" data-path={branch.path} aria-level={level} aria-selected={isChosen} aria-expanded={hasChildren ? isOpen : undefined}
      tabIndex={isAt ? 0 : -1} aria-labelledby={own} style={{ paddingInlineStart: `${String(18 * (level - 1))}px` }}
    >
      <div id={own} class="node" onClick={choose}>
        <span class="twist" aria-hidden="true" onClick={(event) => { if (hasChildren) { event.stopPropagation(); toggle(); } }}>{hasChildren ? (isOpen ? "▾" : "▸") : ""}</span>
        {branch.cluster >= 0 && <span class="chip" style={{ background: css(colorOfCluster(branch.cluster)) }} />}
        <span class={branch.named ? "name given" : "name"} dir="auto">{cut(branch.name, 160)}{branch.pinned && <span title="pinned"> 📌</span>}{branch.named && branch.words && <span class="more" dir="auto">{branch.words}</span>}</span>
        <span class="count">{count(branch.size)}<span class="hidden-text"> documents</span></span>
      </div>
    </li>
  );
}
