// Questions to the server, at this address alone; the cookie of the session goes along by itself.

const BASE = "api/v1";

export class Problem extends Error {
  constructor(readonly status: number, readonly kind: string, detail: string, readonly position: number | null = null) {
    super(detail);
    this.name = "Problem";
  }
}

export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export function addressOf(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === "") continue;
    for (const each of Array.isArray(value) ? (value as readonly string[]) : [value]) query.append(name, String(each));
  }
  const text = query.toString();
  return `${BASE}${path}${text ? `?${text}` : ""}`;
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as { kind?: string; detail?: string; title?: string; position?: number };
    return new Problem(response.status, body.kind ?? "unknown", body.detail ?? body.title ?? `The server answered ${String(response.status)}.`, body.position ?? null);
  } catch {
    return new Problem(response.status, "unknown", `The server answered ${String(response.status)}.`);
  }
}

async function asked(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "offline", "The server does not answer. Is it still running? What you see may be old.");
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

const PATIENCE = 6; // times that an answer is waited for which takes longer than the server lets one request take

/** Asks; work that takes long goes on after the server said so, and is asked for again. */
export async function get<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      const response = await asked(addressOf(path, parameters), { signal: signal ?? null });
      return (await response.json()) as T;
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "timeout" || turn >= PATIENCE) throw error;
    }
  }
}

/** An answer with the state of the index that it is of. */
export interface Stated<T> {
  readonly value: T;
  readonly state: string;
}

export async function getStated<T>(path: string): Promise<Stated<T>> {
  const response = await asked(addressOf(path), {});
  return { value: (await response.json()) as T, state: response.headers.get("ETag") ?? "" };
}

export async function getStatedBytes(path: string): Promise<Stated<ArrayBuffer>> {
  const response = await asked(addressOf(path), {});
  return { value: await response.arrayBuffer(), state: response.headers.get("ETag") ?? "" };
}

export async function send<T>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { method, signal: signal ?? null };
  if (body instanceof FormData) init.body = body;
  else if (body !== undefined) Object.assign(init, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  const response = await asked(addressOf(path), init);
  return (response.status === 204 ? null : await response.json()) as T;
}

export async function getBytes(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await asked(addressOf(path, parameters), { signal: signal ?? null })).arrayBuffer();
}

export async function sendForBytes(path: string, body: unknown, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await sendForFile(path, body, signal)).arrayBuffer();
}

export async function sendForFile(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return asked(addressOf(path), { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal: signal ?? null });
}
