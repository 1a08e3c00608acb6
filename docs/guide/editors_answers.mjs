// Answers of Taplo, the language server of the VS Code extension "Even Better TOML", on one file, as JSON:
// node docs/guide/editors_answers.mjs FILE LINE CHARACTER
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL, fileURLToPath } from "node:url";

const { TaploLsp } = createRequire(new URL("../../web/package.json", import.meta.url))("@taplo/lsp");
const [file, line, character] = process.argv.slice(2);
const uri = pathToFileURL(file).href;
const settings = { schema: { enabled: true, links: false, associations: {}, catalogs: [], cache: {} } };
const answers = new Map();
let problems;

const server = await TaploLsp.initialize(
    {
        cwd: () => process.cwd(),
        envVar: name => (name === "RUST_LOG" ? "error" : ""),
        envVars: () => [],
        findConfigFile: () => undefined,
        glob: () => [],
        isAbsolute: path => path.startsWith("/"),
        now: () => new Date(),
        readFile: path => Promise.resolve(readFileSync(path)),
        writeFile: () => Promise.resolve(),
        stdErrAtty: () => false,
        stdin: process.stdin,
        stdout: process.stderr,
        stderr: process.stderr,
        urlToFilePath: url => (url.startsWith("file:") ? fileURLToPath(url) : url),
        fetch: { fetch, Headers, Request, Response },
    },
    {
        onMessage(message) {
            if (message.method === "workspace/configuration") {
                server.send({ jsonrpc: "2.0", id: message.id, result: [settings] });
            } else if (message.method === "textDocument/publishDiagnostics") {
                problems = message.params.diagnostics;
            } else if (message.id !== undefined) {
                answers.set(message.id, message.result);
            }
        },
    },
);

async function answer(known) {
    for (let tries = 0; tries < 200; tries++) {
        if (known() !== undefined) return known();
        await new Promise(resolve => setTimeout(resolve, 50));
    }
    throw new Error("the language server does not answer");
}

const ask = (id, method, params) => {
    server.send({ jsonrpc: "2.0", id, method, params });
    return answer(() => answers.get(id));
};
const place = { textDocument: { uri }, position: { line: Number(line), character: Number(character) } };

const folder = new URL(".", uri).href;
await ask(1, "initialize", {
    capabilities: { workspace: { configuration: true } },
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: "drives" }],
});
server.send({ jsonrpc: "2.0", method: "initialized", params: {} });
const text = readFileSync(file, "utf8");
server.send({
    jsonrpc: "2.0",
    method: "textDocument/didOpen",
    params: { textDocument: { uri, languageId: "toml", version: 1, text } },
});
await answer(() => (problems?.length ? problems : undefined));
const completion = await ask(2, "textDocument/completion", place);
const hover = await ask(3, "textDocument/hover", place);
process.stdout.write(JSON.stringify({ problems, completion, hover }), () => process.exit(0));
