import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../simulator/random/random.ts';
import { BUSY, ofPool } from '../../../tests/support/build-trigger.ts';
import { ControlMachine, randomWrite } from '../../../tests/support/control-replicas.ts';
import { POOL } from '../../../tests/support/fake-api-deps.ts';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../../../tests/support/nats.ts';
import { DEFAULT_ACCOUNT } from '../../store/control/api-keys.ts';
import { JetStreamStepLog } from '../jetstream-step-log.ts';
import { MemoryStepLog } from '../memory-step-log.ts';
import { connectToNats } from '../nats-connection.ts';
import { LogUnavailable, type StepLog } from '../step-log.ts';
import { decodeControl, encodeControl } from './control-message.ts';

warnWithoutNats();

const machines: ControlMachine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) {
    await machine.end();
    machine.remove();
  }
});

function machine(folder?: string): ControlMachine {
  const made = folder === undefined ? new ControlMachine() : new ControlMachine(folder);
  machines.push(made);
  return made;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error('it does not happen');
    await delay(5);
  }
}

const TRIGGER = { accountId: 'one', triggerId: 'busy' };
const ADDED = { ...TRIGGER, target: ofPool(POOL), conditions: [BUSY] };
const OF_TRIGGER = [{ table: 'triggers', where: { account_id: 'one', trigger_id: 'busy' } }];
const KEY = { accountId: DEFAULT_ACCOUNT, scopes: ['read'], label: '', expiresAtMs: null } as const;

/** A log whose servers a test takes away. */
class InterruptedLog extends MemoryStepLog {
  /** `lost`: what is appended is stored, and not acknowledged. */
  failure: 'none' | 'unreachable' | 'lost' = 'none';

  override async bounds() {
    if (this.failure === 'unreachable') throw new LogUnavailable('down');
    return super.bounds();
  }

  override async append(...args: Parameters<MemoryStepLog['append']>) {
    if (this.failure === 'unreachable') throw new LogUnavailable('down');
    const appended = await super.append(...args);
    if (this.failure === 'none') return appended;
    this.failure = 'none';
    throw new LogUnavailable('no answer');
  }
}

/** Two replicas that write at once, some of whose writes meet. */
async function end200WritesEqual(open: () => Promise<StepLog>): Promise<void> {
  const [one, other] = [machine(), machine()];
  const replicas = [one.start(await open()), other.start(await open())];
  const random = new Random('two writers');
  let refused = 0;
  for (let round = 0; round < 100; round++) {
    await Promise.all(
      [one, other].map((each, index) => {
        const replica = replicas[index];
        return replica && randomWrite(each, replica, random);
      }),
    );
  }
  const last = Math.max(...replicas.map(({ status }) => status.receivedSeq));
  await until(() => replicas.every(({ status }) => status.appliedSeq === last));
  for (const { status } of replicas) refused += status.refused;
  expect(one.dump()).toBe(other.dump());
  // The writes did meet, and left something.
  expect(refused).toBeGreaterThan(20);
  expect(last).toBeGreaterThan(60);
  expect(one.dump().split('\n').length).toBeGreaterThan(20);

  const late = machine();
  const replica = late.start(await open());
  await until(() => replica.status.appliedSeq === last);
  expect(late.dump()).toBe(one.dump());
}

describe('the control plane of several replicas', () => {
  it('is equal after 200 writes of two replicas at once, and on one that joins later', async () => {
    const log = new MemoryStepLog();
    await end200WritesEqual(async () => log);
  });

  it('makes a write count where it is read, with the number that SQLite gave it', async () => {
    const log = new MemoryStepLog();
    const [one, other] = [machine(), machine()];
    const [first, second] = [one.start(log), other.start(log)];
    const added = await first.write(OF_TRIGGER, () => one.triggers.add(ADDED));
    expect(added).toMatchObject({ kind: 'changed', trigger: { key: 1, revision: 1 } });
    await until(() => second.status.appliedSeq === 1);
    expect([...other.triggers.all()]).toEqual([...one.triggers.all()]);
    await second.write(OF_TRIGGER, () => other.triggers.remove(TRIGGER));
    await until(() => first.status.appliedSeq === 2);
    const again = await first.write(OF_TRIGGER, () => one.triggers.add(ADDED));
    // The key of a removed trigger is never given again, on any replica.
    expect(again).toMatchObject({ trigger: { key: 2 } });
  });

  it('answers a repeated write without another change', async () => {
    const log = new MemoryStepLog();
    const one = machine();
    const replica = one.start(log);
    await replica.write(OF_TRIGGER, () => one.triggers.add(ADDED));
    expect(await replica.write(OF_TRIGGER, () => one.triggers.add(ADDED))).toMatchObject({
      kind: 'same',
    });
    expect((await log.bounds()).lastSeq).toBe(1);
  });

  it('stores rows only from the position on that counts, and judges writes by all of them', async () => {
    const log = new MemoryStepLog();
    const one = machine();
    const replica = one.start(log, { isReaching: false, timing: { effectMs: 20 } });
    await replica.write(OF_TRIGGER, () => one.triggers.add(ADDED));
    expect([...one.triggers.all()]).toEqual([]);
    const again = await replica.write(OF_TRIGGER, () => one.triggers.add(ADDED));
    expect(again).toMatchObject({ kind: 'same', trigger: { key: 1 } });
    replica.reach(1);
    expect([...one.triggers.all()]).toMatchObject([{ key: 1 }]);
  });

  it('has a change that was published before the process was killed, once', async () => {
    const log = new MemoryStepLog();
    const one = machine();
    // Killed between publishing and storing: the folder has nothing of it.
    const { changes } = one.tables.rehearse([], OF_TRIGGER, () => one.triggers.add(ADDED));
    const { schema } = one.tables;
    const message = { schema, logId: 'log', id: 'killed', writer: 'one', changes };
    await log.append(encodeControl(message), { seq: 0, id: 'killed' });
    expect([...one.triggers.all()]).toEqual([]);
    await one.end();
    machines.pop();

    const restarted = machine(one.folder);
    const replica = restarted.start(log);
    await until(() => replica.status.appliedSeq === 1);
    expect([...restarted.triggers.all()]).toMatchObject([{ key: 1, triggerId: 'busy' }]);
    await restarted.end();
    machines.pop();

    const again = machine(one.folder);
    expect(again.tables.position).toMatchObject({ keysSeq: 1, rowsSeq: 1 });
    const second = again.start(log);
    await delay(50);
    expect(second.status).toMatchObject({ receivedSeq: 1, appliedSeq: 1 });
    expect([...again.triggers.all()]).toHaveLength(1);
  });

  it('refuses writes with one sentence while no server answers, and makes them later', async () => {
    const log = new InterruptedLog();
    const one = machine();
    const replica = one.start(log, { timing: { writeMs: 100 } });
    await replica.write(OF_TRIGGER, () => one.triggers.add(ADDED));
    log.failure = 'unreachable';
    await expect(
      replica.write(OF_TRIGGER, () => one.triggers.remove(TRIGGER)),
    ).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/^The servers .* do not answer.*\.$/),
    });
    expect([...one.triggers.all()]).toHaveLength(1);
    log.failure = 'none';
    await replica.write(OF_TRIGGER, () => one.triggers.remove(TRIGGER));
    expect([...one.triggers.all()]).toEqual([]);
  });

  it('makes a write once whose acknowledgement was lost', async () => {
    const log = new InterruptedLog();
    const one = machine();
    const replica = one.start(log);
    await until(() => replica.status.receivedSeq === 0);
    log.failure = 'lost';
    const request = { accountId: 'one', url: 'https://h.example', label: null, eventTypes: [] };
    const rows = [{ table: 'webhooks', where: { account_id: 'one' } }];
    await replica.write(rows, () => one.webhooks.add(request, 'secret'));
    expect(one.webhooks.all()).toHaveLength(1);
    expect((await log.bounds()).lastSeq).toBe(1);
  });

  it('opens all replicas with a key made in the folder of one, until any revokes it', async () => {
    const log = new MemoryStepLog();
    const [one, other] = [machine(), machine()];
    one.start(log, { isReaching: false });
    other.start(log, { isReaching: false });
    // As a command does, in a process of its own.
    const { text, key } = one.keys.create(KEY);
    await until(() => other.keys.authenticate(text) !== null);
    other.keys.revoke(key.keyId);
    await until(() => one.keys.list().every(({ revokedAtMs }) => revokedAtMs !== null));
    expect(one.dump()).toBe(other.dump());
  });

  it('takes a bootstrap key that every replica has as one key', async () => {
    const log = new MemoryStepLog();
    const [one, other] = [machine(), machine()];
    one.keys.installBootstrap('the same secret');
    other.keys.installBootstrap('the same secret');
    const replicas = [one.start(log), other.start(log)];
    await until(() => replicas.every(({ status }) => status.receivedSeq > 0));
    await until(() => one.dump() === other.dump());
    await delay(100);
    expect(one.dump()).toBe(other.dump());
    expect(one.keys.list()).toHaveLength(1);
    expect(other.keys.authenticate('the same secret')).not.toBeNull();
  });

  it('shares what a folder had before it became a replica', async () => {
    const log = new MemoryStepLog();
    const [one, other] = [machine(), machine()];
    one.triggers.add(ADDED);
    one.triggers.add({ ...ADDED, triggerId: 'second' });
    one.triggers.remove({ ...TRIGGER, triggerId: 'second' });
    one.rules.publish({ accountId: 'one', name: 'rule', version: 1, content: 'text' });
    one.reviews.review(
      { classificationId: 'found', to: 'confirmed', accountId: 'one', keyId: 'k', note: 'seen' },
      'active',
    );
    const before = one.dump();
    const first = one.start(log);
    await until(() => first.status.appliedSeq > 0 && one.tables.position.isSeeded);
    const second = other.start(log);
    await until(() => second.status.appliedSeq === first.status.appliedSeq);
    expect(one.dump()).toBe(before);
    expect(other.dump()).toBe(before);
  });

  it('stops a folder with rows of its own that joins others, and says what to do', async () => {
    const log = new MemoryStepLog();
    const [one, other] = [machine(), machine()];
    const first = one.start(log);
    await first.write(OF_TRIGGER, () => one.triggers.add(ADDED));
    other.triggers.add({ ...ADDED, triggerId: 'own' });
    const second = other.start(log);
    await until(() => other.stopped !== null);
    expect(other.stopped).toMatch(/triggers, webhooks, reviews or rules of its own.*restore/);
    await expect(second.write(OF_TRIGGER, () => other.triggers.add(ADDED))).rejects.toMatchObject({
      status: 503,
    });
  });

  it('stops at a change of a newer version, and says to upgrade', async () => {
    const log = new MemoryStepLog();
    const one = machine();
    const schema = one.tables.schema + 1;
    const message = { schema, logId: 'log', id: 'newer', writer: 'other', changes: [] };
    await log.append(encodeControl(message), { seq: 0, id: 'newer' });
    const replica = one.start(log);
    await until(() => one.stopped !== null);
    expect(one.stopped).toMatch(/is of a newer version.*upgrade this replica\.$/);
    expect(replica.status.receivedSeq).toBe(0);
  });

  it('stops at another log than the one that the folder followed', async () => {
    const one = machine();
    const first = one.start(new MemoryStepLog());
    await first.write(OF_TRIGGER, () => one.triggers.add(ADDED));
    await one.end();
    machines.pop();

    const replaced = new MemoryStepLog();
    const restarted = machine(one.folder);
    restarted.start(replaced);
    await until(() => restarted.stopped !== null);
    expect(restarted.stopped).toMatch(/ends at 0, before the change 1 of this data folder/);
  });
});

describe('changes from strangers', () => {
  it.each([
    ['no head', { head: null, body: Buffer.from('[]') }],
    ['no JSON', { head: '{', body: Buffer.from('[]') }],
    [
      'a cell that is none',
      {
        head: encodeControl({ schema: 1, logId: 'l', id: 'i', writer: 'w', changes: [] }).head,
        body: Buffer.from('[{"table":"rules","put":{"name":[1]}}]'),
      },
    ],
  ])('are refused with a sentence: %s', (_, message) => {
    expect(decodeControl(message)).toEqual(expect.any(String));
  });

  it('are named when their version is newer', () => {
    const head = JSON.stringify({ version: 2 });
    expect(decodeControl({ head, body: Buffer.from('[]') })).toMatch(/version 2.*update/);
  });
});

describe.skipIf(!HAS_NATS)('the control plane over a NATS server', () => {
  let servers: NatsServers;
  const closings: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    servers = await NatsServers.start(1);
  });
  afterAll(async () => {
    for (const close of closings) await close();
    await servers.close();
  });

  it('is equal after 200 writes of two replicas at once, and on one that joins later', async () => {
    const { signal } = new AbortController();
    const at = { addresses: servers.addresses, user: null, password: null, token: null };
    await end200WritesEqual(async () => {
      const connection = await connectToNats({ ...at, isEncrypted: false }, 'test', { signal });
      closings.push(() => connection.close());
      return JetStreamStepLog.open(connection, { name: 'writes', replicas: 1, maxAgeMs: 0 });
    });
  });
});
