import { spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { validate as validateDockerfile } from 'dockerfile-utils';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isOldNats } from '../../src/cluster/nats-connection.ts';
import { environmentName, readConfig, SETTING_NAMES } from '../../src/config/config.ts';
import { podOf } from '../support/chart-templates.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';

warnWithoutNats();

const DEPLOY = resolve('deploy');
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');
const has = (program: string) => spawnSync(program, ['version']).error === undefined;

describe('deployment files', () => {
  test('name only variables that the service knows, because it refuses all others', () => {
    const known = new Set(SETTING_NAMES.map(environmentName));
    const paths = globSync('**/*', { cwd: DEPLOY, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const named = paths.flatMap(({ parentPath, name }) =>
      [...readFileSync(join(parentPath, name), 'utf8').matchAll(/\bMINTSCOPE_[A-Z_]+/g)].map(
        ([variable]) => variable,
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((variable) => !known.has(variable))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const text = read('Dockerfile');

  test('is valid, and uses the runtime that the service is tested with', () => {
    expect(validateDockerfile(text)).toEqual([]);
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      devDependencies: Readonly<Record<string, string>>;
    };
    expect(text).toContain(`ARG NODE_VERSION=${devDependencies.node}\n`);
  });

  test('runs as a user by number, as Kubernetes requires to know that it is not root', () => {
    const [, last = ''] = [...text.matchAll(/^USER (.*)$/gm)].at(-1) ?? [];
    expect(last).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const { runAsUser, runAsGroup } = podOf('_replicas.tpl').securityContext;
    expect(`${runAsUser}:${runAsGroup}`).toBe(last);
  });

  test('leaves what it builds with behind, and has a first process that passes signals on', () => {
    const stages = text.split(/^FROM /m).slice(1);
    expect(stages).toHaveLength(3);
    const last = stages.at(-1) ?? '';
    expect(last).not.toMatch(/\bnpm (ci|install|run)\b/);
    expect([...last.matchAll(/^COPY (.*)$/gm)].map(([, copied]) => copied)).toEqual([
      '--from=install /opt/mintscope /opt/mintscope',
    ]);
    expect(last).toMatch(/^ENTRYPOINT \["tini", "--", "mintscope"\]$/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    const [, check = ''] = /^HEALTHCHECK [^[]*\[([^\]]*)\]$/m.exec(last) ?? [];
    // In the package that the image installs; what it asks is tested below.
    expect(check).toMatch(/^"node", ".*\/mintscope\/bin\/healthcheck\.cjs"$/);
  });

  test('has all that the package is made from in its context', () => {
    const included = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const packed = /const COPIED = \[(.*?)\]/s.exec(readFileSync('scripts/pack.ts', 'utf8'));
    const needed = [...(packed?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, path = '']) => path);
    expect(needed).toContain('proto');
    const isIncluded = (path: string) =>
      included.some((folder) => path === folder || path.startsWith(`${folder}/`));
    const sources = ['src', 'simulator', 'scripts', 'tsconfig.json', 'package-lock.json'];
    expect([...needed, ...sources].filter((path) => !isIncluded(path))).toEqual([]);
  });
});

describe('the health check of the image', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  const check = async (status: number | null) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/readyz' ? (status ?? 0) : 404).end('not yet');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    if (status === null) await new Promise((done) => server.close(done));
    else servers.push(server);
    const child = spawn(process.execPath, ['bin/healthcheck.cjs'], {
      env: { MINTSCOPE_PORT: String(port) },
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const code = await new Promise((done) => child.on('close', done));
    return { code, stderr };
  };

  test('passes when the service is ready, and says why it fails', async () => {
    expect(await check(200)).toEqual({ code: 0, stderr: '' });
    expect(await check(503)).toEqual({ code: 1, stderr: '/readyz answered 503: not yet\n' });
    const refused = await check(null);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^\/readyz cannot be reached: connect ECONNREFUSED/);
  });
});

interface Compose {
  readonly services: Record<string, Record<string, unknown>>;
}

const composeFile = (name: string) => parse(read(name), { merge: true }) as Compose;

describe.each(['compose.yaml', 'compose.ha.yaml'])('the compose file %s', (name) => {
  const compose = composeFile(name);

  test('obeys the schema of compose files', () => {
    const schema = JSON.parse(
      readFileSync('node_modules/dclint/schemas/compose.schema.json', 'utf8'),
    ) as Record<string, unknown>;
    // `$schema` names a draft that ajv knows by another address.
    const { $schema: _, ...rules } = schema;
    const validate = new Ajv({ strict: false, logger: false, formats: FORMATS }).compile(rules);
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
    validate({ ...compose, services: { demo: { ports: 8080, imagee: 'x' } } });
    expect(validate.errors).not.toBeNull();
  });

  test('publishes ports on this machine only, and gives no service more than it needs', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      const { ports = [] } = service as { ports?: readonly string[] };
      expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
      expect(service.cap_drop, name).toEqual(['ALL']);
      expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
    }
  });
});

test('a followed chain is served with a volume as the only place to write', () => {
  const { services } = composeFile('compose.yaml');
  expect(services.live).toMatchObject({ read_only: true, volumes: ['live:/data'] });
});

describe('the compose file of one machine', () => {
  const { services } = composeFile('compose.yaml');

  test('serves a demo, a chain by nodes and a stream, and Prometheus with Grafana', () => {
    const profilesOf = (name: string) => services[name]?.profiles;
    expect(profilesOf('demo')).toEqual(['demo']);
    expect(profilesOf('live')).toEqual(['live']);
    expect(profilesOf('prometheus')).toEqual(['monitoring']);
    expect(profilesOf('grafana')).toEqual(['monitoring']);
    expect(Object.keys(services.live?.environment ?? {})).toEqual(
      expect.arrayContaining([
        'SOLANA_RPC_URL',
        'MINTSCOPE_YELLOWSTONE_URL',
        'MINTSCOPE_YELLOWSTONE_TOKEN',
      ]),
    );
  });
});

describe('the compose file of several machines', () => {
  const { services } = composeFile('compose.ha.yaml');
  const environmentOf = (name: string) =>
    services[name]?.environment as Readonly<Record<string, string>>;
  const named = (prefix: string) => Object.keys(services).filter((name) => name.startsWith(prefix));

  test('has three servers of the log, two ingesters and two replicas, each with its own name', () => {
    const names = ['nats-', 'ingest-', 'fold-'].map((prefix) => named(prefix).length);
    expect(names).toEqual([3, 2, 2]);
    for (const name of [...named('ingest-'), ...named('fold-')]) {
      expect(environmentOf(name).MINTSCOPE_REPLICA_NAME).toBe(name);
    }
    for (const name of named('nats-')) expect(environmentOf(name).NATS_NAME).toBe(name);
  });

  test('names the servers of the log in a form that the service reads', () => {
    for (const name of [...named('ingest-'), ...named('fold-')]) {
      const text = environmentOf(name).MINTSCOPE_NATS_URL ?? '';
      const natsUrl = text.replaceAll(/\$\{NATS_PASSWORD:-\}/g, 'secret');
      const { natsUrl: servers } = readConfig({}, { natsUrl });
      expect(servers).toMatchObject({ user: 'mintscope', password: 'secret' });
      expect(servers?.addresses).toEqual(['nats-1:4222', 'nats-2:4222', 'nats-3:4222']);
    }
  });

  test('uses servers of a version that is safe, on disk and with room for a large step', () => {
    for (const name of named('nats-')) {
      const [, version = ''] = /^nats:(.+)-alpine$/.exec(String(services[name]?.image)) ?? [];
      expect(isOldNats(version)).toBe(false);
    }
    const settings = read('nats/nats.conf');
    expect(settings).toMatch(/sync_interval: always/);
    expect(settings).toMatch(/max_payload: 8MB/);
  });

  test.skipIf(!HAS_NATS)('has settings that a NATS server accepts', () => {
    const environment = { ...process.env, NATS_NAME: 'a', NATS_USER: 'b', NATS_PASSWORD: 'c' };
    // Older servers have no way to write each message through.
    const settings = read('nats/nats.conf').replace(/^.*sync_interval.*$/m, '');
    const file = join(temporaryFolder(), 'nats.conf');
    writeFileSync(file, settings);
    const checked = spawnSync('nats-server', ['-c', file, '-t'], { env: environment });
    expect(checked.stderr.toString()).toMatch(/is valid/);
    writeFileSync(file, `${settings}\nunknown_setting: 1\n`);
    expect(spawnSync('nats-server', ['-c', file, '-t'], { env: environment }).status).not.toBe(0);
  });
});

const FORMATS = { duration: true, 'uri-reference': true, uri: true, date: true } as const;

describe('the unit', () => {
  test.skipIf(!has('systemd-analyze'))(
    'is valid and confines the service (skipped if systemd is absent)',
    () => {
      const unit = join(temporaryFolder(), 'mintscope.service');
      // The command is not installed here, and verify refuses a missing one.
      const text = read('mintscope.service').replace('/usr/local/bin/mintscope', process.execPath);
      writeFileSync(unit, text);
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit]);
      expect(`${verified.stdout}${verified.stderr}`).toBe('');
      expect(verified.status).toBe(0);
      // Of 0 to 10 (a service without any confinement has 9.6); below 2 is "OK".
      const security = ['security', '--offline=yes', '--threshold=20', unit];
      expect(spawnSync('systemd-analyze', security).status).toBe(0);
    },
  );
});
