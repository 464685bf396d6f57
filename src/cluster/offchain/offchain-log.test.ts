import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { monotonicClock } from '../../lib/clock.ts';
import type { OffchainEffect, OffchainPosition } from '../../model/offchain-stream.ts';
import { MemoryStepLog } from '../memory-step-log.ts';
import { type FollowOptions, LogFull, LogUnavailable, type StepLog } from '../step-log.ts';
import type { StoredMessage } from '../step-message.ts';
import { OffchainLog } from './offchain-log.ts';

const START: OffchainPosition = { logId: null, base: '', seq: 0, claim: null, gatherer: null };
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 4_000; tries++) {
    if (isSo()) return;
    await delay(2);
  }
  throw new Error('it did not come to be');
}

/** The log as one process has it, which may hear nothing, or lose what it sends or hears. */
class ThroughNetwork implements StepLog {
  readonly log: MemoryStepLog;
  isDeaf = false;
  isCut = false;
  fault: 'none' | 'full' | 'request-lost' | 'answer-lost' = 'none';

  constructor(log: MemoryStepLog) {
    this.log = log;
  }

  bounds: StepLog['bounds'] = async () => {
    if (this.isCut) throw new LogUnavailable('nobody answers');
    return await this.log.bounds();
  };
  usage = () => this.log.usage();
  headAt = (seq: number) => this.log.headAt(seq);

  append: StepLog['append'] = async (message, after) => {
    if (this.fault === 'full') throw new LogFull('the stream is full');
    if (this.fault === 'request-lost') throw new LogUnavailable('nothing arrived');
    const appended = await this.log.append(message, after);
    if (this.fault === 'answer-lost') throw new LogUnavailable('no answer came');
    return appended;
  };

  async *follow(fromSeq: number, options: FollowOptions): AsyncGenerator<StoredMessage> {
    for await (const message of this.log.follow(fromSeq, options)) {
      while (this.isDeaf && !options.signal.aborted) await delay(2);
      yield message;
    }
  }
}

/** A process whose store takes everything at once. */
class Process {
  readonly network: ThroughNetwork;
  readonly offchain: OffchainLog;
  readonly effects: { readonly seq: number; readonly effect: OffchainEffect }[] = [];
  readonly stopped: string[] = [];
  isHeld = false;
  isRenewed = true;
  rests = 0;

  constructor(name: string, log: MemoryStepLog, position = START) {
    this.network = new ThroughNetwork(log);
    const ending = new AbortController();
    this.offchain = new OffchainLog({
      ...{
        log: this.network,
        name: 's',
        writer: name,
        clock: monotonicClock,
        retryMs: 5,
        lookMs: 5,
      },
      lease: () => ({ isHeld: this.isHeld, confirm: async () => this.isHeld && this.isRenewed }),
      signal: ending.signal,
      onNotice: () => undefined,
      onStopped: (sentence) => this.stopped.push(sentence),
    });
    const running = this.offchain.run();
    closing.push(async () => {
      ending.abort();
      await running;
    });
    this.offchain.open(position, 5, {
      store: (seq, effect) => {
        this.effects.push({ seq, effect });
        this.offchain.stored(seq);
      },
      rest: () => this.rests++,
    });
  }

  async gather(): Promise<void> {
    this.isHeld = true;
    await until(() => this.offchain.status.isGathering);
  }

  append(text: string, afterSeq = this.offchain.status.storedSeq) {
    return this.offchain.append({ kind: 'changes', afterSeq, changes: Buffer.from(text) });
  }

  get texts(): readonly string[] {
    return this.effects.flatMap(({ effect }) =>
      'changes' in effect ? [Buffer.from(effect.changes).toString()] : [],
    );
  }
}

describe('a process in the stream of off-chain data', () => {
  it('appends under its claim, and others receive it', async () => {
    const log = new MemoryStepLog();
    const [a, b] = [new Process('a', log), new Process('b', log)];
    expect(await a.append('too early')).toEqual({ kind: 'refused' });
    await a.gather();
    expect(await a.append('one')).toEqual({ kind: 'appended', seq: 2 });
    expect(await a.append('two')).toEqual({ kind: 'appended', seq: 3 });
    await until(() => b.texts.length === 2);
    expect(b.texts).toEqual(['one', 'two']);
    // The store that appended has committed it by itself.
    expect(a.texts).toEqual([]);
  });

  it('is refused after another one claimed, even if it has not heard of it', async () => {
    const log = new MemoryStepLog();
    const [a, b] = [new Process('a', log), new Process('b', log)];
    await a.gather();
    await a.append('one');
    await until(() => b.texts.length === 1);
    // A process that was stopped past its lease, and still believes in it.
    a.network.isDeaf = true;
    await b.gather();
    expect(a.offchain.status.isGathering).toBe(true);
    expect(await a.append('late')).toEqual({ kind: 'refused' });
    expect(await b.append('of b')).toEqual({ kind: 'appended', seq: 4 });
    a.isHeld = false;
    a.network.isDeaf = false;
    await until(() => a.texts.length === 1);
    expect(a.texts).toEqual(['of b']);
    expect((await log.bounds()).lastSeq).toBe(4);
  });

  it('says who gathers since which claim, and how much of the stream it has not stored', async () => {
    const log = new MemoryStepLog();
    const [a, b] = [new Process('a', log), new Process('b', log)];
    expect(b.offchain.status).toMatchObject({ gatherer: null, epoch: null });
    await a.gather();
    await a.append('one');
    await until(() => b.texts.length === 1);
    expect(b.offchain.status).toMatchObject({ gatherer: 'a', epoch: 1, storedSeq: 2 });
    await until(() => b.offchain.status.messagesBehind === 0);
    // It reads no more, and learns from the servers how much there is.
    b.network.isDeaf = true;
    await a.append('two');
    await a.append('three');
    await until(() => b.offchain.status.messagesBehind === 2);
    b.network.isCut = true;
    await until(() => b.offchain.status.messagesBehind === null);
    b.network.isCut = false;
    b.network.isDeaf = false;
    await until(() => b.offchain.status.messagesBehind === 0);
    a.isHeld = false;
    await b.gather();
    await until(() => a.offchain.status.gatherer === 'b');
    // The fifth message: a claim and three transactions came before.
    expect([a, b].map(({ offchain }) => offchain.status.epoch)).toEqual([5, 5]);
  });

  it('refuses what was computed before the last message that is to be stored', async () => {
    const log = new MemoryStepLog();
    const a = new Process('a', log);
    await a.gather();
    await a.append('one');
    expect(await a.append('of before', 1)).toEqual({ kind: 'refused' });
  });

  it('ends its tenure when the lease is not renewed, and appends nothing', async () => {
    const log = new MemoryStepLog();
    const a = new Process('a', log);
    await a.gather();
    a.isRenewed = false;
    expect(await a.append('one')).toEqual({ kind: 'refused' });
    expect(a.rests).toBe(1);
    expect((await log.bounds()).lastSeq).toBe(1);
  });

  it.each(['full', 'request-lost'] as const)('pauses while the log fails: %s', async (fault) => {
    const log = new MemoryStepLog();
    const a = new Process('a', log);
    await a.gather();
    a.network.fault = fault;
    expect(await a.append('one')).toEqual({ kind: 'unavailable' });
    expect(a.offchain.status.isGathering).toBe(false);
    a.network.fault = 'none';
    await until(() => a.offchain.status.isGathering);
    expect(await a.append('one')).toEqual({ kind: 'appended', seq: 3 });
  });

  it('receives what it appended without hearing of it, once', async () => {
    const log = new MemoryStepLog();
    const [a, b] = [new Process('a', log), new Process('b', log)];
    await a.gather();
    a.network.fault = 'answer-lost';
    expect(await a.append('one')).toEqual({ kind: 'unavailable' });
    a.network.fault = 'none';
    await until(() => a.texts.length === 1 && b.texts.length === 1);
    await until(() => a.offchain.status.isGathering);
    expect([a.texts, b.texts]).toEqual([['one'], ['one']]);
  });

  it('sends long transactions in parts that are received as one', async () => {
    const log = new MemoryStepLog();
    const [a, b] = [new Process('a', log), new Process('b', log)];
    await a.gather();
    const long = 'x'.repeat(1_300_000);
    expect(await a.append(long)).toEqual({ kind: 'appended', seq: 4 });
    expect(await a.append('short')).toEqual({ kind: 'appended', seq: 5 });
    await until(() => b.texts.length === 2);
    expect(b.texts).toEqual([long, 'short']);
    const huge = {
      kind: 'changes',
      afterSeq: 5,
      changes: new Uint8Array(64 * 2 ** 20 + 1),
    } as const;
    expect(await a.offchain.append(huge)).toEqual({ kind: 'too-long' });
  });

  it('begins where its store is, and stops if that is no longer in the stream', async () => {
    const log = new MemoryStepLog();
    const a = new Process('a', log);
    await a.gather();
    for (const text of ['one', 'two', 'three']) await a.append(text);
    const logId = JSON.parse((await log.headAt(1)) ?? '').logId;
    const at = (seq: number) => new Process('b', log, { ...START, logId, seq, claim: 1 });
    const later = at(3);
    await until(() => later.texts.length === 1);
    expect(later.texts).toEqual(['three']);
    log.forgetBefore(3);
    const [behind, ahead] = [at(1), at(9)];
    await until(() => behind.stopped.length + ahead.stopped.length === 2);
    expect(behind.stopped[0]).toMatch(/before 3 were removed/);
    expect(ahead.stopped[0]).toMatch(/ends at 4, before message 9/);
  });
});
