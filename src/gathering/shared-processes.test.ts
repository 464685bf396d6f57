import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../../tests/support/nats.ts';
import { sharedRowsIn } from '../../tests/support/sharing-replica.ts';
import { listenHttp } from '../../tests/support/stranger-listeners.ts';
import { JetStreamStepLog } from '../cluster/jetstream-step-log.ts';
import { connectToNats } from '../cluster/nats-connection.ts';
import type { OffchainSharing } from '../model/offchain-stream.ts';
import { dataFolderAt } from '../store/data-folder.ts';
import { openOffchainPlane } from '../store/offchain/offchain-plane.ts';

const SCRIPT = fileURLToPath(new URL('../../tests/support/gather-in-process.ts', import.meta.url));
const TOKENS = 60;
/** Documents of one host that are read at once (SLOTS and HOST_SHARE of the job runner). */
const IN_FLIGHT_MAX = 4;

warnWithoutNats();

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    if (isSo()) return;
    await delay(20);
  }
  throw new Error('it did not come to be');
}

class Replica {
  readonly dataDir: string;
  readonly child: ChildProcess;
  status: Partial<OffchainSharing> = {};
  errors = '';

  constructor(server: string, name: string, port: number, dataDir = temporaryFolder()) {
    this.dataDir = dataDir;
    // So that it can be read from now on.
    openOffchainPlane(dataFolderAt(dataDir).offchainFile).close();
    const numbers = [String(port), String(TOKENS)];
    this.child = spawn(process.execPath, [SCRIPT, server, dataDir, name, ...numbers], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    closing.push(() => this.kill());
    let text = '';
    this.child.stdout?.on('data', (chunk: Buffer) => {
      const lines = `${text}${chunk}`.split('\n');
      text = lines.pop() ?? '';
      const last = lines.at(-1);
      if (last !== undefined) this.status = JSON.parse(last);
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk;
    });
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }

  get rows(): Record<string, unknown[]> {
    return sharedRowsIn(this.dataDir);
  }

  get isComplete(): boolean {
    return this.rows.documents?.length === TOKENS;
  }
}

/** Claims in the stream. On a loaded machine a gatherer may lose its lease, and claim again. */
async function tenuresOf(server: string): Promise<number> {
  const { signal } = new AbortController();
  const access = { user: null, password: null, token: null, isEncrypted: false };
  const connection = await connectToNats({ ...access, addresses: [server] }, 'test', { signal });
  const settings = { name: 'test-offchain', replicas: 1, maxAgeMs: 0 };
  const log = await JetStreamStepLog.open(connection, settings);
  const { lastSeq } = await log.bounds();
  let claims = 0;
  for (let seq = 1; seq <= lastSeq; seq++) {
    if (/"kind":"claim"/.test((await log.headAt(seq)) ?? '')) claims++;
  }
  await connection.close();
  return claims;
}

/** Documents of tokens; `onRequest` is called with each number of a request, from 1. */
async function documents(onRequest: (count: number) => void) {
  let count = 0;
  const server = await listenHttp((request, response) => {
    onRequest(++count);
    response.end(JSON.stringify({ name: `Token of ${request.url}` }));
  });
  closing.push(() => server.close());
  const requestsOf = () => {
    const counts = new Map<string, number>();
    for (const { line } of server.requests) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  };
  return { port: server.port, requestsOf };
}

describe.skipIf(!HAS_NATS)('gathering in several processes over NATS', () => {
  let nats: NatsServers;
  beforeAll(async () => {
    nats = await NatsServers.start(1);
  });
  afterAll(() => nats.close());
  afterEach(async () => {
    // Each test has its streams.
    await nats.close();
    nats = await NatsServers.start(1);
  });

  const addressOf = () => nats.addresses[0] ?? '';

  it('goes on after a kill -9, asks twice only for what was in flight, and loses nothing', async () => {
    const killed: Replica[] = [];
    const web = await documents((count) => {
      if (count === 20) for (const replica of killed) replica.child.kill('SIGKILL');
    });
    const b = new Replica(addressOf(), 'b', web.port);
    await until(() => b.status.isGathering === true || b.errors !== '');
    expect(b.errors).toBe('');
    killed.push(b);
    const a = new Replica(addressOf(), 'a', web.port);
    await until(() => a.isComplete);
    const counts = [...web.requestsOf().values()];
    expect(counts).toHaveLength(TOKENS);
    const repeated = counts.filter((count) => count > 1);
    const tenures = await tenuresOf(addressOf());
    expect(repeated.length).toBeLessThanOrEqual(IN_FLIGHT_MAX * (tenures - 1));
    expect(Math.max(...counts)).toBeLessThanOrEqual(tenures);
    expect(a.status.gatherer).toBe('a');
    const again = new Replica(addressOf(), 'b', web.port, b.dataDir);
    await until(() => JSON.stringify(again.rows) === JSON.stringify(a.rows));
    expect([...web.requestsOf().values()]).toEqual(counts);
    expect([a.errors, again.errors]).toEqual(['', '']);
  });

  it('fences a gatherer that was stopped past its lease and wakes', async () => {
    let stopped: Replica | null = null;
    const web = await documents((count) => {
      if (count === 20) stopped?.child.kill('SIGSTOP');
    });
    const a = new Replica(addressOf(), 'a', web.port);
    const b = new Replica(addressOf(), 'b', web.port);
    const both = [a, b];
    await until(() => both.some(({ status }) => status.isGathering === true));
    const first = a.status.isGathering === true ? a : b;
    const second = first === a ? b : a;
    stopped = first;
    if (web.requestsOf().size >= 20) first.child.kill('SIGSTOP');
    await until(() => second.isComplete);
    const name = second === a ? 'a' : 'b';
    expect(second.status.gatherer).toBe(name);
    const total = [...web.requestsOf().values()].reduce((sum, count) => sum + count, 0);
    const tenures = await tenuresOf(addressOf());
    expect(total).toBeLessThanOrEqual(TOKENS + IN_FLIGHT_MAX * (tenures - 1));
    first.child.kill('SIGCONT');
    await until(() => first.status.gatherer === name && first.status.isGathering === false);
    await until(() => JSON.stringify(first.rows) === JSON.stringify(second.rows));
    expect([a.errors, b.errors]).toEqual(['', '']);
  });
});
