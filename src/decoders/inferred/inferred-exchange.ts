import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { powerOfTen } from '../../model/units.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import {
  isOfOneMint,
  isPaidByProgram,
  keyAt,
  type PartyTransfer,
  partyOf,
  partyTransferOf,
  SELF_OWNED,
} from '../transaction/token-parties.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * Below this, a fee of 0.01 % rounds to zero, and amounts of stablecoins may be equal by chance.
 */
const ROUNDED_BELOW_RAW = 10_000n;

/** Two mints exchanged between a trader and an authority that a program signs for. */
export interface Exchange {
  /** The party that exchanged with the pool's authority. */
  readonly trader: Address;
  /** The authority's accounts: the one that received, the one that paid. Key indices. */
  readonly vaults: readonly [number, number];
  /** The trader's accounts: the one that paid, the one that received. Key indices. */
  readonly traderAccounts: readonly [number, number];
  /** All movements below the instruction that belong to it. */
  readonly movements: readonly TokenMovement[];
}

/**
 * Two parties and the net amounts, by mint in raw units, that went from the first to the second.
 */
interface Dealing {
  readonly one: Address;
  readonly other: Address;
  readonly flows: Map<Address, bigint>;
}

/**
 * The exchange made by an instruction's own movements, or null. The rules are listed in
 * `inferred-swap.ts`.
 */
export function readExchange(
  view: TransactionView,
  instruction: Instruction,
  own: readonly TokenMovement[],
): Exchange | null {
  const mints = own.every((movement) => isOfOneMint(view, movement)) ? tradedMints(own) : null;
  if (mints === null || !mints.every((mint) => (view.decimalsOf(mint) ?? 0) > 0)) return null;
  const transfers = own.flatMap((movement) => partyTransferOf(view, movement) ?? []);
  const dealing = onlyCrossing(transfers, mints);
  if (dealing === null) return null;
  const pool = poolSideOf(view, instruction, transfers, dealing);
  if (pool === null) return null;
  const trader = pool === dealing.one ? dealing.other : dealing.one;
  const issued = own.filter(({ kind }) => kind !== 'transfer');
  if (!issued.every((movement) => isFeeShare(view, movement, transfers, pool))) return null;
  const exchange = accountsOf(transfers, own, { pool, trader });
  if (exchange === null || !isBelievable(view, instruction, exchange, pool)) return null;
  return exchange;
}

/**
 * The two transferred mints; null when there are fewer or more, or when one of them was minted or
 * burned.
 */
function tradedMints(own: readonly TokenMovement[]): readonly [Address, Address] | null {
  const mints = new Set<Address>();
  const issued = new Set<Address>();
  for (const { kind, mint } of own) {
    if ((kind !== 'transfer' && kind !== 'mintTo') || mint === null) return null;
    (kind === 'transfer' ? mints : issued).add(mint);
    if (mints.size > 2) return null;
  }
  const [one, other] = mints;
  if (one === undefined || other === undefined) return null;
  return issued.has(one) || issued.has(other) ? null : [one, other];
}

/**
 * True when a pool minted its fee as a share of itself, as the token-swap family does: the pool's
 * own authority minted it to an owner that neither signed nor took part in a transfer. A receipt,
 * in contrast, goes to the depositor or to the authority that holds it for them.
 */
function isFeeShare(
  view: TransactionView,
  { kind, authority, destination }: TokenMovement,
  transfers: readonly PartyTransfer[],
  pool: Address,
): boolean {
  if (kind !== 'mintTo' || keyAt(view, authority) !== pool) return false;
  const owner = partyOf(view, destination);
  if (owner === null || owner === SELF_OWNED || owner === pool || view.hasSigned(owner))
    return false;
  return transfers.every(({ from, to }) => from !== owner && to !== owner);
}

/**
 * The only two parties that exchanged the two mints with each other; null when there are none or
 * several.
 */
function onlyCrossing(
  transfers: readonly PartyTransfer[],
  [first, second]: readonly [Address, Address],
): Dealing | null {
  const dealings = new Map<string, Dealing>();
  for (const { from, to, mint, movement } of transfers) {
    const [one, other] = from < to ? [from, to] : [to, from];
    const key = `${one} ${other}`;
    const dealing = dealings.get(key) ?? { one, other, flows: new Map<Address, bigint>() };
    dealings.set(key, dealing);
    const amount = from === one ? movement.amount : -movement.amount;
    dealing.flows.set(mint, (dealing.flows.get(mint) ?? 0n) + amount);
  }
  const crossing = [...dealings.values()].filter(({ flows }) => {
    const product = (flows.get(first) ?? 0n) * (flows.get(second) ?? 0n);
    return product < 0n;
  });
  return crossing.length === 1 ? (crossing[0] ?? null) : null;
}

/**
 * The side that is the pool: the one that a program signs for. Null when it cannot be determined.
 */
function poolSideOf(
  view: TransactionView,
  instruction: Instruction,
  transfers: readonly PartyTransfer[],
  { one, other }: Dealing,
): Address | null {
  const possible = [one, other].filter((side) => isProgramSide(view, transfers, side));
  if (possible.length < 2) return possible[0] ?? null;
  const settled = possible.filter((side) => !movesElsewhere(view, instruction, side));
  return settled.length === 1 ? (settled[0] ?? null) : null;
}

function isProgramSide(
  view: TransactionView,
  transfers: readonly PartyTransfer[],
  side: Address,
): boolean {
  if (view.hasSigned(side)) return false;
  return transfers.every((transfer) => transfer.from !== side || isPaidByProgram(view, transfer));
}

/** True when the party's accounts moved outside all instructions of this program. */
function movesElsewhere(view: TransactionView, instruction: Instruction, side: Address): boolean {
  const { programIndex } = instruction;
  return view.ledger.movements.some(
    (movement) =>
      touches(view, movement, side) &&
      !view.callersOf(movement.instruction).some((caller) => caller.programIndex === programIndex),
  );
}

function touches(view: TransactionView, movement: TokenMovement, side: Address): boolean {
  return partyOf(view, movement.source) === side || partyOf(view, movement.destination) === side;
}

interface Sides {
  readonly pool: Address;
  readonly trader: Address;
}

/** One account per mint on the pool's side, from the trader's net payments and receipts. */
function accountsOf(
  transfers: readonly PartyTransfer[],
  movements: readonly TokenMovement[],
  { pool, trader }: Sides,
): Exchange | null {
  const between = (from: Address, to: Address) =>
    transfers.filter((transfer) => transfer.from === from && transfer.to === to);
  const paid = between(trader, pool);
  const got = between(pool, trader);
  const vaults = new Map<Address, number>();
  for (const { mint, movement } of paid) {
    if ((vaults.get(mint) ?? movement.destination) !== movement.destination) return null;
    vaults.set(mint, movement.destination);
  }
  for (const { mint, movement } of got) {
    if ((vaults.get(mint) ?? movement.source) !== movement.source) return null;
    vaults.set(mint, movement.source);
  }
  const [one, other] = [...vaults.values()];
  if (one === undefined || other === undefined || one === other) return null;
  const first = deltaOf(movements, one);
  const second = deltaOf(movements, other);
  if (first === 0n || second === 0n || first > 0n === second > 0n) return null;
  const [received, spent] = first > 0n ? [one, other] : [other, one];
  const source = paid.find(({ movement }) => movement.destination === received)?.movement.source;
  const target = got.find(({ movement }) => movement.source === spent)?.movement.destination;
  if (source === undefined || target === undefined) return null;
  return { trader, vaults: [received, spent], traderAccounts: [source, target], movements };
}

/**
 * Conditions that a pool meets, but an escrow, a router or a swap of old tokens for new ones does
 * not.
 */
function isBelievable(
  view: TransactionView,
  instruction: Instruction,
  exchange: Exchange,
  pool: Address,
): boolean {
  const { vaults, movements } = exchange;
  return (
    vaults.every((vault) => isStocked(view, vault)) &&
    isPure(view, instruction, movements, pool) &&
    !isUsedAtVenue(view, vaults) &&
    !isOneToOne(view, movements, vaults)
  );
}

/** A pool holds both mints before and after. */
function isStocked(view: TransactionView, vault: number): boolean {
  const balance = view.ledger.balances.get(vault);
  return balance !== undefined && balance.before > 0n && balance.after > 0n;
}

/** Below the instruction, the pool's accounts have no movements other than the exchange's. */
function isPure(
  view: TransactionView,
  instruction: Instruction,
  movements: readonly TokenMovement[],
  pool: Address,
): boolean {
  const own = new Set(movements);
  return view
    .tokenMovementsWithin(instruction)
    .every(
      (movement) => own.has(movement) || movement.amount === 0n || !touches(view, movement, pool),
    );
}

/** True for a router's accounts: in another instruction they traded with a known venue. */
function isUsedAtVenue(view: TransactionView, vaults: readonly number[]): boolean {
  return view.ledger.movements.some(
    ({ source, destination, instruction }) =>
      (vaults.includes(source) || vaults.includes(destination)) && view.isVenueLeg(instruction),
  );
}

/** Equal amounts, in raw units or in whole tokens. */
function isOneToOne(
  view: TransactionView,
  movements: readonly TokenMovement[],
  [received, spent]: readonly [number, number],
): boolean {
  const taken = deltaOf(movements, received);
  const paid = -deltaOf(movements, spent);
  const decimals = (index: number) => view.tokenAccount(index)?.decimals ?? 0;
  const difference = decimals(received) - decimals(spent);
  if (taken < ROUNDED_BELOW_RAW || paid < ROUNDED_BELOW_RAW) return false;
  if (taken === paid) return true;
  return difference > 0
    ? taken === paid * powerOfTen(difference)
    : paid === taken * powerOfTen(-difference);
}
