import { binomialSurvivalLog10 } from '../../lib/tail-probability.ts';
import type { CaseTrade, MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder, compareText } from '../readings/block-order.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';
import { longestRuns } from './longest-runs.ts';

const SELLS_APART_MAX_SLOTS = 5;
/** Wallets that entered within this many slots form a cohort, in which exits are counted. */
const ENTRIES_APART_MAX_SLOTS = 10;
/** A wallet that sold at least 8/10 of everything it received has left. */
const SOLD_OF_TEN = 8n;
const STRENGTH = 0.45;
/** The probability must be below one in ten thousand. */
const SURPRISE_MIN_LOG10 = 4;
/** Lower bound of the rate at which holders sell. */
const CONTROL_RATE_MIN = 0.02;
/** One or two never reach that probability at this rate: two of two are 4 in 10,000. */
const LEAVERS_MIN = 3;
/** Minimum number of other holders for a comparison. */
const CONTROLS_MIN = 10;
/** Controls of similar size: from half of the smallest to twice the largest. */
const SIZE_FACTOR = 2n;

/**
 * B-exit: wallets that entered together exit together while other holders of similar size stay. In
 * a panic the others exit as well, and no link results.
 */
export const synchronizedExit: LinkFamily = { name: 'synchronized-exit', kind: 'market', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  // All holders, not only participants: the probability applies to every holder.
  const holders = readHolders(mintCase);
  // Runs overlap: leavers are determined once, not for each run.
  const leaverOf = new Map<Holder, Leaver>();
  for (const holder of holders) if (isLeaver(holder)) leaverOf.set(holder, holder);
  if (leaverOf.size < LEAVERS_MIN) return;
  const cameTogether = (first: Holder, last: Holder) =>
    last.entrySlot - first.entrySlot <= ENTRIES_APART_MAX_SLOTS;
  for (const cohort of longestRuns(holders, cameTogether)) {
    const leavers = cohort
      .flatMap((holder) => leaverOf.get(holder) ?? [])
      .sort((one, other) => one.sellSlot - other.sellSlot);
    if (leavers.length < LEAVERS_MIN) continue;
    const leftTogether = (first: Leaver, last: Leaver) =>
      last.sellSlot - first.sellSlot <= SELLS_APART_MAX_SLOTS;
    for (const exit of longestRuns(leavers, leftTogether)) {
      if (!isSurprising(exit, cohort, holders)) continue;
      yield {
        relationship: 'coordinated_trading',
        via: null,
        strength: STRENGTH,
        members: evenly(exit.map(({ wallet }) => wallet)),
      };
    }
  }
}

interface Holder {
  readonly wallet: Address;
  /** Slot of the first tokens received, bought or transferred. */
  readonly entrySlot: number;
  /** Slot of the first sale; null without one. */
  readonly sellSlot: number | null;
  readonly gotRaw: bigint;
  readonly soldRaw: bigint;
  /** Whether it had at some time sold nearly everything received until then. */
  readonly hasLeft: boolean;
}

type Leaver = Holder & { readonly sellSlot: number };

function isLeaver(holder: Holder): holder is Leaver {
  const { entrySlot, sellSlot, hasLeft } = holder;
  return sellSlot !== null && sellSlot >= entrySlot && hasLeft;
}

function isSurprising(
  exit: readonly Leaver[],
  cohort: readonly Holder[],
  holders: readonly Holder[],
): boolean {
  if (exit.length < LEAVERS_MIN) return false;
  const fromSlot = exit[0]?.sellSlot ?? 0;
  const mayLeave = cohort.filter((holder) => isAtRisk(holder, fromSlot)).length;
  const surprise = (rate: number) => -binomialSurvivalLog10(exit.length, mayLeave, rate);
  // Upper bound: controls can only make it less surprising.
  if (surprise(CONTROL_RATE_MIN) < SURPRISE_MIN_LOG10) return false;
  const controls = controlsOf(exit, cohort, holders, fromSlot);
  if (controls.length < CONTROLS_MIN) return false;
  const leaving = controls.filter(
    ({ sellSlot }) => sellSlot !== null && sellSlot <= fromSlot + SELLS_APART_MAX_SLOTS,
  );
  const rate = Math.max(CONTROL_RATE_MIN, leaving.length / controls.length);
  return surprise(rate) >= SURPRISE_MIN_LOG10;
}

/** Whether a holder had entered by the slots of the exit and had not sold before. */
function isAtRisk({ entrySlot, sellSlot }: Holder, fromSlot: number): boolean {
  if (sellSlot !== null && sellSlot < fromSlot) return false;
  return entrySlot <= fromSlot + SELLS_APART_MAX_SLOTS;
}

/**
 * Holders outside of the cohort that could have left: of similar size, or of any size if too few.
 */
function controlsOf(
  exit: readonly Leaver[],
  cohort: readonly Holder[],
  holders: readonly Holder[],
  fromSlot: number,
): readonly Holder[] {
  const inside = new Set(cohort);
  const others = holders.filter((holder) => isAtRisk(holder, fromSlot) && !inside.has(holder));
  if (others.length < CONTROLS_MIN) return others;
  const [leastRaw, mostRaw] = sizesOf(exit);
  const matched = others.filter(
    ({ gotRaw }) => gotRaw * SIZE_FACTOR >= leastRaw && gotRaw <= mostRaw * SIZE_FACTOR,
  );
  return matched.length >= CONTROLS_MIN ? matched : others;
}

function sizesOf(exit: readonly Leaver[]): readonly [leastRaw: bigint, mostRaw: bigint] {
  let leastRaw = exit[0]?.gotRaw ?? 0n;
  let mostRaw = leastRaw;
  for (const { gotRaw } of exit) {
    if (gotRaw < leastRaw) leastRaw = gotRaw;
    if (gotRaw > mostRaw) mostRaw = gotRaw;
  }
  return [leastRaw, mostRaw];
}

/**
 * Wallets that bought or received tokens, by first entry, without round trips in one transaction.
 */
function readHolders({ trades, transfers }: MintCase): readonly Holder[] {
  const holders = new Map<Address, OpenHolder>();
  const noteReceipts = receiptsInOrder(holders, transfers);
  for (const trade of trades) {
    const { wallet, slot, side, baseRaw, isArbitrage, isRoundTrip } = trade;
    if (isArbitrage || isRoundTrip) continue;
    noteReceipts(trade);
    if (side === 'buy') noteEntry(holders, wallet, slot, baseRaw);
    else noteSale(holders.get(wallet), trade);
  }
  noteReceipts(null);
  return [...holders.values()].sort(
    (one, other) => one.entrySlot - other.entrySlot || compareText(one.wallet, other.wallet),
  );
}

/** Notes the transfers before a trade, or all that are left; both lists are in block order. */
function receiptsInOrder(holders: Map<Address, OpenHolder>, transfers: MintCase['transfers']) {
  let next = 0;
  return (before: TransactionRef | null): void => {
    for (let transfer = transfers[next]; transfer !== undefined; transfer = transfers[++next]) {
      if (before !== null && byChainOrder(transfer, before) > 0) return;
      noteEntry(holders, transfer.to, transfer.slot, transfer.amountRaw);
    }
  };
}

/** What a wallet sells without having received it in the case was not held in it. */
function noteSale(holder: OpenHolder | undefined, { slot, baseRaw }: CaseTrade): void {
  if (holder === undefined) return;
  holder.sellSlot ??= slot;
  holder.soldRaw += baseRaw;
  holder.hasLeft ||= holder.soldRaw * 10n >= holder.gotRaw * SOLD_OF_TEN;
}

/** A holder under construction. */
type OpenHolder = { -readonly [Name in keyof Holder]: Holder[Name] };

function noteEntry(
  holders: Map<Address, OpenHolder>,
  wallet: Address,
  slot: number,
  amountRaw: bigint,
): void {
  const known = holders.get(wallet);
  if (known === undefined) {
    holders.set(wallet, {
      wallet,
      entrySlot: slot,
      sellSlot: null,
      gotRaw: amountRaw,
      soldRaw: 0n,
      hasLeft: false,
    });
    return;
  }
  known.entrySlot = Math.min(known.entrySlot, slot);
  known.gotRaw += amountRaw;
}
