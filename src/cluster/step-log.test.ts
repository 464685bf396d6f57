import { setTimeout as delay } from 'node:timers/promises';
import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_NATS, NatsServers, warnWithoutNats } from '../../tests/support/nats.ts';
import { JetStreamStepLog } from './jetstream-step-log.ts';
import { MemoryStepLog } from './memory-step-log.ts';
import { connectToNats } from './nats-connection.ts';
import { LogFull, type StepLog } from './step-log.ts';
import type { StoredMessage } from './step-message.ts';

warnWithoutNats();

const message = (text: string) => ({ head: `head ${text}`, body: Buffer.from(`body ${text}`) });

/** What every adapter of the log must do. */
function describeLog(name: string, open: () => Promise<StepLog>): void {
  describe(`the log of steps, ${name}`, () => {
    it('appends after the sequence it is given and refuses every other', async () => {
      const log = await open();
      expect(await log.append(message('a'), { seq: 0, id: 'a' })).toEqual({
        kind: 'appended',
        seq: 1,
      });
      expect(await log.append(message('b'), { seq: 1, id: 'b' })).toEqual({
        kind: 'appended',
        seq: 2,
      });
      expect(await log.append(message('late'), { seq: 1, id: 'late' })).toEqual({
        kind: 'refused',
      });
      expect(await log.append(message('early'), { seq: 5, id: 'early' })).toEqual({
        kind: 'refused',
      });
      expect(await log.bounds()).toEqual({ firstSeq: 1, lastSeq: 2 });
    });

    it('stores an append that is repeated with its id once', async () => {
      const log = await open();
      await log.append(message('a'), { seq: 0, id: 'a' });
      expect(await log.append(message('a'), { seq: 0, id: 'a' })).toEqual({
        kind: 'appended',
        seq: 1,
      });
      expect((await log.bounds()).lastSeq).toBe(1);
    });

    it('lets one of two writers that append after the same message win', async () => {
      const log = await open();
      const both = await Promise.all([
        log.append(message('a'), { seq: 0, id: 'a' }),
        log.append(message('b'), { seq: 0, id: 'b' }),
      ]);
      expect(both.map(({ kind }) => kind).sort()).toEqual(['appended', 'refused']);
    });

    it('delivers what is there and what comes, in order, from any sequence', async () => {
      const log = await open();
      for (let seq = 0; seq < 5; seq++) await log.append(message(`${seq}`), { seq, id: `${seq}` });
      const ending = new AbortController();
      const seen: StoredMessage[] = [];
      const reading = (async () => {
        for await (const one of log.follow(3, { signal: ending.signal })) {
          seen.push(one);
          if (seen.length === 4) ending.abort();
        }
      })();
      await delay(50);
      await log.append(message('5'), { seq: 5, id: '5' });
      await log.append(message('6'), { seq: 6, id: '6' });
      await reading;
      expect(seen.map(({ seq, head }) => [seq, head])).toEqual([
        [3, 'head 2'],
        [4, 'head 3'],
        [5, 'head 4'],
        [6, 'head 5'],
      ]);
      expect(Buffer.from(seen[0]?.body ?? []).toString()).toBe('body 2');
    });

    it('delivers heads without bodies where only those are wanted', async () => {
      const log = await open();
      await log.append(message('a'), { seq: 0, id: 'a' });
      const ending = new AbortController();
      for await (const one of log.follow(1, { headsOnly: true, signal: ending.signal })) {
        expect([one.head, one.body.length]).toEqual(['head a', 0]);
        ending.abort();
      }
    });

    it('returns the head of a message, and null where there is none', async () => {
      const log = await open();
      await log.append(message('a'), { seq: 0, id: 'a' });
      expect(await log.headAt(1)).toBe('head a');
      expect(await log.headAt(2)).toBeNull();
    });
  });
}

describeLog('in process', async () => new MemoryStepLog());

describe.skipIf(!HAS_NATS)('with a NATS server', () => {
  let servers: NatsServers;
  const ending = new AbortController();
  const closing: (() => Promise<void>)[] = [];
  let streams = 0;
  beforeAll(async () => {
    servers = await NatsServers.start(1);
  });
  afterAll(async () => {
    ending.abort();
    for (const close of closing) await close();
    await servers.close();
  });

  describeLog('JetStream', async () => {
    const access = {
      addresses: servers.addresses,
      user: null,
      password: null,
      token: null,
      isEncrypted: false,
    };
    const connection = await connectToNats(access, 'test', { signal: ending.signal });
    closing.push(() => connection.close());
    const name = `log${streams++}`;
    return JetStreamStepLog.open(connection, { name, replicas: 1, maxAgeMs: 3_600_000 });
  });

  it('says that a stream is full in a sentence with the way out, and takes the step once there is room', async () => {
    const access = { user: null, password: null, token: null, isEncrypted: false };
    const { addresses } = servers;
    const { signal } = ending;
    const connection = await connectToNats({ ...access, addresses }, 'test', { signal });
    closing.push(() => connection.close());
    const log = await JetStreamStepLog.open(connection, {
      ...{ name: 'full', replicas: 1, maxAgeMs: 3_600_000 },
    });
    await log.append(message('a'), { seq: 0, id: 'a' });
    const { bytes, bytesMax } = await log.usage();
    expect([bytes > 0, bytesMax]).toEqual([true, null]);
    const manager = await jetstreamManager(connection);
    await manager.streams.update('full', { max_bytes: bytes, discard: DiscardPolicy.New });
    expect(await log.usage()).toEqual({ bytes, bytesMax: bytes });
    const refused = await log.append(message('b'), { seq: 1, id: 'b' }).catch((error) => error);
    expect(refused).toBeInstanceOf(LogFull);
    expect(refused.message).toMatch(/full takes no more steps .*nats stream edit full --max-bytes/);
    await manager.streams.update('full', { max_bytes: -1 });
    expect(await log.append(message('b'), { seq: 1, id: 'b' })).toEqual({
      kind: 'appended',
      seq: 2,
    });
  });
});
