// Light or dark: as the system says, until a person says otherwise in this browser.
import { signal } from "@preact/signals";
import type { Theme } from "../map/colors";

const KEY = "vicinal-theme";

function remembered(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : null;
  } catch {
    return null; // a browser that keeps nothing
  }
}

export const theme = signal<Theme>("light");

function show(): void {
  document.documentElement.dataset["theme"] = theme.value;
}

export function setTheme(next: Theme): void {
  theme.value = next;
  show();
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // it holds for this window
  }
}

export function followSystem(): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  theme.value = remembered() ?? (system.matches ? "dark" : "light");
  show();
  system.addEventListener("change", () => {
    if (!remembered()) { theme.value = system.matches ? "dark" : "light"; show(); }
  });
}
