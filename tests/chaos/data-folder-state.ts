import type { MarketFact } from '../../simulator/chain/market-fact.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type { ChainStep } from '../../simulator/market/world.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { attachObservations } from '../../src/engine/attach-observations.ts';
import type { AccountObservation } from '../../src/model/account-observation.ts';
import type { Address } from '../../src/model/units.ts';
import { openService } from '../../src/service/app.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { CursorTable } from '../../src/store/control/cursor.ts';
import { prepareDataFolder } from '../../src/store/data-folder.ts';
import { openDataPlane } from '../../src/store/data-plane.ts';
import { IS_VISIBLE, ofVisible, paramsOf } from '../../src/store/sql/visible-epoch.ts';
import { itemSource } from '../support/item-source.ts';
import { storedRows } from '../support/stored-rows.ts';

/** The content of a data folder, independent of the order of the work that made it. */
export interface FolderState {
  readonly digest: string;
  readonly firstSlot: number;
  readonly lastSlot: number;
  readonly finalSlot: number | null;
  /** Number of slots by state in the gap ledger, from the first to the last block. */
  readonly counts: Readonly<Record<string, number>>;
  /** Content hashes by table. */
  readonly rows: Readonly<Record<string, unknown>>;
  /** Trades and quote volume by pool. */
  readonly sums: ReadonlyMap<Address, PoolSum>;
  readonly observations: Observations;
}

/** Observed accounts by slot: when accounts are read depends on the machine. */
export type Observations = ReadonlyMap<number, readonly AccountObservation[]>;

export interface PoolSum {
  swaps: number;
  quoteRaw: bigint;
}

/** State of a folder after it has ingested the items; with none, its present state. */
export async function stateOf(
  dataDir: string,
  pools: Iterable<Address>,
  items: readonly SourceItem[] = [],
): Promise<FolderState> {
  const service = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }));
  try {
    await service.ingestion.ingest(itemSource(items, true));
    const { engine, status } = service.ingestion;
    const sums = new Map<Address, PoolSum>();
    for (const pool of pools) {
      const record = engine.pool(pool);
      if (record === null || record.swapCount === 0) continue;
      sums.set(pool, { swaps: record.swapCount, quoteRaw: record.quoteVolumeRaw });
    }
    const slots: number[] = [];
    const observations = new Map<number, readonly AccountObservation[]>();
    for await (const facts of service.store.log.read()) {
      slots.push(facts.slot);
      if (facts.observations !== undefined) observations.set(facts.slot, facts.observations);
    }
    const state = {
      digest: engine.digest(),
      firstSlot: slots[0] ?? 0,
      lastSlot: slots.at(-1) ?? 0,
      finalSlot: status.finalSlot,
      sums,
      observations,
    };
    await service.close();
    const counts = ledgerCounts(dataDir, state.firstSlot, state.lastSlot);
    return { ...state, counts, rows: await storedRows(dataDir) };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** The ledger may contain skipped slots beyond the blocks at both ends; those are left out. */
function ledgerCounts(dataDir: string, first: number, last: number): Record<string, number> {
  const control = openControlPlane(prepareDataFolder(dataDir).controlFile);
  const rows = control
    .prepare(
      'SELECT state, from_slot, to_slot FROM slot_ranges WHERE to_slot >= ? AND from_slot <= ?',
    )
    .all(first, last);
  control.close();
  const counts: Record<string, number> = { held: 0, skipped: 0, missing: 0 };
  for (const { state, from_slot: from, to_slot: to } of rows) {
    const slots = Math.min(Number(to), last) - Math.max(Number(from), first) + 1;
    counts[String(state)] = (counts[String(state)] ?? 0) + slots;
  }
  return counts;
}

/** The state that a run without faults leaves in an empty folder, with the same observations. */
export async function calmState(
  dataDir: string,
  pools: Iterable<Address>,
  steps: readonly ChainStep[],
  observations: Observations = new Map(),
): Promise<FolderState> {
  const items = steps.map(({ block }): SourceItem => {
    const facts = decodeBlock(toChainBlock(block));
    return { kind: 'facts', facts: attachObservations(facts, observations.get(facts.slot)) };
  });
  return await stateOf(dataDir, pools, items);
}

/** The trades of these blocks, as the simulated venues recorded them. */
export function tradedIn(steps: readonly ChainStep[]): Map<Address, PoolSum> {
  const sums = new Map<Address, PoolSum>();
  for (const { pool, quoteRaw } of steps.flatMap(tradesOf)) {
    const sum = sums.get(pool) ?? { swaps: 0, quoteRaw: 0n };
    sums.set(pool, { swaps: sum.swaps + 1, quoteRaw: sum.quoteRaw + quoteRaw });
  }
  return sums;
}

function tradesOf({ block }: ChainStep): (MarketFact & { readonly kind: 'trade' })[] {
  return block.transactions.flatMap(({ facts }) => facts.filter((fact) => fact.kind === 'trade'));
}

/** The cursor of a folder, and what is stored up to it. */
export interface CursorEvidence {
  readonly slot: number | null;
  /** Slots of the log up to the cursor, ascending. */
  readonly logged: readonly number[];
  /** Swaps of the visible fold up to the cursor. */
  readonly swaps: number;
  /** Late slots are waiting for a new fold: their rows are not stored yet. */
  readonly isDirty: boolean;
}

/** Reads a folder whose process is dead, without a repair. Null when there is no cursor yet. */
export async function cursorEvidence(dataDir: string): Promise<CursorEvidence | null> {
  const { controlFile, engineFolder } = prepareDataFolder(dataDir);
  const control = openControlPlane(controlFile);
  const cursor = new CursorTable(control);
  const { slot, isDirty } = cursor.read();
  const { layers } = cursor;
  control.close();
  if (slot === null) return null;
  const plane = await openDataPlane({ dataDir: engineFolder });
  try {
    const log = await plane.heavy.rows<{ slot: string }>(
      `SELECT slot FROM slot_log FINAL WHERE slot <= ${slot} ORDER BY slot`,
    );
    const [swaps] = await plane.heavy.rows<{ n: string }>(
      `SELECT count() AS n FROM swaps FINAL WHERE ${ofVisible(IS_VISIBLE, layers)} AND slot <= ${slot}`,
      paramsOf(layers),
    );
    const logged = log.map((row) => Number(row.slot));
    return { slot, logged, swaps: Number(swaps?.n), isDirty };
  } finally {
    await plane.close();
  }
}
