import { binomialSurvivalLog10 } from '../../lib/tail-probability.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { compareText } from '../block-order.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';
import { longestRuns } from './longest-runs.ts';

const SELLS_APART_MAX_SLOTS = 5;
/** Who came in within so many slots is a cohort: of those the exits are counted. */
const ENTRIES_APART_MAX_SLOTS = 10;
/** Of all that a wallet got, 8 of 10 parts were sold: it left. */
const SOLD_OF_TEN = 8n;
const STRENGTH = 0.45;
/** Chance has to be below one in ten thousand. */
const SURPRISE_MIN_LOG10 = 4;
/** However calm the others are, somebody always sells. */
const CONTROL_RATE_MIN = 0.02;
/** Fewer others than this show nothing. */
const CONTROLS_MIN = 10;
/** Others of about the same size: no smaller than half of the smallest, no larger than twice the largest. */
const SIZE_FACTOR = 2n;

/**
 * B-exit: wallets that came in together leave together, while others who hold as much stay. When
 * everybody runs the others run too, and that says nothing.
 */
export const synchronizedExit: LinkFamily = { name: 'synchronized-exit', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  // All holders, not only those that may be linked: chance makes no difference between them.
  const holders = readHolders(mintCase);
  const cameTogether = (first: Holder, last: Holder) =>
    last.entrySlot - first.entrySlot <= ENTRIES_APART_MAX_SLOTS;
  for (const cohort of longestRuns(holders, cameTogether)) {
    const leavers = cohort.filter(isLeaver).sort((one, other) => one.sellSlot - other.sellSlot);
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
  /** Of the first tokens that came in, bought or given. */
  readonly entrySlot: number;
  /** Of the first sell; null before there is one. */
  readonly sellSlot: number | null;
  readonly gotRaw: bigint;
  readonly soldRaw: bigint;
}

type Leaver = Holder & { readonly sellSlot: number };

function isLeaver(holder: Holder): holder is Leaver {
  const { entrySlot, sellSlot, gotRaw, soldRaw } = holder;
  return sellSlot !== null && sellSlot >= entrySlot && soldRaw * 10n >= gotRaw * SOLD_OF_TEN;
}

function isSurprising(
  exit: readonly Leaver[],
  cohort: readonly Holder[],
  holders: readonly Holder[],
): boolean {
  const fromSlot = exit[0]?.sellSlot ?? 0;
  const mayLeave = cohort.filter((holder) => isAtRisk(holder, fromSlot)).length;
  const surprise = (rate: number) => -binomialSurvivalLog10(exit.length, mayLeave, rate);
  // The others can only make it less surprising.
  if (surprise(CONTROL_RATE_MIN) < SURPRISE_MIN_LOG10) return false;
  const controls = controlsOf(exit, cohort, holders, fromSlot);
  if (controls.length < CONTROLS_MIN) return false;
  const leaving = controls.filter(
    ({ sellSlot }) => sellSlot !== null && sellSlot <= fromSlot + SELLS_APART_MAX_SLOTS,
  );
  const rate = Math.max(CONTROL_RATE_MIN, leaving.length / controls.length);
  return surprise(rate) >= SURPRISE_MIN_LOG10;
}

/** It held some in the slots of the exit, and had not sold before. */
function isAtRisk({ entrySlot, sellSlot }: Holder, fromSlot: number): boolean {
  if (sellSlot !== null && sellSlot < fromSlot) return false;
  return entrySlot <= fromSlot + SELLS_APART_MAX_SLOTS;
}

/** Those beside the cohort who could have left: of its size, or of any size where these are too few. */
function controlsOf(
  exit: readonly Leaver[],
  cohort: readonly Holder[],
  holders: readonly Holder[],
  fromSlot: number,
): readonly Holder[] {
  const inside = new Set(cohort);
  const others = holders.filter((holder) => !inside.has(holder) && isAtRisk(holder, fromSlot));
  const matched = others.filter(
    ({ gotRaw }) =>
      exit.some((leaver) => gotRaw * SIZE_FACTOR >= leaver.gotRaw) &&
      exit.some((leaver) => gotRaw <= leaver.gotRaw * SIZE_FACTOR),
  );
  return matched.length >= CONTROLS_MIN ? matched : others;
}

/** Everybody who bought or was given some, by first entry; what is gone in one transaction is no holding. */
function readHolders({ trades, transfers }: MintCase): readonly Holder[] {
  const holders = new Map<Address, Holder>();
  const held = trades.filter(({ isArbitrage, isRoundTrip }) => !isArbitrage && !isRoundTrip);
  const entries = [
    ...held
      .filter(({ side }) => side === 'buy')
      .map(({ wallet, slot, baseRaw }) => ({ wallet, slot, amountRaw: baseRaw })),
    ...transfers.map(({ to, slot, amountRaw }) => ({ wallet: to, slot, amountRaw })),
  ];
  for (const { wallet, slot, amountRaw } of entries) {
    const known = holders.get(wallet);
    holders.set(wallet, {
      wallet,
      entrySlot: Math.min(known?.entrySlot ?? slot, slot),
      sellSlot: null,
      gotRaw: (known?.gotRaw ?? 0n) + amountRaw,
      soldRaw: 0n,
    });
  }
  for (const { wallet, slot, side, baseRaw } of held) {
    const known = holders.get(wallet);
    if (side !== 'sell' || known === undefined) continue;
    const sellSlot = Math.min(known.sellSlot ?? slot, slot);
    holders.set(wallet, { ...known, sellSlot, soldRaw: known.soldRaw + baseRaw });
  }
  return [...holders.values()].sort(
    (one, other) => one.entrySlot - other.entrySlot || compareText(one.wallet, other.wallet),
  );
}
