// The shapes of /api/v1, as docs/app.md and its OpenAPI description give them.

export type Term = readonly [term: string, weight: number];

export interface Explanation {
  readonly total: number;
  readonly terms: readonly Term[];
  readonly rest: number;
}

export interface Doc {
  readonly row: number;
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly cluster: number;
  readonly uncertainty: number | null;
  readonly label: string;
  readonly label_origin: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly beginning: string;
}

export interface Passage {
  readonly text: string;
  readonly start: number;
  readonly matches: readonly (readonly [number, number])[];
  readonly before: boolean;
  readonly after: boolean;
}

export interface Hit extends Doc {
  readonly score: number;
  readonly relevance: number;
  readonly why: Explanation;
  readonly passage: Passage | null;
}

export interface Cluster {
  readonly number: number;
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly share: number;
  readonly uncertainty: number;
  readonly terms: readonly Term[];
  readonly exemplars: readonly { readonly id: string; readonly title: string }[];
  readonly named: boolean;
  readonly pinned: boolean;
  readonly stability: number | null;
}

export interface Constraint {
  readonly number: number;
  readonly kind: string;
  readonly clusters: readonly number[];
  readonly n_documents: number;
  readonly notes: readonly string[];
  readonly sentence: string;
}

export interface Prediction extends Doc {
  readonly predicted: string;
  readonly probability: number;
  readonly others: readonly Term[];
  readonly why: Explanation;
}

export interface TreeNode {
  readonly id: string;
  readonly parent: string;
  readonly children: readonly string[];
  readonly size: number;
  readonly height: number;
  readonly cluster: number;
  readonly name: string;
  readonly given_name: string;
  readonly terms: readonly Term[];
  readonly distinguishing: readonly Term[];
  readonly x: number | null;
  readonly y: number | null;
}

export interface Tree {
  readonly root: string;
  readonly nodes: readonly TreeNode[];
  readonly levels: Readonly<Record<"coarse" | "medium" | "fine", readonly string[]>>;
}

export interface Info {
  readonly path: string;
  readonly documents: number;
  readonly embedded: number;
  readonly unembedded: number;
  readonly n_clusters: number;
  readonly generation: number;
  readonly n_constraints: number;
  readonly needs_fit: boolean;
  readonly has_map: boolean;
  readonly has_tree: boolean;
  readonly read_only: boolean;
  readonly columns: readonly string[];
  readonly version: string;
}

export interface Column {
  readonly name: string;
  readonly kind: "category" | "number" | "date" | "text";
  readonly documents: number;
  readonly distinct: number;
}

export interface ColumnValues {
  readonly name: string;
  readonly kind: Column["kind"];
  readonly values: readonly (readonly [string, number])[];
  readonly distinct: number;
  readonly min?: number | string | null;
  readonly max?: number | string | null;
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly near: number;
  readonly offset: number;
  readonly suggestions: Readonly<Record<string, string>>;
  readonly corrected: string;
  readonly notes: readonly string[];
  readonly facets: Readonly<Record<string, readonly (readonly [string, number])[]>>;
  readonly next: string | null;
}

export interface FullDocument extends Doc {
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
  readonly cluster_name: string;
}

export interface Words {
  readonly why: Explanation;
  readonly of: "cluster" | "query";
  readonly cluster: number;
  readonly name: string;
  readonly words: readonly (readonly [start: number, end: number, part: number])[];
}

/** Documents of a request: exactly one of these. */
export type Selection =
  | { readonly ids: readonly string[] }
  | { readonly rows: readonly number[]; readonly state?: string }
  | { readonly query: string; readonly where?: string; readonly limit?: number }
  | { readonly where: string }
  | { readonly cluster: string }
  | { readonly label: string };

export interface SelectionSummary {
  readonly size: number;
  readonly share: number;
  readonly terms: readonly Term[];
  readonly typical: readonly Doc[];
  readonly uncertain: readonly Doc[];
  readonly clusters: readonly (readonly [number, string, number])[];
  readonly labels: readonly (readonly [string, number])[];
  readonly timeline: { readonly column: string | null; readonly bins: readonly { readonly start: string; readonly count: number; readonly all: number }[] };
}

export interface Labels {
  readonly labels: readonly (readonly [string, number])[];
  readonly n_labelled: number;
  readonly classes: readonly (readonly [string, number])[];
  readonly accuracy: number | null;
  readonly learnt: boolean;
  readonly accepted?: number;
}

export interface Contrast {
  readonly one: { readonly size: number; readonly terms: readonly Term[] };
  readonly other: { readonly size: number; readonly terms: readonly Term[] };
  readonly scatter: readonly { readonly term: string; readonly one: number; readonly other: number; readonly score: number }[];
}

export interface Timeline {
  readonly column: string;
  readonly period: string;
  readonly bins: readonly string[];
  readonly series: readonly { readonly cluster?: number; readonly name?: string; readonly value?: string; readonly counts: readonly number[] }[];
}

export interface CrossTable {
  readonly columns: readonly string[];
  readonly clusters: readonly { readonly number: number; readonly name: string }[];
  readonly counts: readonly (readonly number[])[];
  readonly expected: readonly (readonly number[])[];
  readonly residuals: readonly (readonly number[])[];
}

export interface DuplicateGroup {
  readonly kept: string;
  readonly removable: readonly string[];
  readonly documents: readonly { readonly id: string; readonly title: string; readonly source: string; readonly similarity: number }[];
}

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly seconds: number;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly problem: { readonly detail: string } | null;
  readonly warnings: readonly string[];
}
