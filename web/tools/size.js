// Prints how large the page's assets are, compressed as a browser would fetch them, and fails beyond the limit.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT = 400_000;
const folder = new URL("../dist", import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))).filter((name) => statSync(name).isFile());
let total = 0;
for (const file of files.sort()) {
  const bytes = gzipSync(readFileSync(file), { level: 9 }).length;
  total += bytes;
  console.log(`${String(bytes).padStart(9)}  ${file.slice(folder.length + 1)}`);
}
console.log(`${String(total).padStart(9)}  in all, compressed (limit ${LIMIT})`);
process.exitCode = total > LIMIT ? 1 : 0;
