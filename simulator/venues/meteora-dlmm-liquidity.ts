import type { Address } from '../../src/model/units.ts';
import { type AccountUse, readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { transferTokens } from '../programs/token.ts';
import { type Bin, depositInBin, EMPTY_BIN, withdrawFromBin } from './dlmm-bins.ts';
import {
  arrayIndexOf,
  BINS_PER_ARRAY,
  type BinArrayState,
  DLMM_ERROR,
  DLMM_EVENT_AUTHORITY,
  type DlmmAccounts,
  METEORA_DLMM_PROGRAM,
  type PairState,
  POSITION_WIDTH,
  type PositionState,
} from './meteora-dlmm-accounts.ts';
import { emitDlmmEvent, ensureBinArray, ensurePosition } from './meteora-dlmm-initialize.ts';
import { ownTokens, type PoolPair } from './pool-parts.ts';

const ADD_LIQUIDITY_BY_STRATEGY = '0703967f94283dc8';
const REMOVE_LIQUIDITY_BY_RANGE = '1a526698f04a691a';
const ADD_LIQUIDITY = '1f5e7d5ae3343dba';
const REMOVE_LIQUIDITY = '74f461e8671f983a';

/** `StrategyType::SpotImBalanced`. */
const SPOT_IMBALANCED = 6;
/** How far the active bin may have moved since the client read it. */
const BIN_SLIPPAGE = 3;

/** Change of the pool's two reserves, actual or requested. */
export interface DlmmChange {
  readonly xRaw: bigint;
  readonly yRaw: bigint;
}

export interface DlmmDeposit extends DlmmChange {
  readonly accounts: TokenAccounts;
  readonly at: DlmmAccounts;
  readonly pair: PoolPair;
  readonly priceAt: (id: number) => bigint;
  readonly provider: Address;
  readonly lowerBinId: number;
}

/**
 * Creates missing bin arrays and the position, then invokes `add_liquidity_by_strategy`. Returns
 * the paid amounts: the remainder of an even spread over integer units stays with the provider.
 * Null if the transaction fails.
 */
export function depositDlmm(execution: Execution, deposit: DlmmDeposit): DlmmChange | null {
  const { at, provider, lowerBinId, xRaw, yRaw } = deposit;
  const { ledger } = execution;
  const index = arrayIndexOf(lowerBinId);
  for (const needed of [index, index + 1]) ensureBinArray(execution, at, provider, needed);
  const position = at.position(provider, lowerBinId);
  ensurePosition(execution, at, position, provider, lowerBinId);
  const activeId = (ledger.get(at.pool).state as PairState | null)?.activeId ?? 0;
  const data = new InstructionBytes()
    .hex(ADD_LIQUIDITY_BY_STRATEGY)
    .u64s(xRaw, yRaw)
    .i32(activeId)
    .i32(BIN_SLIPPAGE)
    .i32(lowerBinId)
    .i32(lowerBinId + POSITION_WIDTH - 1)
    .u8(SPOT_IMBALANCED)
    .raw(new Uint8Array(64))
    .done();
  let paid: DlmmChange | null = null;
  const uses = changeUses(ledger, deposit, position, index);
  execution.invoke(METEORA_DLMM_PROGRAM, uses, data, () => {
    const spread = spreadOf(ledger, deposit, activeId);
    if (spread.xRaw === 0n && spread.yRaw === 0n) {
      throw new ProgramFailure(DLMM_ERROR.zeroLiquidity, 'zero liquidity');
    }
    storeBins(execution, at, spread.bins);
    const state = ledger.get(position).state as PositionState;
    const shares = state.shares.map((held, bin) => held + (spread.shares[bin] ?? 0n));
    execution.change(position, { state: { ...state, shares } });
    pay(execution, deposit, spread);
    emitChange(execution, ADD_LIQUIDITY, deposit, position, spread, activeId);
    paid = { xRaw: spread.xRaw, yRaw: spread.yRaw };
  });
  return paid;
}

interface Spread extends DlmmChange {
  readonly bins: ReadonlyMap<number, Bin>;
  /** By index in the position. */
  readonly shares: readonly bigint[];
}

/**
 * Spreads X evenly over the position's bins above the active one, Y over those below it. The active
 * bin gets both at its current composition, which avoids a composition fee.
 */
function spreadOf(ledger: Ledger, deposit: DlmmDeposit, activeId: number): Spread {
  const { at, lowerBinId, priceAt } = deposit;
  const ids = Array.from({ length: POSITION_WIDTH }, (_, offset) => lowerBinId + offset);
  const binOf = (id: number) => at.bin(ledger, id) ?? EMPTY_BIN;
  const active = binOf(activeId);
  const takesX = (id: number) => id > activeId || (id === activeId && active.yRaw === 0n);
  const takesY = (id: number) => id < activeId || (id === activeId && active.xRaw === 0n);
  const eachX = evenly(deposit.xRaw, ids.filter(takesX).length);
  const eachY = evenly(deposit.yRaw, ids.filter(takesY).length);
  const bins = new Map<number, Bin>();
  let xRaw = 0n;
  let yRaw = 0n;
  const shares = ids.map((id) => {
    const x = takesX(id) ? eachX : 0n;
    const y = takesY(id) ? eachY : 0n;
    if (x === 0n && y === 0n) return 0n;
    const added = depositInBin(binOf(id), priceAt(id), x, y);
    bins.set(id, added.bin);
    xRaw += x;
    yRaw += y;
    return added.shares;
  });
  return { bins, shares, xRaw, yRaw };
}

function evenly(amountRaw: bigint, count: number): bigint {
  return count === 0 ? 0n : amountRaw / BigInt(count);
}

function pay(
  execution: Execution,
  { accounts, at, pair, provider }: DlmmDeposit,
  { xRaw, yRaw }: DlmmChange,
): void {
  const of = (mint: Address) => ownTokens(execution.ledger, accounts, provider, mint);
  const [x, y] = [of(pair.baseMint), of(pair.quoteMint)];
  const from = { authority: provider };
  if (xRaw > 0n) transferTokens(execution, { ...from, from: x, to: at.reserveX, amountRaw: xRaw });
  if (yRaw > 0n) transferTokens(execution, { ...from, from: y, to: at.reserveY, amountRaw: yRaw });
}

export interface DlmmRemoval {
  readonly accounts: TokenAccounts;
  readonly at: DlmmAccounts;
  readonly pair: PoolPair;
  readonly provider: Address;
  readonly position: { readonly address: Address; readonly state: PositionState };
  readonly bps: number;
}

/** `remove_liquidity_by_range` over a whole position. Null if the transaction fails. */
export function withdrawDlmm(execution: Execution, removal: DlmmRemoval): DlmmChange | null {
  const { accounts, at, pair, provider, position, bps } = removal;
  const { ledger } = execution;
  const { lowerBinId } = position.state;
  const data = new InstructionBytes()
    .hex(REMOVE_LIQUIDITY_BY_RANGE)
    .i32(lowerBinId)
    .i32(lowerBinId + POSITION_WIDTH - 1)
    .u16(bps)
    .done();
  let taken: DlmmChange | null = null;
  const uses = changeUses(ledger, removal, position.address, arrayIndexOf(lowerBinId));
  execution.invoke(METEORA_DLMM_PROGRAM, uses, data, () => {
    const state = ledger.get(position.address).state as PositionState;
    const { xRaw, yRaw, shares, bins } = sharesWorth(ledger, at, state, bps);
    if (shares.every((held, offset) => held === state.shares[offset])) {
      throw new ProgramFailure(DLMM_ERROR.zeroLiquidity, 'zero liquidity');
    }
    storeBins(execution, at, bins);
    execution.change(position.address, { state: { ...state, shares } });
    const of = (mint: Address) => ownTokens(ledger, accounts, provider, mint);
    const [x, y] = [of(pair.baseMint), of(pair.quoteMint)];
    const from = { authority: at.pool };
    if (xRaw > 0n)
      transferTokens(execution, { ...from, from: at.reserveX, to: x, amountRaw: xRaw });
    if (yRaw > 0n)
      transferTokens(execution, { ...from, from: at.reserveY, to: y, amountRaw: yRaw });
    const { activeId } = ledger.get(at.pool).state as PairState;
    emitChange(execution, REMOVE_LIQUIDITY, removal, position.address, { xRaw, yRaw }, activeId);
    taken = { xRaw, yRaw };
  });
  return taken;
}

function sharesWorth(ledger: Ledger, at: DlmmAccounts, state: PositionState, bps: number): Spread {
  const bins = new Map<number, Bin>();
  let xRaw = 0n;
  let yRaw = 0n;
  const shares = state.shares.map((held, offset) => {
    const id = state.lowerBinId + offset;
    const given = (held * BigInt(bps)) / 10_000n;
    const bin = at.bin(ledger, id);
    if (given === 0n || bin === null) return held;
    const worth = withdrawFromBin(bin, given);
    bins.set(id, worth.bin);
    xRaw += worth.xRaw;
    yRaw += worth.yRaw;
    return held - given;
  });
  return { bins, shares, xRaw, yRaw };
}

/** Accounts of a change of liquidity. */
function changeUses(
  ledger: Ledger,
  { accounts, at, pair, provider }: Omit<DlmmRemoval, 'position' | 'bps'>,
  position: Address,
  arrayIndex: number,
): AccountUse[] {
  const { baseMint, quoteMint } = pair;
  return [
    ...[writable(position), writable(at.pool), readOnly(METEORA_DLMM_PROGRAM)],
    writable(accounts.of(provider, baseMint)),
    writable(accounts.of(provider, quoteMint)),
    ...[writable(at.reserveX), writable(at.reserveY), readOnly(baseMint), readOnly(quoteMint)],
    ...[writable(at.binArray(arrayIndex)), writable(at.binArray(arrayIndex + 1))],
    signing(provider),
    ...[readOnly(ledger.get(baseMint).program), readOnly(ledger.get(quoteMint).program)],
    ...[readOnly(DLMM_EVENT_AUTHORITY), readOnly(METEORA_DLMM_PROGRAM)],
  ];
}

function emitChange(
  execution: Execution,
  discriminator: string,
  { at, provider }: Pick<DlmmRemoval, 'at' | 'provider'>,
  position: Address,
  { xRaw, yRaw }: DlmmChange,
  activeId: number,
): void {
  const event = new InstructionBytes()
    .hex(discriminator)
    .addresses(at.pool, provider, position)
    .u64s(xRaw, yRaw)
    .i32(activeId);
  emitDlmmEvent(execution, event.done());
}

/** Writes changed bins into the arrays that contain them. */
export function storeBins(
  execution: Execution,
  at: DlmmAccounts,
  changed: ReadonlyMap<number, Bin>,
): void {
  const arrays = new Map<number, Bin[]>();
  for (const [id, bin] of changed) {
    const index = arrayIndexOf(id);
    let bins = arrays.get(index);
    if (bins === undefined) {
      const state = execution.ledger.get(at.binArray(index)).state as BinArrayState;
      bins = [...state.bins];
      arrays.set(index, bins);
    }
    bins[id - index * BINS_PER_ARRAY] = bin;
  }
  for (const [index, bins] of arrays) execution.change(at.binArray(index), { state: { bins } });
}
