// A question to the server whose answer a component shows: asked again when what it depends on changes, and forgotten when it goes away.
import { useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "./toasts";

export interface Asked<T> {
  readonly value: T | null;
  readonly error: string;
  readonly busy: boolean;
  readonly again: () => void;
}

export function useAsked<T>(ask: ((signal: AbortSignal) => Promise<T>) | null, depends: readonly unknown[]): Asked<T> {
  const [answer, setAnswer] = useState<{ value: T | null; error: string; busy: boolean }>({ value: null, error: "", busy: ask !== null });
  const [turn, setTurn] = useState(0), latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const now = latest.current, stop = new AbortController();
    if (!now) {
      setAnswer({ value: null, error: "", busy: false });
      return undefined;
    }
    setAnswer((before) => ({ ...before, busy: true }));
    now(stop.signal).then(
      (value) => { if (!stop.signal.aborted) setAnswer({ value, error: "", busy: false }); },
      (error: unknown) => { if (!stop.signal.aborted) setAnswer({ value: null, error: sentence(error), busy: false }); },
    );
    return () => { stop.abort(); };
  }, [...depends, turn, ask === null]);
  return { ...answer, again: () => { setTurn((before) => before + 1); } };
}
