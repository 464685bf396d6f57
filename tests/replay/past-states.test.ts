import { expect, test } from 'vitest';
import { Random } from '../../simulator/random/random.ts';
import { HOLDERS_MAX } from '../../src/api/deps.ts';
import { attachApi } from '../../src/bridge/attach-api.ts';
import type { ApiRequest, ServiceMessage } from '../../src/bridge/messages.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { answerPast, type PastQuery } from '../../src/ingestion/past/past-query.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { type Address, asPriceE18, asSlot, type Slot } from '../../src/model/units.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { followedBlocks, forkingMarket } from '../support/forking-market.ts';
import { itemSource } from '../support/item-source.ts';

const SLOTS = 780;
/** The newest slots that are asked for. */
const ASKED = 600;
const ENGINE = { fallbackSolUsd: asPriceE18(150n * 10n ** 18n), undoSlotsMax: 64 };

/** A read as the API sends it, and the same of an engine. */
interface Query {
  readonly method: 'token' | 'holders' | 'indicators';
  readonly argument: unknown;
  readonly query: PastQuery;
}

/** The first pools of the market, and reads of them and their tokens. */
function queriesOf(facts: readonly SlotFacts[]): Query[] {
  const engine = new Engine(ENGINE);
  const mints = new Map<Address, Address>();
  for (const each of facts) {
    for (const { pool, baseMint } of engine.apply(each).pools) mints.set(pool, baseMint);
    if (mints.size >= 6) break;
  }
  return [...mints].flatMap(([pool, mint]): Query[] => {
    const page = { mint, after: null, limit: 20 };
    return [
      {
        method: 'token',
        argument: mint,
        query: { kind: 'token', mint, holdersMax: HOLDERS_MAX },
      },
      { method: 'holders', argument: page, query: { kind: 'holders', page } },
      { method: 'indicators', argument: pool, query: { kind: 'indicators', pool } },
    ];
  });
}

/** What an engine without a store answered while each slot of the present branch was the newest. */
class Reference {
  private readonly engine = new Engine(ENGINE);
  private readonly queries: readonly Query[];
  private readonly answers: { readonly slot: Slot; readonly texts: readonly string[] }[] = [];

  constructor(queries: readonly Query[]) {
    this.queries = queries;
  }

  get newest(): Slot {
    return this.engine.lastSlot ?? asSlot(0);
  }

  get first(): Slot {
    return this.engine.firstSlot ?? asSlot(0);
  }

  take(item: SourceItem): void {
    if (item.kind === 'facts') this.apply(item.facts);
    else if (item.kind === 'undo') this.undoTo(item.toSlot);
    else if (item.kind === 'final') this.engine.forget(item.slot);
  }

  /** The answer as of a slot: after the last block up to it. */
  at(slot: Slot, query: number): string {
    if (slot > this.newest) return 'outside';
    return this.answers.findLast((each) => each.slot <= slot)?.texts[query] ?? 'outside';
  }

  private apply(facts: SlotFacts): void {
    const { engine } = this;
    engine.apply(facts, { isFinal: false });
    const { slot } = facts;
    const timeMs = engine.timeMs === 0 ? null : engine.timeMs;
    const texts = this.queries.map(({ query }) => {
      return textOf({ slot, timeMs, data: answerPast(engine, query as never) });
    });
    this.answers.push({ slot, texts });
  }

  private undoTo(slot: Slot): void {
    while (this.newest > slot) {
      this.engine.undo();
      this.answers.pop();
    }
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));
}

/** The calls that an API sends to a service. */
class Caller {
  private readonly open = new Map<number, (message: ServiceMessage) => void>();
  private readonly take: (message: ApiRequest) => void;
  private lastId = 0;

  constructor(service: Service) {
    this.take = attachApi(service, {}, (message) => {
      if (message.kind !== 'answer' && message.kind !== 'refusal') return;
      this.open.get(message.id)?.(message);
      this.open.delete(message.id);
    });
  }

  /** The answer as text; `outside` if it is refused as the slot is not answerable. */
  async call(name: string, args: readonly unknown[]): Promise<string> {
    const id = ++this.lastId;
    const message = await new Promise<ServiceMessage>((resolve) => {
      this.open.set(id, resolve);
      this.take({ kind: 'call', id, accountId: null, name, args });
    });
    if (message.kind === 'answer') return textOf(message.answer);
    if (message.kind !== 'refusal') throw new Error(`${message.kind} is no answer`);
    if (message.fault.status === 422) return 'outside';
    throw new Error(message.fault.message);
  }
}

interface OpenRead {
  readonly slot: Slot;
  readonly query: number;
  /** The answers that were right since it was sent. */
  readonly right: Set<string>;
}

/** Reads of earlier slots, compared with the reference. */
class Reads {
  readonly counts = { reads: 0, outside: 0, skipped: 0, unknown: 0 };
  private readonly open = new Set<OpenRead>();
  private readonly sent: Promise<void>[] = [];
  private readonly reference: Reference;
  private readonly queries: readonly Query[];
  private readonly random: Random;

  constructor(reference: Reference, queries: readonly Query[], random: Random) {
    this.reference = reference;
    this.queries = queries;
    this.random = random;
  }

  /** A random slot among the newest that were asked for. */
  get someSlot(): Slot {
    const { newest, first } = this.reference;
    const oldest = Math.max(first, newest - ASKED);
    return asSlot(oldest + this.random.below(newest - oldest + 1));
  }

  /** Reads as of a slot, and compares the answer once it is there. */
  async read(caller: Caller, slot: Slot): Promise<void> {
    const query = this.random.below(this.queries.length);
    const read = { slot, query, right: new Set([this.reference.at(slot, query)]) };
    this.open.add(read);
    const { method, argument } = this.queries[query] as Query;
    const text = await caller.call(`past.${method}`, [argument, slot]);
    this.open.delete(read);
    expect([...read.right]).toContain(text);
    this.counts.reads++;
    if (text === 'outside') this.counts.outside++;
    else if (!text.startsWith(`{"slot":${slot},`)) this.counts.skipped++;
    if (text.endsWith('"data":null}')) this.counts.unknown++;
  }

  /** The same without waiting for it, unless as many wait as an account may have. */
  send(caller: Caller, slot: Slot): void {
    if (this.open.size > 3) return;
    const read = this.read(caller, slot);
    read.catch(() => undefined);
    this.sent.push(read);
  }

  /** The present branch has changed: reads that are under way may answer for either. */
  step(): void {
    for (const { slot, query, right } of this.open) right.add(this.reference.at(slot, query));
  }

  async settled(): Promise<void> {
    await Promise.all(this.sent);
  }
}

test('a read as of any of the newest 600 slots answers what was answered when it was the newest', async () => {
  const items = followedBlocks(forkingMarket('past', SLOTS).made).map((item): SourceItem => {
    return item.kind === 'block' ? { kind: 'facts', facts: decodeBlock(item.block) } : item;
  });
  const facts = items.flatMap((item) => (item.kind === 'facts' ? [item.facts] : []));
  const queries = queriesOf(facts);
  const reference = new Reference(queries);
  const reads = new Reads(reference, queries, new Random('past reads'));
  const dataDir = temporaryFolder();
  const open = () => openService(readConfig({}, { dataDir, solUsdFallback: '150' }));

  const service = await open();
  const caller = new Caller(service);
  let reverted = 0;
  async function* followed() {
    for (const [index, item] of items.entries()) {
      const isRevert = item.kind === 'undo';
      if (isRevert && index % 4 === 0) {
        // The slot that is reverted next, and one whose state is computed meanwhile.
        reads.send(caller, reference.newest);
        reads.send(caller, asSlot(reference.newest - 1));
        reverted++;
      }
      if (index % 100 === 99) await reads.read(caller, reads.someSlot);
      else if (index % 40 === 39) reads.send(caller, reads.someSlot);
      // The service takes it, and the reference with it.
      reference.take(item);
      reads.step();
      yield item;
    }
  }
  await service.ingestion.ingest(itemSource(followed(), false), { writeAfterMs: 20 });
  await reads.settled();
  const { checkpoints } = service.ingestion.past;
  await service.close();

  const again = await open();
  const nextCaller = new Caller(again);
  for (let read = 0; read < 10; read++) await reads.read(nextCaller, reads.someSlot);
  const { newest, first } = reference;
  for (const slot of [newest, newest + 1, first, first - 1, 0]) {
    await reads.read(nextCaller, asSlot(slot));
  }
  const counts = again.past.counts;
  await again.close();
  process.stdout.write(`${reads.counts.reads} reads, ${reverted} before reverts\n`);
  // Both ways to begin were taken, and reads of slots without a block and of slots out of range.
  expect(checkpoints.length).toBeGreaterThan(0);
  expect(newest - first).toBeGreaterThan(ASKED);
  expect(reverted).toBeGreaterThan(20);
  expect(reads.counts.reads).toBeGreaterThan(70);
  expect(reads.counts.skipped).toBeGreaterThan(5);
  expect(reads.counts.outside).toBeGreaterThan(2);
  expect(reads.counts.reads - reads.counts.unknown).toBeGreaterThan(40);
  expect(counts.failed).toBe(0);
});
