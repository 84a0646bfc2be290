// Numbers as people read them.

const whole = new Intl.NumberFormat("en");

export const count = (value: number): string => whole.format(value);
export const counted = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;
export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`;

export function signed(value: number): string {
  const size = Math.abs(value), digits = size === 0 || size >= 100 ? 1 : size >= 1 ? 2 : 3;
  return `${value < 0 ? "−" : ""}${size.toFixed(digits)}`;
}

/** The beginning of a text of any length, cut between letters. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const letters = Array.from(text.slice(0, 2 * longest));
  return letters.length <= longest ? text.slice(0, 2 * longest) : `${letters.slice(0, longest - 1).join("")}…`;
}

const BEGINNING = 190; // letters that the server gives of a text

/** The beginning of a text that was cut anywhere, without the word that it was cut in. */
export function wholeWords(beginning: string): string {
  if (beginning.length < BEGINNING) return beginning;
  return `${beginning.replace(/\s+\S{0,30}$/u, "")} …`;
}
