/**
 * Builds the TypeScript client: the types of requests and messages from docs/openapi.json and
 * docs/asyncapi.json into clients/typescript/generated, then the package's modules into its folder
 * dist. With the argument `types`, the types only.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { answerHelp } from './answer-help.ts';

answerHelp(`Builds the TypeScript client in clients/typescript from the documents of the API.

  npm run client:build           types and modules
  npm run client:build -- types  the types only

Example:
  npm run client:build`);

const ROOT = resolve('clients/typescript');
const GENERATED = join(ROOT, 'generated');

mkdirSync(GENERATED, { recursive: true });
await writeTypes('api.ts', withoutErrors(readFileSync('docs/openapi.json', 'utf8')));
await writeTypes('messages.ts', schemasOf(readFileSync('docs/asyncapi.json', 'utf8')));
if (process.argv[2] !== 'types') compile();

async function writeTypes(name: string, document: object): Promise<void> {
  const types = astToString(await openapiTS(document as Parameters<typeof openapiTS>[0]));
  const source = '/** Generated from the documents of the API. Do not edit. */\n';
  writeFileSync(join(GENERATED, name), `${source}${types}`);
}

/** Failures have one shape, and headers are read by name: their types would be most of the file. */
function withoutErrors(text: string): object {
  return JSON.parse(text, (name, value) => {
    if (name === 'headers') return undefined;
    if (name !== 'responses' || value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).filter(([status]) => /^2/.test(status)));
  });
}

/** The schemas of an AsyncAPI document are written like those of OpenAPI. */
function schemasOf(text: string): object {
  const { info, components } = JSON.parse(text);
  return { openapi: '3.1.0', info, paths: {}, components: { schemas: components.schemas } };
}

function compile(): void {
  const outDir = join(ROOT, 'dist');
  rmSync(outDir, { recursive: true, force: true });
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(
    fileNames.filter((name) => !name.endsWith('.test.ts')),
    {
      ...options,
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      outDir,
      rootDir: ROOT,
    },
  );
  const emitted = program.emit();
  const faults = [...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  if (faults.length === 0) return;
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: () => ROOT,
    getNewLine: () => '\n',
  };
  console.error(ts.formatDiagnostics(faults, host));
  process.exit(1);
}
