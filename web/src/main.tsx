import { render } from "preact";
import { App } from "./App";
import { followColors } from "./map/look";
import { listen, loadJobs } from "./state/events";
import { load } from "./state/index";
import { light } from "./state/lit";
import { followSystem } from "./state/theme";
import { follow } from "./state/view";
import "./style.css";

followSystem();
follow();
followColors();
light();
const root = document.getElementById("app");
if (root) render(<App />, root);
void load().then(() => { listen(); return loadJobs(); });
