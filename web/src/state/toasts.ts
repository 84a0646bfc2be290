// Short messages: what was done, and what went wrong.
import { signal } from "@preact/signals";
import { Problem } from "../api/client";

export interface Toast {
  readonly key: number;
  readonly text: string;
  readonly bad: boolean;
}

export const toasts = signal<readonly Toast[]>([]);
let next = 0;

export function say(text: string, bad = false): void {
  const key = next++;
  toasts.value = [...toasts.value.slice(-3), { key, text, bad }];
  window.setTimeout(() => { dismiss(key); }, bad ? 12_000 : 5_000);
}

export function dismiss(key: number): void {
  toasts.value = toasts.value.filter((toast) => toast.key !== key);
}

/** What went wrong, as a sentence: with a capital letter, whoever said it. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Does something and says what went wrong with it; undefined then. */
export async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    if (!(error instanceof Problem)) console.error(error);
    say(sentence(error), true);
    return undefined;
  }
}
