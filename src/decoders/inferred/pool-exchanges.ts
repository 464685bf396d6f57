import { absolute } from '../../lib/decimal.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { isTokenProgram, type TokenMovement } from '../transaction/token-movements.ts';
import {
  isPaidByProgram,
  type PartyTransfer,
  partyOf,
  partyTransferOf,
} from '../transaction/token-parties.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** A net change below this share of the gross counts as zero: 1 / 1000 (METHODS §0.9). */
const NIL_SHARE = 1_000n;

/**
 * Amounts of some mints that an authority took, and of others that it paid, below an instruction.
 */
export interface PoolExchange {
  /** The innermost instruction below which it took and paid. */
  readonly instruction: Instruction;
  /** Owner of the token accounts; SELF_OWNED for accounts that own themselves. */
  readonly authority: Address;
  /** Signed net change over all its accounts, by mint, in raw units; zero changes are omitted. */
  readonly changes: ReadonlyMap<Address, bigint>;
  /** Change of each single account, by key index. */
  readonly accountChanges: ReadonlyMap<number, { readonly mint: Address; readonly change: bigint }>;
  /** The parties it exchanged with. */
  readonly partners: ReadonlySet<Address>;
}

/**
 * The exchanges of program-controlled authorities in a transaction, innermost instructions first,
 * from token transfers alone.
 *
 * An authority owns token accounts, signed nothing itself and had no delegate pay for it: a program
 * signs for it. It makes an exchange below an instruction if it took one mint and paid another
 * below it, not already below an instruction called from it, and if a net change of both remains in
 * the subtree. A router's account passes on what it receives, so no change remains and it makes no
 * exchange; below a pool's own instruction it is the counterparty of the pool. A deposit for a
 * minted receipt, or a redemption of a burned one, is not an exchange with a pool either.
 */
export function poolExchangesOf(view: TransactionView): PoolExchange[] {
  const transfers = transfersOfTwoMints(view);
  if (transfers === null) return [];
  const wallets = new Set<Address>();
  for (const transfer of transfers) {
    if (!isPaidByProgram(view, transfer)) wallets.add(transfer.from);
  }
  const isAuthority = (party: Address) => !wallets.has(party) && !view.hasSigned(party);
  const counted: Counted = { from: new Set(), to: new Set() };
  const below = transfersBelow(view, transfers);
  const found: PoolExchange[] = [];
  // Callees come after their caller, so the reverse order has the innermost first.
  for (const index of [...below.keys()].sort((one, other) => other - one)) {
    const instruction = view.transaction.instructions[index] as Instruction;
    const list = below.get(index) ?? [];
    for (const flows of flowsByAuthority(list, isAuthority, counted).values()) {
      const exchange = toExchange(instruction, flows);
      if (exchange === null || isIssue(view, exchange)) continue;
      found.push(exchange);
      countAll(counted, flows);
    }
  }
  return found;
}

/** Transfers whose payer or receiver side was already part of an exchange further down. */
interface Counted {
  readonly from: Set<TokenMovement>;
  readonly to: Set<TokenMovement>;
}

/** Flows through one authority's accounts below one instruction. */
interface Flows {
  readonly authority: Address;
  readonly whole: Map<Address, { net: bigint; gross: bigint }>;
  /** Sides of transfers that are not part of an exchange yet. */
  readonly open: Side[];
}

interface Side {
  readonly transfer: PartyTransfer;
  readonly isPayer: boolean;
}

/** Null unless two mints moved, as in most transactions. */
function transfersOfTwoMints(view: TransactionView): PartyTransfer[] | null {
  const { movements } = view.ledger;
  const first = movements.find(({ kind, mint }) => kind === 'transfer' && mint !== null)?.mint;
  const hasSecond = movements.some(
    ({ kind, mint }) => kind === 'transfer' && mint !== null && mint !== first,
  );
  if (!hasSecond) return null;
  return movements.flatMap((movement) => partyTransferOf(view, movement) ?? []);
}

function transfersBelow(
  view: TransactionView,
  transfers: readonly PartyTransfer[],
): Map<number, PartyTransfer[]> {
  const below = new Map<number, PartyTransfer[]>();
  for (const transfer of transfers) {
    for (const { index, programId } of view.callersOf(transfer.movement.instruction)) {
      if (isTokenProgram(programId) || programId === SYSTEM_PROGRAM) continue;
      const list = below.get(index);
      if (list === undefined) below.set(index, [transfer]);
      else list.push(transfer);
    }
  }
  return below;
}

function flowsByAuthority(
  transfers: readonly PartyTransfer[],
  isAuthority: (party: Address) => boolean,
  counted: Counted,
): Map<Address, Flows> {
  const byAuthority = new Map<Address, Flows>();
  const add = (side: Side, isCounted: boolean) => {
    const { from, to, mint } = side.transfer;
    const authority = side.isPayer ? from : to;
    if (!isAuthority(authority)) return;
    const flows: Flows = byAuthority.get(authority) ?? { authority, whole: new Map(), open: [] };
    byAuthority.set(authority, flows);
    const change = changeOf(side);
    const sum = flows.whole.get(mint) ?? { net: 0n, gross: 0n };
    flows.whole.set(mint, { net: sum.net + change, gross: sum.gross + absolute(change) });
    if (!isCounted) flows.open.push(side);
  };
  for (const transfer of transfers) {
    const { movement } = transfer;
    add({ transfer, isPayer: true }, counted.from.has(movement));
    add({ transfer, isPayer: false }, counted.to.has(movement));
  }
  return byAuthority;
}

/**
 * True when more of an exchanged mint was minted to or burned from the authority's accounts than it
 * transferred: it deposited for a receipt or redeemed one, and the transfer was the fee.
 */
function isIssue(
  view: TransactionView,
  { instruction, authority, changes }: PoolExchange,
): boolean {
  const issued = new Map<Address, bigint>();
  for (const { kind, mint, amount, source, destination } of view.tokenMovementsWithin(
    instruction,
  )) {
    if ((kind !== 'mintTo' && kind !== 'burn') || mint === null) continue;
    if (partyOf(view, kind === 'burn' ? source : destination) !== authority) continue;
    issued.set(mint, (issued.get(mint) ?? 0n) + amount);
  }
  return [...issued].some(([mint, amount]) => {
    const change = changes.get(mint);
    return change !== undefined && amount > absolute(change);
  });
}

/** Gross amount for the payer; amount net of the withheld transfer fee for the receiver. */
function changeOf({ transfer: { movement }, isPayer }: Side): bigint {
  return isPayer ? -movement.amount : movement.amount - (movement.fee ?? 0n);
}

function toExchange(instruction: Instruction, { authority, whole, open }: Flows) {
  const changes = new Map<Address, bigint>();
  const accountChanges = new Map<number, { mint: Address; change: bigint }>();
  const partners = new Set<Address>();
  for (const side of open) {
    const { mint, movement, from, to } = side.transfer;
    const change = changeOf(side);
    changes.set(mint, (changes.get(mint) ?? 0n) + change);
    const account = side.isPayer ? movement.source : movement.destination;
    const sum = accountChanges.get(account)?.change ?? 0n;
    accountChanges.set(account, { mint, change: sum + change });
    partners.add(side.isPayer ? to : from);
  }
  for (const [mint, change] of changes) {
    if (isPassedOn(change, whole.get(mint))) changes.delete(mint);
  }
  const left = [...changes.values()];
  if (!left.some((change) => change > 0n) || !left.some((change) => change < 0n)) return null;
  return { instruction, authority, changes, accountChanges, partners };
}

/** Zero, or offset by exchanges further down. */
function isPassedOn(change: bigint, whole: { net: bigint; gross: bigint } | undefined): boolean {
  if (change === 0n || whole === undefined) return true;
  return absolute(whole.net) * NIL_SHARE <= whole.gross || whole.net > 0n !== change > 0n;
}

function countAll(counted: Counted, { open }: Flows): void {
  for (const { transfer, isPayer } of open) {
    (isPayer ? counted.from : counted.to).add(transfer.movement);
  }
}
