// The panels by name.
import type { JSX } from "preact";
import { AddPanel } from "./add/AddPanel";
import { ClustersPanel } from "./clusters/ClustersPanel";
import { ColumnsPanel } from "./columns/ColumnsPanel";
import { ContrastPanel } from "./columns/ContrastPanel";
import { DuplicatesPanel } from "./columns/DuplicatesPanel";
import { TimePanel } from "./columns/TimePanel";
import { SearchPanel } from "./search/SearchPanel";
import { SelectionPanel } from "./selection/SelectionPanel";
import type { Panel } from "./state/address";
import { TeachPanel } from "./teach/TeachPanel";

export const PANEL_OF: Record<Panel, () => JSX.Element> = {
  clusters: ClustersPanel, search: SearchPanel, selection: SelectionPanel, teach: TeachPanel, time: TimePanel, columns: ColumnsPanel, contrast: ContrastPanel, duplicates: DuplicatesPanel, add: AddPanel,
};
