import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../simulator/random/random.ts';
import { ControlMachine, randomWrite } from '../../../tests/support/control-replicas.ts';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../../../tests/support/nats.ts';
import { JetStreamStepLog } from '../jetstream-step-log.ts';
import { connectToNats } from '../nats-connection.ts';
import type { ControlReplica } from './control-replica.ts';

warnWithoutNats();

const STREAM = { name: 'writes', replicas: 3, maxAgeMs: 0 };
/** Servers elect for seconds, and on a slow machine more than once. */
const WAIT_MS = 150_000;
const TEST_MS = 400_000;

async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS;
  while (!isSo()) {
    if (performance.now() > deadlineMs) throw new Error(`never came: ${what}`);
    await delay(10);
  }
}

describe.skipIf(!HAS_NATS)('the control plane over three NATS servers', () => {
  let servers: NatsServers;
  const machines = [new ControlMachine(), new ControlMachine()];
  const closings: (() => Promise<void>)[] = [];
  const ending = new AbortController();

  beforeAll(async () => {
    servers = await NatsServers.start(3);
  }, TEST_MS);

  afterAll(async () => {
    for (const machine of machines) {
      await machine.end();
      machine.remove();
    }
    ending.abort();
    for (const close of closings) await close();
    await servers.close();
  });

  async function connected() {
    const access = { user: null, password: null, token: null, isEncrypted: false };
    const { addresses } = servers;
    const { signal } = ending;
    const connection = await connectToNats({ ...access, addresses }, 'test', { signal });
    closings.push(() => connection.close());
    return connection;
  }

  it(
    'goes on after the loss of its leader, and stays equal on both replicas',
    async () => {
      const connection = await connected();
      const replicas: ControlReplica[] = [];
      for (const machine of machines) {
        replicas.push(machine.start(await JetStreamStepLog.open(await connected(), STREAM)));
      }
      const random = new Random('a server is lost');
      /** Each replica writes once; a write without an answer is repeated by its client. */
      const round = () =>
        Promise.all(
          machines.map(async (machine, index) => {
            const replica = replicas[index];
            if (replica !== undefined) await randomWrite(machine, replica, random);
          }),
        );
      for (let done = 0; done < 15; done++) await round();
      const info = await JetStreamStepLog.inspect(connection, STREAM.name);
      const leader = info?.cluster?.leader ?? '';
      expect(servers.names).toContain(leader);
      const before = Math.max(...replicas.map(({ status }) => status.receivedSeq));
      await servers.kill(leader);
      let answered = 0;
      for (const endMs = performance.now() + WAIT_MS; answered < 15; ) {
        const outcome = await round().catch((error: unknown) => error);
        if (!(outcome instanceof Error)) answered++;
        else if (performance.now() < endMs) await delay(100);
        else throw new Error(`${answered} rounds were answered`, { cause: outcome });
      }
      servers.restart(leader);
      const last = () => Math.max(...replicas.map(({ status }) => status.receivedSeq));
      await until('both have all changes', () =>
        replicas.every(({ status }) => status.appliedSeq === last()),
      );
      expect(last()).toBeGreaterThan(before);
      expect(machines[0]?.dump()).toBe(machines[1]?.dump());
      expect(machines[0]?.dump().split('\n').length).toBeGreaterThan(5);
    },
    TEST_MS,
  );
});
