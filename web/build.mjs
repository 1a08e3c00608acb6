// Bundles the page's script and style into the Python package, or (with --test) bundles and runs the tests.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const rooms = join(here, "..", "src", "chaindrive");

/** The packages whose code is in a bundle, and their versions. */
function packagesIn(metafile) {
  const found = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input.replaceAll("\\", "/"));
    if (match) found.add(match[1]);
  }
  return Object.fromEntries([...found].sort().map((name) => [name, JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8")).version]));
}

/** Their licences, as one comment. */
function licences(packages) {
  const texts = Object.entries(packages).map(([name, version]) => {
    const folder = join(here, "node_modules", name);
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].find((f) => existsSync(join(folder, f)));
    if (!file) throw new Error(`package ${name} has no licence file`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  });
  return `/*! This file was made by "npm run build" in the folder web of chaindrive. It contains:\n\n${texts.join("\n\n----\n\n")}\n*/\n`;
}

/** One entry, bundled: its files as they go into the package, and the packages in them. */
async function bundle(name, entry, target) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: { [name]: entry },
    outdir: rooms,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    target: [target],
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
  });
  const packages = packagesIn(result.metafile);
  const heading = licences(packages);
  return { inputs: Object.keys(result.metafile.inputs), packages, files: result.outputFiles.map((file) => ({ name: `${name}${/\.\w+$/.exec(file.path)[0]}`, text: heading + file.text })) };
}

/** Bundles of a room of the package, and a list of them with what is in them. */
async function write(room, made) {
  const assets = join(rooms, room, "assets");
  const list = {};
  mkdirSync(assets, { recursive: true });
  for (const { files, packages } of made)
    for (const { name, text } of files) {
      writeFileSync(join(assets, name), text);
      list[name] = { sha256: createHash("sha256").update(text).digest("hex"), packages };
      console.log(`${name}: ${(text.length / 1024).toFixed(1)} kB`);
    }
  const heading = "Made by 'npm run build' in the folder web of chaindrive: what is in each file, and its SHA-256.";
  writeFileSync(join(assets, "bundles.json"), `${JSON.stringify({ "": heading, ...list }, null, 2)}\n`);
}

/** The script of the report with its style, the script of its drawing in space, the editor. */
async function page() {
  const report = [await bundle("report", "src/main.ts", "es2022"), await bundle("space", "src/space/index.ts", "es2022")];
  const stray = report[1].inputs.find((input) => input.endsWith("src/store.ts") || input.includes("@preact"));
  if (stray) throw new Error(`${stray} must not be in space.js: the page's script holds the one store`);
  await write("report", report);
  await write("editor", [await bundle("editor", "src/editor/main.ts", "es2022")]);
}

async function tests() {
  const out = join(here, ".build", "test");
  rmSync(out, { recursive: true, force: true });
  const files = readdirSync(join(here, "test")).filter((name) => name.endsWith(".test.ts"));
  await build({
    absWorkingDir: here,
    entryPoints: files.map((name) => join("test", name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: ["node20"],
    sourcemap: "inline",
    loader: { ".css": "empty" },
    logLevel: "warning",
  });
  const made = files.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
  const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...made], { stdio: "inherit" });
  process.exitCode = run.status ?? 1;
}

await (process.argv.includes("--test") ? tests() : page());
