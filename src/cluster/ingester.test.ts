import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  GrowingChain,
  replayed,
  StoppableMachine,
  stepsOf,
} from '../../tests/support/shared-log.ts';
import { monotonicClock } from '../lib/clock.ts';
import { MemoryBeats } from './beats.ts';
import { encodeControl } from './control/control-message.ts';
import { Ingester, type IngesterTiming } from './ingester.ts';
import { MemoryStepLog } from './memory-step-log.ts';

const TIMING: IngesterTiming = { silenceMs: 200, beatMs: 30, idleMs: 60_000, retryMs: 5 };

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

class Cluster {
  readonly log = new MemoryStepLog();
  readonly control = new MemoryStepLog();
  readonly beats = new MemoryBeats();
  readonly chain = new GrowingChain();

  start(name: string, timing: Partial<IngesterTiming> = {}, chain = this.chain) {
    const machine = new StoppableMachine(this.log, this.beats);
    const ending = new AbortController();
    const ingester = new Ingester({
      ...{ log: machine, beats: machine, chain, name, clock: monotonicClock },
      control: this.control,
      timing: { ...TIMING, ...timing },
      signal: ending.signal,
    });
    const running = ingester.run();
    const end = async () => {
      machine.continue();
      ending.abort();
      await running;
    };
    endings.push(end);
    return { ingester, machine, end };
  }

  async publish(name: string): Promise<void> {
    const { lastSeq: seq } = await this.control.bounds();
    const put = { account_id: 'one', name, version: 1, content: name };
    const changes = [{ table: 'rules', put }];
    const message = { schema: 1, logId: 'log', id: name, writer: 'test', changes };
    await this.control.append(encodeControl(message), { seq, id: name });
  }

  /** Publications in the log of steps. */
  async attached(): Promise<readonly string[]> {
    return (await stepsOf(this.log)).flatMap((step) =>
      step.kind === 'facts' ? (step.facts.ruleChanges ?? []).map(({ name }) => name) : [],
    );
  }

  async reaches(slot: number): Promise<void> {
    await until(async () => replayed(await stepsOf(this.log)).slots.at(-1) === slot);
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error('it does not happen');
    await delay(5);
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('ingesters of one log', () => {
  it('append with one writer at a time, while the other knows the tail', async () => {
    const cluster = new Cluster();
    cluster.chain.grow(10);
    const one = cluster.start('one');
    await until(() => one.ingester.status.isWriting);
    const other = cluster.start('other');
    await cluster.reaches(10);
    cluster.chain.grow(10);
    await cluster.reaches(20);
    await delay(2 * TIMING.silenceMs);
    expect(other.ingester.status).toMatchObject({ isWriting: false, takeovers: 0, headSlot: 20 });
    expect((await stepsOf(cluster.log)).filter(({ kind }) => kind === 'undo')).toEqual([]);
  });

  it('replace a writer that stops, and lose and double nothing', async () => {
    const cluster = new Cluster();
    cluster.chain.grow(10);
    const one = cluster.start('one');
    await cluster.reaches(10);
    const other = cluster.start('other');
    one.machine.stop();
    cluster.chain.grow(10);
    await cluster.reaches(20);
    expect(other.ingester.status.isWriting).toBe(true);
    const steps = await stepsOf(cluster.log);
    // Each block once, although the tail of the first writer was not final.
    const blocks = steps.flatMap((step) => (step.kind === 'facts' ? [step.facts.slot] : []));
    expect(blocks).toEqual(upTo(20));
    expect(replayed(steps).final).toBe(17);
    // The other followed from the last final block, and decoded nothing that was there.
    expect(cluster.chain.decoded.filter((slot) => slot <= 10)).toEqual(upTo(10));
  });

  it('refuse a writer that wakes late: it becomes the standby', async () => {
    const cluster = new Cluster();
    cluster.chain.grow(10);
    const one = cluster.start('one');
    await cluster.reaches(10);
    const other = cluster.start('other');
    one.machine.stop();
    cluster.chain.grow(5);
    await cluster.reaches(15);
    one.machine.continue();
    cluster.chain.grow(5);
    await cluster.reaches(20);
    await until(() => !one.ingester.status.isWriting);
    expect(one.ingester.status.refused).toBe(1);
    expect(other.ingester.status).toMatchObject({ isWriting: true, refused: 0 });
    expect(replayed(await stepsOf(cluster.log)).slots).toEqual(upTo(20));
  });

  it('take over at once from a writer that ends in order', async () => {
    const cluster = new Cluster();
    cluster.chain.grow(10);
    const one = cluster.start('one');
    await cluster.reaches(10);
    const patient = { silenceMs: 60_000 };
    const other = cluster.start('other', patient);
    await until(() => other.ingester.status.headSlot === 10);
    await one.end();
    cluster.chain.grow(5);
    await cluster.reaches(15);
    expect(other.ingester.status.isWriting).toBe(true);
  });

  it('attach each publication to one block, across the end of a writer', async () => {
    const cluster = new Cluster();
    await cluster.publish('first');
    const one = cluster.start('one');
    await until(() => one.ingester.status.isWriting);
    // Blocks come until one is appended after the publication was read.
    const attaches = async (names: readonly string[]) =>
      until(async () => {
        cluster.chain.grow();
        return (await cluster.attached()).length === names.length;
      });
    await attaches(['first']);
    cluster.start('other');
    one.machine.stop();
    await cluster.publish('second');
    await attaches(['first', 'second']);
    cluster.chain.grow(10);
    await cluster.reaches(cluster.chain.blocks.length);
    expect(await cluster.attached()).toEqual(['first', 'second']);
  });

  it('hand over when the chain is silent for one of them only', async () => {
    const cluster = new Cluster();
    cluster.chain.grow(10);
    const deaf = new GrowingChain();
    deaf.grow(10);
    const one = cluster.start('one', { idleMs: 150 }, deaf);
    await cluster.reaches(10);
    cluster.start('other', { silenceMs: 60_000 });
    cluster.chain.grow(10);
    await cluster.reaches(20);
    expect(one.ingester.status.isWriting).toBe(false);
  });

  it('say that the log is full, keep the writer meanwhile, and go on when there is room', async () => {
    const cluster = new Cluster();
    cluster.chain.grow(10);
    const one = cluster.start('one', { idleMs: 100 });
    await cluster.reaches(10);
    const other = cluster.start('other');
    await until(() => other.ingester.status.headSlot === 10);
    one.machine.isFull = true;
    cluster.chain.grow(10);
    await until(() => one.ingester.status.failure?.isFull === true);
    // Longer than a chain may be silent: it is the log that takes nothing.
    await delay(500);
    expect(one.ingester.status).toMatchObject({ isWriting: true, refused: 0, takeovers: 1 });
    expect(other.ingester.status.takeovers).toBe(0);
    one.machine.isFull = false;
    await cluster.reaches(20);
    expect(one.ingester.status).toMatchObject({ isWriting: true, failure: null });
  });
});
