// The search box in the bar: the whole query language, words completed as they are typed.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api/client";
import { go, view } from "../state/view";

interface Suggestion {
  readonly text: string;
  readonly kind: string;
}

const PAUSE = 150;

/** Completions of the last word, each as the whole text that it would make. */
function useCompletions(text: string): string[] {
  const [found, setFound] = useState<string[]>([]);
  useEffect(() => {
    const last = /\S+$/.exec(text)?.[0] ?? "", stop = new AbortController();
    if (last.length < 2) {
      setFound([]);
      return undefined;
    }
    const waiting = window.setTimeout(() => {
      get<{ suggestions: Suggestion[] }>("/search/suggest", { text, limit: 8 }, stop.signal).then(
        (answer) => { setFound(answer.suggestions.map((each) => text.slice(0, text.length - last.length) + each.text)); },
        () => undefined,
      );
    }, PAUSE);
    return () => { window.clearTimeout(waiting); stop.abort(); };
  }, [text]);
  return found;
}

export function SearchBox(): JSX.Element {
  const [text, setText] = useState(view.value.query), box = useRef<HTMLInputElement>(null), completions = useCompletions(text);
  useEffect(() => { setText(view.value.query); }, [view.value.query]);
  useEffect(() => {
    const slash = (event: KeyboardEvent): void => {
      const inField = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key !== "/" || inField || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      box.current?.focus();
    };
    window.addEventListener("keydown", slash);
    return () => { window.removeEventListener("keydown", slash); };
  }, []);
  const search = (event: Event): void => {
    event.preventDefault();
    go({ query: text.trim(), panel: "search" });
  };
  return (
    <form role="search" onSubmit={search}>
      <input
        ref={box} type="search" list="completions" dir="auto" aria-label="Search the documents" value={text} autocomplete="off" spellcheck={false} maxLength={10_000}
        placeholder={'Search:  grain "crop failure" -wheat title:export*'} onInput={(event) => { setText(event.currentTarget.value); }}
      />
      <datalist id="completions">{completions.map((each) => <option key={each} value={each} />)}</datalist>
      <button type="submit" class="button main">Search</button>
    </form>
  );
}
