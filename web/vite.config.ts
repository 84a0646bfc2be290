import { defineConfig } from "vitest/config";

// The page is served by `vicinal serve` under a policy that allows scripts and styles of its own address alone, so nothing is inlined.
export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, sourcemap: false, reportCompressedSize: false },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  test: { environment: "node", include: ["tests/**/*.test.{ts,tsx}"] },
});
