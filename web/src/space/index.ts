/** The script that draws drives in space; only pages with links in space hold it. It must not hold the page's store. */
import type { Host, Picture } from "./contract";
import { SpacePicture } from "./picture";

window.chaindriveSpace = { open: (host: Host): Picture => new SpacePicture(host) };
