import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clusters, info, load, points, tree, trouble } from "../src/state/index";

/** A server whose index changes after so many answers: from one cluster to two. */
function serverThatChangesAfter(answers: number, isFitted = true): string[] {
  const asked: string[] = [];
  let left = answers;
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    const size = left-- > 0 ? 1 : 2, name = path.split("/").pop() ?? "";
    const bodies: Record<string, unknown> = {
      info: { generation: isFitted ? 1 : 0, n_clusters: size, has_map: isFitted, has_tree: isFitted },
      clusters: { clusters: Array.from({ length: size }, (_, number) => ({ number })) },
      tree: { nodes: Array.from({ length: size }, (_, id) => ({ id })) }, columns: { columns: [] },
    };
    const body = name === "points" ? new ArrayBuffer(12 * size) : JSON.stringify(bodies[name]);
    return Promise.resolve(new Response(body, { headers: { ETag: `"1-${String(size)}"` } }));
  });
  return asked;
}

describe("what is known of the index", () => {
  beforeEach(() => { info.value = null; });
  afterEach(() => { vi.unstubAllGlobals(); });
  it("is all of one state, whenever it changes meanwhile", async () => {
    for (const answers of [0, 1, 2, 3, 4, 5]) {
      serverThatChangesAfter(answers);
      await load();
      const size = info.value?.n_clusters;
      expect([clusters.value.length, tree.value?.nodes.length, points.value?.clusters.length]).toEqual([size, size, size]);
    }
  });
  it("is not asked for where there is no fit", async () => {
    const asked = serverThatChangesAfter(100, false);
    await load();
    expect(asked).not.toContain("api/v1/points");
    expect(asked).not.toContain("api/v1/tree");
    expect([trouble.value, tree.value, points.value?.clusters.length]).toEqual([null, null, 0]);
  });
});
