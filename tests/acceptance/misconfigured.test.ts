import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunningCommand, runCommand, temporaryFolder } from '../support/command-line.ts';
import { FollowedChain } from '../support/followed-chain.ts';

const CLOCK = fileURLToPath(new URL('../support/skewed-clock.ts', import.meta.url));
/** Node cannot create certificates: without openssl the tests below are skipped. */
const OPENSSL = ['/usr/bin/openssl', '/usr/local/bin/openssl'].find(existsSync);
/** More than an hour, so that the second in which the node answers does not matter. */
const AHEAD_MS = 3_660_000;

/** A certificate for this machine that was valid for the month of January 2020. */
function makeExpiredCertificate(folder: string) {
  const file = (name: string) => join(folder, name);
  const openssl = (args: readonly string[]) =>
    execFileSync(OPENSSL ?? '', args, { cwd: folder, stdio: 'ignore' });
  writeFileSync(
    file('ca.cnf'),
    [
      '[ca]\ndefault_ca=own\n[own]\ndatabase=index\nnew_certs_dir=.\nserial=serial',
      'default_md=sha256\npolicy=names\nx509_extensions=extensions\n[names]\ncommonName=supplied',
      '[extensions]\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n',
    ].join('\n'),
  );
  writeFileSync(file('index'), '');
  writeFileSync(file('serial'), '01\n');
  openssl([
    ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', '/CN=localhost', '-keyout', 'key.pem', '-out', 'request.pem'],
  ]);
  openssl([
    ...['ca', '-batch', '-config', 'ca.cnf', '-selfsign', '-notext', '-keyfile', 'key.pem'],
    ...['-in', 'request.pem', '-out', 'cert.pem'],
    ...['-startdate', '20200101000000Z', '-enddate', '20200201000000Z'],
  ]);
  return { key: file('key.pem'), cert: file('cert.pem') };
}

/** What `start` and `doctor` say of mistakes that people make: each has a sentence and a way out. */
describe.skipIf(OPENSSL === undefined)('a wrong setting', () => {
  const servers: Server[] = [];
  let environment: Record<string, string>;

  const serve = async (server: Server) => {
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return (server.address() as AddressInfo).port;
  };

  beforeAll(async () => {
    const { key, cert } = makeExpiredCertificate(temporaryFolder());
    const page: RequestListener = (_, response) => response.end('<html>A web page</html>');
    const refusal: RequestListener = (_, response) => response.writeHead(401).end();
    const tls = { key: readFileSync(key), cert: readFileSync(cert) };
    const ports = [
      await serve(createServer(page)),
      await serve(createServer(refusal)),
      await serve(createTlsServer(tls, page)),
    ];
    const closed = createServer();
    const closedPort = await serve(closed);
    await new Promise((done) => closed.close(done));
    environment = {
      SOLANA_RPC_URL: [
        // The first ones report no time.
        `http://127.0.0.1:${closedPort}`,
        `https://127.0.0.1:${ports[2]}`,
        `http://127.0.0.1:${ports[0]}`,
        `http://127.0.0.1:${ports[1]}/secret-key`,
      ].join(','),
      MINTSCOPE_YELLOWSTONE_URL: `http://127.0.0.1:${closedPort}`,
      HTTPS_PROXY: 'http://user:secret-word@127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
      MINTSCOPE_GRPC_TLS_CERT_FILE: cert,
      MINTSCOPE_GRPC_TLS_KEY_FILE: key,
      NODE_OPTIONS: `--import=${CLOCK}`,
      CLOCK_SKEW_MS: String(AHEAD_MS),
      CLOCK_STEP_MS: '0',
    };
  });

  afterAll(() => {
    for (const server of servers) server.close();
  });

  /** Each mistake, and what both commands say of it. */
  const SAID = [
    [/the answer is not a JSON object/, /is not an RPC node: check the address/],
    [/HTTP status 401/, /requires a key or rejects this one/],
    [/CERT_HAS_EXPIRED/, /Its certificate has expired/],
    [/ECONNREFUSED/, /Nothing listens there: check host and port/],
    [/this clock is 1 h ahead of the node's/, /by NTP/],
    [/HTTPS_PROXY is set/, /Allow direct connections/],
    [/cert\.pem expired on 2020-02-01/, /Renew it/],
  ] as const;

  test('is named by doctor with its way out', async () => {
    const args = ['doctor', '--port', '0', '--data-dir', join(temporaryFolder(), 'data')];
    const { stdout, exitCode } = await runCommand(args, environment);
    expect(exitCode).toBe(1);
    for (const [fault, wayOut] of SAID.slice(0, 4)) {
      expect(stdout).toMatch(new RegExp(`^fail .*${fault.source}.*${wayOut.source}`, 'm'));
    }
    for (const [fault, wayOut] of SAID.slice(4)) {
      expect(stdout).toMatch(new RegExp(`^(fail|warn) .*${fault.source}.*${wayOut.source}`, 'm'));
    }
    expect(stdout).toMatch(/^fail .*reachable: .*Check address and token/m);
    expect(stdout).not.toContain('secret');
  });

  test('is named in the log of start with its way out, without secrets', async () => {
    const args = ['start', '--port', '0', '--data-dir', join(temporaryFolder(), 'data')];
    const service = new RunningCommand(args, environment);
    try {
      await service.shows(/No blocks arrive/);
      for (const [fault, wayOut] of SAID) {
        await service.shows(new RegExp(`${fault.source}.*${wayOut.source}`), 20_000);
      }
      expect(service.output).not.toContain('secret');
    } finally {
      service.process.kill('SIGKILL');
      await service.finished;
    }
  });

  test('is named by start of a simulated market too, if it matters to that', async () => {
    const args = [
      'start',
      '--simulate',
      '--port',
      '0',
      '--data-dir',
      join(temporaryFolder(), 'data'),
    ];
    const service = new RunningCommand(args, environment);
    try {
      await service.shows(/simulated market: nothing here/);
      expect(service.output).toMatch(/cert\.pem expired on 2020-02-01.*Renew it/);
      // No node is asked, so that a proxy changes nothing.
      expect(service.output).not.toContain('HTTPS_PROXY');
    } finally {
      service.process.kill('SIGKILL');
      await service.finished;
    }
  });
});

test('a wrong clock is named by doctor if the only node is in order', async () => {
  await using chain = await FollowedChain.start({ slots: 80 });
  const args = ['doctor', '--port', '0', '--data-dir', join(temporaryFolder(), 'data')];
  const { stdout, exitCode } = await runCommand(args, {
    SOLANA_RPC_URL: chain.endpoints[0]?.url ?? '',
    NODE_OPTIONS: `--import=${CLOCK}`,
    CLOCK_SKEW_MS: String(AHEAD_MS),
    CLOCK_STEP_MS: '0',
  });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^fail {2}\S+ {2}clock: this clock is 1 h ahead of the node's\. .*by NTP/m,
  );
  expect(stdout).not.toMatch(/ reachable: /);
});

test('ports in use are named by doctor with the options that select others', async () => {
  const taken = [createServer(), createServer()];
  for (const server of taken) {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  }
  const [port, grpcPort] = taken.map((server) => (server.address() as AddressInfo).port);
  const options = ['--port', String(port), '--grpc-port', String(grpcPort)];
  const data = ['--data-dir', join(temporaryFolder(), 'data')];
  const { stdout, exitCode } = await runCommand(['doctor', ...options, ...data]);
  for (const server of taken) server.close();
  expect(exitCode).toBe(1);
  const failures = stdout.split('\n').filter((line) => line.startsWith('fail'));
  const sentence = (check: string, number: number | undefined, option: string) =>
    `fail  this machine  ${check}: port ${number} of 127.0.0.1 is in use by another program. ` +
    `End the program that uses it, or name another port with ${option}.`;
  expect(failures).toEqual([
    sentence('port', port, '--port'),
    sentence('grpc port', grpcPort, '--grpc-port'),
  ]);
});

/** Runs a command that may open 40 files. */
function runLimited(command: string) {
  const main = '--disable-warning=ExperimentalWarning src/main.ts';
  const script = `ulimit -n 40; exec "$0" ${main} ${command}`;
  return spawnSync('/bin/sh', ['-c', script, process.execPath], { encoding: 'utf8' });
}

test.each([
  ['of a data folder', '--no-simulate'],
  ['of a simulated market', '--simulate'],
])('too few file descriptors are named by start %s with the way to raise them', (_, option) => {
  const data = join(temporaryFolder(), 'data');
  const { status, stdout, stderr } = runLimited(`start ${option} --port 0 --data-dir ${data}`);
  expect(status).not.toBe(0);
  expect(`${stdout}${stderr}`).toMatch(/"level":"warn".*40 files may be open.*ulimit -n/);
});

test('too few file descriptors are named by doctor with the way to raise them', () => {
  const { stdout } = runLimited(`doctor --port 0 --data-dir ${join(temporaryFolder(), 'data')}`);
  expect(stdout).toMatch(/^warn .*files: 40 files may be open\. Raise it with "ulimit -n 16384"/m);
});
