// Bundles the page's script and style into the Python package, or (with --test) bundles and runs the tests.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "..", "src", "chaindrive", "report", "assets");

/** The licences of the packages whose code is in the bundle, as one comment. */
function licences(metafile) {
  const found = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input.replaceAll("\\", "/"));
    if (match) found.add(match[1]);
  }
  const texts = [...found].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].find((f) => existsSync(join(folder, f)));
    if (!file) throw new Error(`package ${name} has no licence file`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  });
  return `/*! This file was made by "npm run build" in the folder web of chaindrive. It contains:\n\n${texts.join("\n\n----\n\n")}\n*/\n`;
}

async function page() {
  const result = await build({
    absWorkingDir: here,
    entryPoints: { report: "src/main.ts" },
    outdir: assets,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    target: ["es2022"],
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
  });
  const heading = licences(result.metafile);
  mkdirSync(assets, { recursive: true });
  for (const file of result.outputFiles) {
    const name = file.path.endsWith(".css") ? "report.css" : "report.js";
    writeFileSync(join(assets, name), heading + file.text);
    console.log(`${name}: ${(file.contents.length / 1024).toFixed(1)} kB`);
  }
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
