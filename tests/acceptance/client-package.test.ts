import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';

const run = promisify(execFile);
const BUNDLE_BYTES_MAX = 12 * 1_024;
/** The command of another version of TypeScript, such as node_modules/.bin/tsc of a folder. */
const OTHER_TYPESCRIPT = process.env.MINTSCOPE_OTHER_TSC;

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

/** Each line is one error: a wrong parameter, a field that is none, a path that is none. */
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
  symlinkSync(resolve('node_modules/@types'), join(folder, 'node_modules', '@types'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  writeFileSync(join(folder, 'mistaken.ts'), MISTAKEN);
});

/** What the compiler says about a file, with everything that is strict. */
async function compile(compiler: string, files: readonly string[], module: 'nodenext' | 'bundler') {
  const options = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ noEmit: true, skipLibCheck: false, target: 'es2023', types: [] },
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: module === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: module,
  };
  const config = join(folder, `tsconfig.${module}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files }));
  const output = await run(compiler, ['-p', config, '--pretty', 'false'], { cwd: folder }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return output.stdout;
}

describe('the packed client', () => {
  const own = resolve('node_modules/.bin/tsc');

  test('compiles in a strict project of a bundler', async () => {
    expect(await compile(own, ['consumer.ts'], 'bundler')).toBe('');
  });

  test('compiles in a strict project of Node, but not what the API does not have', async () => {
    const faults = await compile(own, ['consumer.ts', 'mistaken.ts'], 'nodenext');
    expect(faults).not.toContain('consumer.ts');
    const lines = [...faults.matchAll(/^mistaken\.ts\((\d+)/gm)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual([3, 4, 5, 6]);
  });

  const name = 'compiles under another version of TypeScript (MINTSCOPE_OTHER_TSC)';
  if (OTHER_TYPESCRIPT === undefined) {
    process.stdout.write('SKIPPING: MINTSCOPE_OTHER_TSC names no other compiler.\n');
    test.skip(name);
  } else {
    test(name, async () => {
      expect(await compile(OTHER_TYPESCRIPT, ['consumer.ts'], 'nodenext')).toBe('');
      expect(await compile(OTHER_TYPESCRIPT, ['consumer.ts'], 'bundler')).toBe('');
      expect(await compile(OTHER_TYPESCRIPT, ['mistaken.ts'], 'nodenext')).not.toBe('');
    });
  }

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

test('the bundle for browsers is complete, and not larger than 12 KiB', async () => {
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: resolve('clients/typescript/src/index.ts'), formats: ['es'] },
    },
  })) as Rolldown.RolldownOutput[];
  const chunks = output.flatMap(({ output: files }) => files);
  expect(chunks).toHaveLength(1);
  const [chunk] = chunks;
  const code = chunk?.type === 'chunk' ? chunk.code : '';
  expect(chunk?.type === 'chunk' ? chunk.imports : null).toEqual([]);
  expect(code).toContain('/v1/stream/ticket');
  expect(code).not.toMatch(/node:|process\.|Buffer/);
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes).toBeLessThanOrEqual(BUNDLE_BYTES_MAX);
});
