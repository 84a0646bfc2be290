// Files dropped anywhere on the page are added.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { info } from "../state/index";
import { go } from "../state/view";
import { sendFiles } from "./sending";

const holdsFiles = (event: DragEvent): boolean => [...(event.dataTransfer?.types ?? [])].includes("Files");

export function Dropping(): JSX.Element | null {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController(), { signal } = stop;
    window.addEventListener("dragover", (event) => { if (holdsFiles(event)) { event.preventDefault(); setOver(true); } }, { signal });
    window.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) setOver(false); }, { signal });
    window.addEventListener("drop", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (info.value?.read_only) return;
      go({ panel: "add" });
      void sendFiles([...(event.dataTransfer?.files ?? [])]);
    }, { signal });
    return () => { stop.abort(); };
  }, []);
  if (!over) return null;
  return <div class="dropping">{info.value?.read_only ? "This index is read-only" : "Drop files to add them"}</div>;
}
