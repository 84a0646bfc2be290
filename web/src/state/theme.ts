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

/** The page first, then those who read its colours when the theme changes. */
function show(next: Theme): void {
  document.documentElement.dataset["theme"] = next;
  theme.value = next;
}

export function setTheme(next: Theme): void {
  show(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // it holds for this window
  }
}

export function followSystem(): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  show(remembered() ?? (system.matches ? "dark" : "light"));
  system.addEventListener("change", () => {
    if (!remembered()) show(system.matches ? "dark" : "light");
  });
}
