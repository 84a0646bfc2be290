// Labelling as steps: which document is asked about, what was said, and what can be taken back.
import type { Prediction } from "../api/types";

export interface Said {
  readonly document: Prediction;
  readonly label: string;
}

export interface Session {
  /** Documents still to be asked about; the first is the one shown. */
  readonly queue: readonly Prediction[];
  readonly said: readonly Said[];
}

export const EMPTY: Session = { queue: [], said: [] };
export const KEYS = "123456789";
/** After so many labels the server is asked anew what to ask about. */
export const ROUND = 5;

/** New questions behind those that wait; nobody is asked twice. */
export function refilled(session: Session, asked: readonly Prediction[]): Session {
  const known = new Set([...session.said.map((each) => each.document.id), ...session.queue.slice(0, 1).map((each) => each.id)]);
  return { ...session, queue: [...session.queue.slice(0, 1), ...asked.filter((each) => !known.has(each.id))] };
}

export function labelled(session: Session, label: string): Session {
  const [first, ...rest] = session.queue;
  return first ? { queue: rest, said: [...session.said, { document: first, label }] } : session;
}

export function skipped(session: Session): Session {
  const [first, ...rest] = session.queue;
  return first ? { ...session, queue: [...rest, first] } : session;
}

/** Takes the last label back and asks again. */
export function takenBack(session: Session): { session: Session; last: Said | null } {
  const last = session.said[session.said.length - 1] ?? null;
  return last ? { session: { queue: [last.document, ...session.queue], said: session.said.slice(0, -1) }, last } : { session, last };
}

/** The label that a key stands for, in the order in which the labels are shown. */
export function labelOf(key: string, labels: readonly string[]): string | null {
  const place = key.length === 1 ? KEYS.indexOf(key) : -1;
  return place < 0 ? null : (labels[place] ?? null);
}
