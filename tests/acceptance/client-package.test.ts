import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build as bundleByEsbuild } from 'esbuild';
import { build as bundleByVite, type Rolldown } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';

const run = promisify(execFile);
const BUNDLE_BYTES_MAX = 12 * 1_024;
/**
 * Folders of the compilers that users have: the oldest that is supported, the last of its major
 * version, the one that this repository is written with, and the one after it.
 */
const COMPILERS = ['typescript-5.4', 'typescript-5.9', 'typescript', 'typescript-7.0'] as const;
const RESOLUTIONS = ['bundler', 'node16', 'nodenext'] as const;

const folder = temporaryFolder();

const CONSUMER = `import { ApiError, MintscopeClient, toUnits, verifyWebhook } from 'mintscope-client';

const client = new MintscopeClient({ baseUrl: 'http://localhost:8080', key: 'k' });
export async function lamports(mint: string): Promise<bigint> {
  let sum = 0n;
  for await (const trade of client.items('/v1/trades', { query: { token_address: mint } })) {
    if (trade.side === 'buy' && trade.value_usd !== null) sum += toUnits(trade.value_usd, 9);
  }
  for await (const event of client.stream({ topic: 'candles', params: { token_address: mint } })) {
    if (event.type === 'undo') return toUnits(event.data.close ?? '0', 18);
  }
  return sum;
}
export async function firedTrigger(secret: string, headers: Headers, body: string) {
  const { event } = await verifyWebhook({ secret, headers, body });
  return event.type === 'trigger.fired' ? event.data.trigger_id : null;
}
export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;
`;

/** Of Node's types, what the example uses: types of another package would be compiled, too. */
const NODE = `declare const process: { argv: string[]; env: Record<string, string | undefined> };
`;

/** Each line after the second is one error: a wrong parameter, a field that is none, a path that is none. */
const MISTAKEN = `import { MintscopeClient } from 'mintscope-client';
const client = new MintscopeClient({ baseUrl: '' });
export const one = client.get('/v1/token/{token_address}', { path: { mint: 'x' } });
export const two = client.get('/v1/nothing');
export const three = async () => (await client.get('/v1/key')).data.nothing;
export const four = client.stream({ topic: 'nothing' });
`;

beforeAll(async () => {
  await run(process.execPath, ['scripts/build-client.ts']);
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  await run('npm', [...pack, resolve('clients/typescript')]);
  const modules = join(folder, 'node_modules', 'mintscope-client');
  mkdirSync(modules, { recursive: true });
  const tarball = join(folder, 'mintscope-client-0.1.0.tgz');
  await run('tar', ['-xzf', tarball, '-C', modules, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  writeFileSync(join(folder, 'mistaken.ts'), MISTAKEN);
  writeFileSync(join(folder, 'node.d.ts'), NODE);
  copyFileSync('clients/typescript/examples/safety-check.ts', join(folder, 'safety-check.ts'));
});

/** What a compiler says about all files, with everything that is strict. */
async function compile(
  compiler: (typeof COMPILERS)[number],
  resolution: (typeof RESOLUTIONS)[number],
): Promise<string> {
  const options = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ noEmit: true, skipLibCheck: false, target: 'es2022', types: [] },
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
  };
  const files = ['node.d.ts', 'consumer.ts', 'safety-check.ts', 'mistaken.ts'];
  const config = join(folder, `tsconfig.${resolution}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files }));
  const command = resolve('node_modules', compiler, 'bin/tsc');
  const output = await run(process.execPath, [command, '-p', config, '--pretty', 'false'], {
    cwd: folder,
  }).catch((error: { readonly stdout: string }) => error);
  return output.stdout;
}

describe('the packed client', () => {
  const projects = COMPILERS.flatMap((compiler) =>
    RESOLUTIONS.map((resolution) => ({ compiler, resolution })),
  );

  test.each(projects)(
    'compiles strictly with $compiler and $resolution, but not what the API does not have',
    async ({ compiler, resolution }) => {
      const faults = (await compile(compiler, resolution)).trimEnd().split('\n');
      // Continuations of a message are indented.
      const places = faults
        .filter((line) => !line.startsWith(' '))
        .map((line) => /^mistaken\.ts\((\d+)/.exec(line)?.[1] ?? line);
      expect([...new Set(places)]).toEqual(['3', '4', '5', '6']);
    },
  );

  test('is loaded by Node as it is', async () => {
    const source = "console.log(Object.keys(await import('mintscope-client')).length)";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], {
      cwd: folder,
    });
    expect(Number(stdout)).toBeGreaterThan(5);
  });

  test('names no package that it needs', () => {
    const manifest = JSON.parse(
      readFileSync(join(folder, 'node_modules/mintscope-client/package.json'), 'utf8'),
    );
    expect(manifest.dependencies).toBeUndefined();
    expect(manifest.peerDependencies).toBeUndefined();
  });
});

/** Bundlers that users have, applied to the packed client. Each returns the one module it made. */
const BUNDLERS = {
  vite: async (entry: string) => {
    const output = (await bundleByVite({
      configFile: false,
      logLevel: 'silent',
      root: folder,
      build: { write: false, target: 'es2022', minify: true, lib: { entry, formats: ['es'] } },
    })) as Rolldown.RolldownOutput[];
    const chunks = output.flatMap(({ output: files }) => files);
    expect(chunks).toHaveLength(1);
    const [chunk] = chunks;
    expect(chunk?.type === 'chunk' ? chunk.imports : null).toEqual([]);
    return chunk?.type === 'chunk' ? chunk.code : '';
  },
  esbuild: async (entry: string) => {
    // Without `external`, a module that is not in the bundle is an error.
    const { outputFiles, warnings } = await bundleByEsbuild({
      entryPoints: [entry],
      absWorkingDir: folder,
      ...{ bundle: true, minify: true, write: false, logLevel: 'silent' },
      ...{ format: 'esm', platform: 'browser', target: 'es2022' },
    });
    expect(warnings).toEqual([]);
    expect(outputFiles).toHaveLength(1);
    return outputFiles[0]?.text ?? '';
  },
} as const;

const BUNDLER_NAMES = Object.keys(BUNDLERS) as (keyof typeof BUNDLERS)[];

test.each(BUNDLER_NAMES)(
  'the bundle that %s makes for browsers is complete, works, and has at most 12 KiB',
  async (name) => {
    const entry = join(folder, 'whole-client.js');
    writeFileSync(entry, "export * from 'mintscope-client';\n");
    const code = await BUNDLERS[name](entry);
    expect(code).toContain('/v1/stream/ticket');
    expect(code).not.toMatch(/node:|process\.|Buffer/);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(BUNDLE_BYTES_MAX);
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, code);
    const bundle = await import(pathToFileURL(path).href);
    const packed = await import(
      pathToFileURL(join(folder, 'node_modules/mintscope-client/dist/src/index.js')).href
    );
    expect(Object.keys(bundle)).toEqual(Object.keys(packed));
    expect(bundle.addDecimals('0.1', '0.2')).toBe('0.3');
  },
);

test.each(BUNDLER_NAMES)('%s leaves out what a page does not use', async (name) => {
  const entry = join(folder, 'decimals.js');
  writeFileSync(entry, "export { addDecimals } from 'mintscope-client';\n");
  const code = await BUNDLERS[name](entry);
  expect(code).not.toContain('/v1/stream/ticket');
  expect(code.length).toBeLessThan(2_000);
});
