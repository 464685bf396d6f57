import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PricedSwap, SlotChanges } from '../src/model/derived.ts';
import { type Address, asSlot, asUsdNano } from '../src/model/units.ts';
import { prepareDataFolder } from '../src/store/data-folder.ts';
import { openDataPlane } from '../src/store/data-plane.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { buildBundle, buildChanges, buildSwap } from '../tests/support/build-records.ts';
import { address } from '../tests/support/build-transaction.ts';
import { FILL_CANDLES, FILL_CHUNK, fillTrades, MAKE_CHUNK } from './filled-store-sql.ts';
import { itemAt } from './item-at.ts';
import { fixed, integer } from './table.ts';

const TOKENS = 20_000;
/** Every third token has a second pool, with a fifth of its trades. */
const POOLS_PER_TOKEN = 2;
const WALLETS = 100_000;
/** The trades of the past are spread evenly over this time. */
const DAYS = 20;
const SLOT_MS = 400;
const SLOTS = (DAYS * 86_400_000) / SLOT_MS;
const START_MS = 1_700_006_400_000;
const CHUNK_SWAPS = 500_000;
const NEWEST_BATCHES = 10;
const BATCH_SLOTS = 20;
const SLOT_SWAPS = 100;

/** What a folder was filled with, to read from it. */
export class FilledMarket {
  readonly slots = SLOTS;
  readonly startMs = START_MS;
  readonly endMs = START_MS + SLOTS * SLOT_MS;
  readonly slotMs = SLOT_MS;
  readonly tokens = names('token', TOKENS);
  readonly pools = names('pool', TOKENS * POOLS_PER_TOKEN);
  readonly wallets = names('wallet', WALLETS);
  /** A linear congruential generator, so that every run draws the same. */
  private state = 1;

  /** Keys are drawn by trade weight, as requests are. */
  readonly drawToken = (): Address => itemAt(this.tokens, this.zipf(TOKENS));
  readonly drawPool = (): Address => this.poolOf(this.zipf(TOKENS));
  readonly drawWallet = (): Address => itemAt(this.wallets, this.zipf(WALLETS));

  readonly poolOf = (token: number): Address => itemAt(this.pools, token * POOLS_PER_TOKEN);

  /** Changes of a slot with trades and a bundle. */
  changes(slot: number): SlotChanges {
    const swaps = Array.from({ length: SLOT_SWAPS }, (_, txIndex) => this.swap(slot, txIndex));
    const { baseMint, trader } = itemAt(swaps, 0).swap;
    const bundle = { slot: asSlot(slot), ...(trader === null ? {} : { owner: trader }) };
    return buildChanges(slot, {
      timeMs: START_MS + (slot - 1) * SLOT_MS,
      swaps,
      bundles: [buildBundle(baseMint, '', bundle)],
    });
  }

  private swap(slot: number, txIndex: number): PricedSwap {
    const token = this.zipf(TOKENS);
    const second = token % 3 === 0 && this.next() < 0.2 ? 1 : 0;
    const isOrganic = this.next() < 0.4;
    return buildSwap(itemAt(this.pools, token * POOLS_PER_TOKEN + second), `${slot}/${txIndex}`, {
      slot: asSlot(slot),
      txIndex,
      timeMs: START_MS + (slot - 1) * SLOT_MS,
      isOrganic,
      valueUsd: asUsdNano(BigInt(Math.floor(this.next() * 1_000)) * 10n ** 9n),
      walletClass: isOrganic ? 'organic' : 'bot',
      swap: {
        side: this.next() < 0.5 ? 'buy' : 'sell',
        baseMint: itemAt(this.tokens, token),
        trader: this.drawWallet(),
      },
    });
  }

  private next(): number {
    this.state = (this.state * 48_271) % 2_147_483_647;
    return this.state / 2_147_483_647;
  }

  /** An index below `count`; that of n has a weight of about 1/(n + 1). */
  private zipf(count: number): number {
    return Math.floor(count ** this.next()) - 1;
  }
}

/**
 * Runs `work` with a store that holds `swaps` swaps and their candles. Tokens, pools and wallets are
 * as unequal as on the chain. The rows are made by the engine, since writing them as the service
 * does takes hours; parts are merged in the background, as in the service. A named folder is filled
 * once and kept, for further runs.
 */
export async function withFilledStore(
  swaps: number,
  folder: string | null,
  work: (store: Store, market: FilledMarket) => Promise<void>,
): Promise<void> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const market = new FilledMarket();
  if (folder === null || !existsSync(folder)) await fill(dataDir, swaps, market);
  const store = await openStore({ dataDir });
  try {
    if (store.cursor.slot === null)
      throw new Error(`${dataDir} was not filled to its end: remove it`);
    await work(store, market);
  } finally {
    await store.close();
    if (folder === null) rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill(dataDir: string, swaps: number, market: FilledMarket): Promise<void> {
  const start = performance.now();
  await (await openStore({ dataDir })).close();
  const plane = await openDataPlane({ dataDir: prepareDataFolder(dataDir).engineFolder });
  const { writer } = plane;
  const lists = { tokens: market.tokens, pools: market.pools, wallets: market.wallets };
  for (const [name, list] of Object.entries(lists)) {
    await writer.command(
      `CREATE TABLE bench_${name} (n UInt32, a String) ENGINE = Join(ANY, LEFT, n)`,
    );
    const body = list.map((one, index) => JSON.stringify([index, one])).join('\n');
    await writer.insert(`bench_${name}`, ['n', 'a'], Buffer.from(body));
  }
  for (let from = 0; from < swaps; from += CHUNK_SWAPS) {
    const to = Math.min(swaps, from + CHUNK_SWAPS);
    await writer.command(MAKE_CHUNK);
    const params = { from, to, swaps, slots: SLOTS, startMs: START_MS, slotMs: SLOT_MS };
    await writer.command(FILL_CHUNK, { ...params, tokens: TOKENS, wallets: WALLETS });
    for (const sql of [...fillTrades(), ...FILL_CANDLES]) await writer.command(sql);
    await writer.command('DROP TABLE bench_chunk SYNC');
  }
  for (const name of Object.keys(lists)) await writer.command(`DROP TABLE bench_${name} SYNC`);
  await plane.close();
  console.log(`${integer(swaps)} swaps filled in ${secondsSince(start)} s`);
  const store = await openStore({ dataDir });
  await writeNewest(store, market);
  await store.close();
}

/** The newest rows as the service writes them, so that there are parts of all sizes. */
async function writeNewest(store: Store, market: FilledMarket): Promise<void> {
  const start = performance.now();
  for (let batch = 0; batch < NEWEST_BATCHES; batch++) {
    const changes = Array.from({ length: BATCH_SLOTS }, (_, index) =>
      market.changes(SLOTS + batch * BATCH_SLOTS + index + 1),
    );
    await store.writer.writeBatch({ slots: [], changes, epoch: 1 });
  }
  const slots = NEWEST_BATCHES * BATCH_SLOTS;
  store.cursor.write({ epoch: 1, slot: asSlot(SLOTS + slots), isDirty: false });
  const written = integer(slots * SLOT_SWAPS);
  console.log(`${written} swaps more written (three orders, fsynced) in ${secondsSince(start)} s`);
}

function secondsSince(start: number): string {
  return fixed((performance.now() - start) / 1_000, 1);
}

function names(kind: string, count: number): Address[] {
  return Array.from({ length: count }, (_, index) => address(`bench ${kind} ${index}`));
}
