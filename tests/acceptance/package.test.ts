import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLED_PACKAGES } from '../../scripts/package/bundled-packages.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { eventfulMarket } from '../support/eventful-market.ts';
import { bookedFigures, PackagedCommand, servedFigures } from '../support/following-package.ts';
import { type InstalledPackage, installPackage } from '../support/installed-package.ts';
import { booksAsOf, confirmedSlotAfter } from '../support/market-books.ts';

const CLONE = resolve('.');
const KEY = 'package-test-key-0123456789';
const MB = 1e6;
const BUNDLED_NAMES: readonly string[] = BUNDLED_PACKAGES;
/** The package of an import, static or not, that is neither a file nor a module of Node. */
const IMPORTED =
  /(?:^import\b[^'"]*|\bfrom |\bimport\()['"](?!node:)((?:@[\w.-]+\/)?[\w-][\w.-]*)[/'"]/gm;
/** Slots of a simulated node before anybody follows it. */
const PAST_SLOTS = 80;
/** A Node of the system, which starts the command if it is found first. */
const SYSTEM_NODE = '/usr/bin/node';

/** The service as an operator installs it: outside the clone, with production packages alone. */
describe('the package', () => {
  let root = '';
  let installed: InstalledPackage;
  let environment: Readonly<Record<string, string>>;

  beforeAll(() => {
    root = temporaryFolder();
    installed = installPackage(root);
    environment = { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, HOME: join(root, 'home') };
    mkdirSync(environment.HOME ?? '');
  });

  const json = (name: string) =>
    JSON.parse(readFileSync(join(installed.folder, name), 'utf8')) as Record<string, unknown>;

  test('is at most 10 MB, and installed at most 650 MB', () => {
    expect(readFileSync(installed.tarball).length).toBeLessThanOrEqual(10 * MB);
    expect(installed.bytes).toBeLessThanOrEqual(650 * MB);
    // Without the engine the size would say nothing.
    expect(installed.bytes).toBeGreaterThan(560 * MB);
  });

  test('installs every package that its modules import, and none of those that it contains', () => {
    const manifest = json('package.json') as { dependencies: Record<string, string> };
    const installedNames = Object.keys(manifest.dependencies);
    const modules = globSync('{src,simulator}/**/*.js', { cwd: installed.folder });
    const imported = modules.flatMap((path) =>
      [...readFileSync(join(installed.folder, path), 'utf8').matchAll(IMPORTED)].map(
        ([, name = '']) => name,
      ),
    );
    expect(imported).toContain('fastify');
    expect([...new Set(imported)].filter((name) => !installedNames.includes(name))).toEqual([]);
    const contained = installedNames.filter((name) => BUNDLED_NAMES.includes(name));
    expect(contained).toEqual([]);
    // A peer of a dependency that nothing needs.
    expect(existsSync(join(installed.folder, 'node_modules/zod'))).toBe(false);
  });

  test('contains no tests, no TypeScript but declarations, and no path of the clone', () => {
    const listed = execFileSync('tar', ['-tzf', installed.tarball], { encoding: 'utf8' });
    const paths = listed.trim().split('\n');
    expect(paths).toContain('package/src/main.js');
    expect(paths).toContain('package/types/detector/index.d.ts');
    const declarations = /^package\/types\/.*\.d\.ts$/;
    const sources = paths.filter((path) => !declarations.test(path));
    expect(sources.filter((path) => /\.ts$|\.test\./.test(path))).toEqual([]);
    const found = spawnSync('grep', ['-rlF', CLONE, join(root, 'made/package')]);
    expect(String(found.stdout)).toBe('');
  });

  test('names every package that it installs in its list of components and its licences', () => {
    const { packages } = json('npm-shrinkwrap.json') as {
      packages: Record<string, { version?: string; dev?: boolean }>;
    };
    const { components } = json('sbom.cdx.json') as {
      components: readonly { name: string; version: string }[];
    };
    const listed = new Set(components.map(({ name, version }) => `${name} ${version}`));
    const licences = readFileSync(join(installed.folder, 'THIRD_PARTY_LICENCES.txt'), 'utf8');
    const names = Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`);
    expect(names).toContain('fastify 5.12.8');
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    names.push(...BUNDLED_NAMES.map((name) => `${name} ${dependencies[name]}`));
    for (const processor of ['x64', 'arm64']) {
      expect(names.some((name) => name.startsWith(`@chdb/lib-linux-${processor}-gnu`))).toBe(true);
    }
    expect(names.filter((name) => !listed.has(name))).toEqual([]);
    expect(names.filter((name) => !licences.includes(`\n${name}: `))).toEqual([]);
    expect(Object.values(packages).some(({ dev }) => dev === true)).toBe(false);
  });

  test('prints its version', () => {
    const { stdout, stderr } = spawnSync(installed.command, ['--version'], { env: environment });
    expect(String(stderr)).toBe('');
    expect(String(stdout).trim()).toBe(json('package.json').version);
  });

  test('an older Node says which one is needed and how to get it', ({ skip }) => {
    const version = String(spawnSync(SYSTEM_NODE, ['--version']).stdout ?? '').trim();
    if (!/^v(1\d|2[0-3])\./.test(version)) {
      skip(`SKIPPED: ${SYSTEM_NODE} is ${version || 'absent'}, not older than Node 24`);
    }
    const { status, stderr } = spawnSync(SYSTEM_NODE, [installed.command, 'start']);
    expect(status).toBe(1);
    expect(String(stderr)).toBe(
      `mintscope needs Node 24 or newer and was started with Node ${version.slice(1)} (${SYSTEM_NODE}): ` +
        'install a newer one from https://nodejs.org or use the container image.\n',
    );
  });

  /** Node and services are all commands of the package; the books are the market's, run again here. */
  describe('following a simulated node', () => {
    const market = { ...eventfulMarket('package'), startMs: Date.UTC(2026, 0, 2) };
    const running: PackagedCommand[] = [];
    let node = '';
    let stream = '';
    let passed = PAST_SLOTS;

    const run = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
      const command = new PackagedCommand(installed, args, { ...environment, ...variables });
      running.push(command);
      return command;
    };

    const advance = async (slots: number) => {
      const body = JSON.stringify({ slots });
      const { status } = await fetch(`${node}/advance`, { method: 'POST', body });
      expect(status).toBe(200);
      passed += slots;
    };

    /** Starts a service that follows; resolves once it does. */
    const follow = async (folder: string, variables: Readonly<Record<string, string>>) => {
      const dataDir = join(root, folder);
      const args = ['start', '--port', '0', '--grpc-port', '0', '--data-dir', dataDir];
      const service = run(args, {
        MINTSCOPE_BOOTSTRAP_KEY: KEY,
        MINTSCOPE_SOL_USD_FALLBACK: '150',
        // The simulated market is in the past.
        MINTSCOPE_LAG_MAX_SECONDS: '999999999',
        ...variables,
      });
      const [, url = ''] = await service.shows(/listens on (http:\S+);/);
      await service.shows(/following the chain/);
      return async (path: string) => {
        const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': KEY } });
        return path === '/metrics' ? await answer.text() : await answer.json();
      };
    };

    beforeAll(async () => {
      const settings = join(root, 'market.json');
      writeFileSync(settings, JSON.stringify(market));
      const past = ['--past', String(PAST_SLOTS), '--pace', 'asked', '--market', settings];
      const ports = ['--port', '0', '--yellowstone-port', '0'];
      const simulated = run(['simulate', '--serve', ...ports, ...past]);
      [, stream = ''] = await simulated.shows(/Yellowstone {2}(http:\S+)\n/);
      [, node = ''] = await simulated.shows(/JSON-RPC {3}(http:\S+)\n/);
    });

    afterAll(() => {
      for (const { process } of running) process.kill('SIGKILL');
    });

    test.each([
      ['requests to its RPC interface', () => ({ SOLANA_RPC_URL: node })],
      ['its Yellowstone stream', () => ({ MINTSCOPE_YELLOWSTONE_URL: stream })],
    ])(
      'by %s, it serves the figures that the venues have booked',
      async (name, variables) => {
        const get = await follow(name.replaceAll(' ', '-'), variables());
        await advance(60);
        const headSlot = confirmedSlotAfter(market, passed);
        const isThere = async () =>
          String(await get('/metrics')).includes(`\nmintscope_slot ${headSlot}\n`);
        while (!(await isThere())) await new Promise((wake) => setTimeout(wake, 100));
        const served = await servedFigures(get);
        const { first_slot: firstSlot } = (await get('/v1/coverage')) as { first_slot: number };
        const booked = bookedFigures(booksAsOf(market, headSlot), served, firstSlot);
        expect(served).toEqual(booked);
        const tradedPools = served.filter(({ trades }) => trades.length > 0);
        expect(tradedPools.length).toBeGreaterThan(5);
      },
      300_000,
    );
  });

  describe('started', () => {
    let service: ChildProcess;
    let url = '';
    let output = '';

    beforeAll(async () => {
      const args = ['start', '--port', '0', '--grpc-port', '0'];
      service = spawn(installed.command, args, {
        cwd: environment.HOME,
        env: { ...environment, MINTSCOPE_BOOTSTRAP_KEY: KEY },
      });
      const listens = /listens on (http:\/\/127\.0\.0\.1:\d+)/;
      await new Promise<void>((done, fail) => {
        const read = (chunk: Buffer) => {
          output += chunk.toString();
          [, url = ''] = listens.exec(output) ?? [];
          if (url !== '') done();
        };
        service.stdout?.on('data', read);
        service.stderr?.on('data', read);
        service.on('exit', () => fail(new Error(`The service ended:\n${output}`)));
      });
    });

    afterAll(() => {
      service.kill('SIGKILL');
    });

    test('answers from a simulated market, with pages and the reference', async () => {
      const readiness = await fetch(`${url}/readyz`);
      expect(readiness.headers.get('x-simulated')).toBe('true');
      const coverage = await fetch(`${url}/v1/coverage`, { headers: { 'x-api-key': KEY } });
      expect(coverage.status).toBe(200);
      const reference = await fetch(`${url}/docs/api/`);
      expect(reference.status).toBe(200);
      const script = await fetch(`${url}/docs/api/js/scalar.js`);
      expect(await script.text()).toContain('createApiReference');
      const documentation = await fetch(`${url}/docs/`);
      expect(await documentation.text()).toContain('<title>Mintscope documentation</title>');
    });

    test('runs with the options and variables of the start command', () => {
      const read = (name: string) =>
        readFileSync(`/proc/${service.pid}/${name}`, 'utf8').split('\0');
      expect(read('cmdline')).toContain('--max-semi-space-size=64');
      expect(read('environ')).toEqual(
        expect.arrayContaining([
          'UV_THREADPOOL_SIZE=16',
          'MALLOC_ARENA_MAX=2',
          'MALLOC_MMAP_THRESHOLD_=1048576',
          'MALLOC_TRIM_THRESHOLD_=1048576',
          `NODE_COMPILE_CACHE=${join(installed.folder, 'node_modules/.cache/compiled')}`,
        ]),
      );
    });

    test('has nothing of the clone open but the runtime', () => {
      const files = readFileSync(`/proc/${service.pid}/maps`, 'utf8')
        .split('\n')
        .map((line) => line.split(/\s+/)[5] ?? '')
        .filter((path) => path.startsWith('/'));
      expect(files.some((path) => path.startsWith(`${installed.folder}/`))).toBe(true);
      const ofClone = files.filter((path) => path.startsWith(`${CLONE}/`));
      expect(new Set(ofClone.filter((path) => path !== process.execPath))).toEqual(new Set());
    });

    test('runs nothing that an install script has made', () => {
      const { packages } = json('npm-shrinkwrap.json') as {
        packages: Record<string, { hasInstallScript?: boolean }>;
      };
      const withScript = Object.keys(packages)
        .filter((path) => packages[path]?.hasInstallScript === true)
        .map((path) => join(installed.folder, path));
      expect(withScript.map((path) => path.split('node_modules/').at(-1)).sort()).toEqual([
        'chdb',
        'protobufjs',
      ]);
      // What such a script compiles would be here, and be loaded as native code.
      expect(withScript.filter((path) => existsSync(join(path, 'build')))).toEqual([]);
      const native = readFileSync(`/proc/${service.pid}/maps`, 'utf8')
        .split('\n')
        .map((line) => line.split(/\s+/)[5] ?? '')
        .filter((path) => path.startsWith(`${installed.folder}/`));
      expect(native.some((path) => path.endsWith('libchdb.so'))).toBe(true);
      const made = native.filter((path) => withScript.some((each) => path.startsWith(`${each}/`)));
      expect(made).toEqual([]);
    });

    test('a signal reaches the service, which ends in order', async () => {
      const ended = new Promise((done) => service.on('exit', done));
      service.kill('SIGTERM');
      expect(await ended).toBe(0);
      expect(output).toContain('stopped');
    });
  });
});
