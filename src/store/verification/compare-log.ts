import { asSlot, type Slot } from '../../model/units.ts';
import type { GapLedger } from '../control/gap-ledger.ts';
import type { SlotRange } from '../control/slot-ranges.ts';
import type { Lane } from '../sql/lane.ts';
import type { Finding } from './finding.ts';

/** Slots per bucket, whose blocks are counted and summed together. */
const BUCKET_SLOTS = 10_000;
/** Slots per query: the rows of one query are in memory together. */
const QUERY_SLOTS = 1_000_000;

/** The number of blocks in a bucket, and the sum of their slots. */
interface BucketSum {
  readonly slots: number;
  readonly total: bigint;
}

const NONE: BucketSum = { slots: 0, total: 0n };

/** The state of a bucket according to the ledger. */
interface LedgerBucket {
  slots: number;
  total: bigint;
  /** Missing slots may still be in the log, when their branch is suspected to be abandoned. */
  hasGap: boolean;
}

/** What is compared. */
export interface ComparedSlots {
  /** The first slot of the log: earlier ones were dropped, maybe not all of them yet. */
  readonly from: Slot | null;
  /** The last slot up to which the ledger must know every block; null: none. */
  readonly upTo: Slot | null;
}

/**
 * Compares the ledger with the log: every held slot must be in the log as a whole block, and up to
 * `upTo` the log may contain no block that the ledger does not know. Reads only slot numbers.
 */
export async function compareLog(
  lane: Lane,
  ledger: GapLedger,
  { from: start, upTo }: ComparedSlots,
): Promise<Finding[]> {
  const first = start ?? 0;
  const recorded = ledgerBuckets(ledger, first);
  const stored = await logBuckets(lane, first);
  const differing = [...new Set([...recorded.keys(), ...stored.keys()])]
    .filter((bucket) => mayDiffer(recorded.get(bucket), stored.get(bucket) ?? NONE))
    .sort((one, other) => one - other);
  const lost: number[] = [];
  const unknown: number[] = [];
  for (const bucket of differing) {
    const to = (bucket + 1) * BUCKET_SLOTS - 1;
    const from = Math.max(bucket * BUCKET_SLOTS, first);
    const slots = await wholeSlots(lane, from, to);
    const ranges = ledger.ranges(asSlot(from), asSlot(to));
    for (const slot of heldIn(ranges, from, to)) if (!slots.has(slot)) lost.push(slot);
    for (const slot of slots) {
      if (slot <= (upTo ?? -1) && !isKnown(ranges, slot)) unknown.push(slot);
    }
  }
  return [
    ...toRuns(lost).map((run): Finding => ({ kind: 'slots-lost', ...run })),
    ...toRuns(unknown).map((run): Finding => ({ kind: 'ledger-incomplete', ...run })),
  ];
}

/** Whether the log contains no slots. */
export async function isLogEmpty(lane: Lane): Promise<boolean> {
  return (await lane.rows('SELECT 1 FROM slot_log LIMIT 1')).length === 0;
}

function mayDiffer(claimed: LedgerBucket | undefined, stored: BucketSum): boolean {
  if (claimed === undefined) return true;
  if (claimed.hasGap && stored.slots + claimed.slots > 0) return true;
  return claimed.slots !== stored.slots || claimed.total !== stored.total;
}

function ledgerBuckets(ledger: GapLedger, first: number): Map<number, LedgerBucket> {
  const buckets = new Map<number, LedgerBucket>();
  for (const { from, to, state } of ledger.all()) {
    if (state === 'skipped') continue;
    for (let next = Math.max(from, first); next <= to; ) {
      const bucket = Math.floor(next / BUCKET_SLOTS);
      const last = Math.min(to, (bucket + 1) * BUCKET_SLOTS - 1);
      const known = buckets.get(bucket) ?? { slots: 0, total: 0n, hasGap: false };
      buckets.set(bucket, known);
      if (state === 'missing') known.hasGap = true;
      else {
        known.slots += last - next + 1;
        known.total += (BigInt(next + last) * BigInt(last - next + 1)) / 2n;
      }
      next = last + 1;
    }
  }
  return buckets;
}

async function logBuckets(lane: Lane, first: number): Promise<Map<number, BucketSum>> {
  const buckets = new Map<number, BucketSum>();
  const groups = await lane.rows<{ group: string }>(
    `SELECT DISTINCT intDiv(slot, ${QUERY_SLOTS}) AS group FROM slot_log WHERE slot >= {first:UInt64}`,
    { first },
  );
  for (const { group } of groups) {
    const rows = await lane.rows<{ bucket: string; slots: string; total: string }>(
      `SELECT intDiv(slot, ${BUCKET_SLOTS}) AS bucket, count() AS slots, sum(slot) AS total
       FROM (SELECT DISTINCT slot FROM slot_log WHERE is_whole AND slot >= {from:UInt64} AND slot <= {to:UInt64})
       GROUP BY bucket`,
      {
        from: Math.max(Number(group) * QUERY_SLOTS, first),
        to: (Number(group) + 1) * QUERY_SLOTS - 1,
      },
    );
    for (const { bucket, slots, total } of rows) {
      buckets.set(Number(bucket), { slots: Number(slots), total: BigInt(total) });
    }
  }
  return buckets;
}

async function wholeSlots(lane: Lane, from: number, to: number): Promise<ReadonlySet<number>> {
  const rows = await lane.rows<{ slot: string }>(
    'SELECT DISTINCT slot FROM slot_log WHERE is_whole AND slot >= {from:UInt64} ' +
      'AND slot <= {to:UInt64} ORDER BY slot',
    { from, to },
  );
  return new Set(rows.map(({ slot }) => Number(slot)));
}

function* heldIn(
  ranges: readonly SlotRange[],
  firstSlot: number,
  lastSlot: number,
): Iterable<number> {
  for (const { from, to, state } of ranges) {
    if (state !== 'held') continue;
    for (let slot = Math.max(from, firstSlot); slot <= Math.min(to, lastSlot); slot++) yield slot;
  }
}

function isKnown(ranges: readonly SlotRange[], slot: number): boolean {
  return ranges.some(({ from, to, state }) => from <= slot && to >= slot && state !== 'skipped');
}

/** Joins consecutive slots into ranges. `slots` is ascending. */
function toRuns(slots: readonly number[]): { readonly from: Slot; readonly to: Slot }[] {
  const runs: { from: Slot; to: Slot }[] = [];
  for (const slot of slots.map(asSlot)) {
    const last = runs.at(-1);
    if (last !== undefined && last.to + 1 === slot) last.to = slot;
    else runs.push({ from: slot, to: slot });
  }
  return runs;
}
