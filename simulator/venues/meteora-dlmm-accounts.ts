import { type Address, asAddress } from '../../src/model/units.ts';
import type { Keyring } from '../chain/keyring.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { Bin } from './dlmm-bins.ts';

export const METEORA_DLMM_PROGRAM = asAddress('LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo');
export const DLMM_EVENT_AUTHORITY = asAddress('D1ZN9Wj1fRSUQfCjhvnu1hqDMT7hzjzBBpi12nVniYD6');

/** Bins per account. */
export const BINS_PER_ARRAY = 70;
/** Maximum bins of a position. */
export const POSITION_WIDTH = 69;

/** The constant properties of a pool. */
export interface DlmmSettings {
  /** Price step between bins, in basis points. */
  readonly binStep: number;
  /** The fee is this × binStep × 10 parts of a thousand million. */
  readonly baseFactor: number;
  readonly protocolShareBps: bigint;
}

/** A fee of 0.2 %, of which a twentieth goes to the protocol. */
export const DLMM_SETTINGS: DlmmSettings = {
  binStep: 20,
  baseFactor: 10_000,
  protocolShareBps: 500n,
};

/** The program's data in the pool's main account. X is the base, Y the quote. */
export interface PairState {
  readonly activeId: number;
  /** Fees in the vaults that are in no bin. */
  readonly feesXRaw: bigint;
  readonly feesYRaw: bigint;
}

export interface BinArrayState {
  /** From `index × BINS_PER_ARRAY` on. */
  readonly bins: readonly Bin[];
}

export interface PositionState {
  readonly lowerBinId: number;
  /** Shares in each bin from the lower one on. */
  readonly shares: readonly bigint[];
}

/** Accounts of a pool. Bin arrays and positions are generated when they are first needed. */
export class DlmmAccounts {
  readonly pool: Address;
  readonly reserveX: Address;
  readonly reserveY: Address;
  readonly oracle: Address;
  readonly preset: Address;
  private readonly keyring: Keyring;
  private readonly arrays = new Map<number, Address>();
  private readonly positions = new Map<Address, Map<number, Address>>();

  constructor(keyring: Keyring) {
    this.keyring = keyring;
    this.pool = keyring.account();
    this.reserveX = keyring.account();
    this.reserveY = keyring.account();
    this.oracle = keyring.account();
    this.preset = keyring.account();
  }

  binArray(index: number): Address {
    let address = this.arrays.get(index);
    if (address === undefined) {
      address = this.keyring.account();
      this.arrays.set(index, address);
    }
    return address;
  }

  position(owner: Address, lowerBinId: number): Address {
    let ofOwner = this.positions.get(owner);
    if (ofOwner === undefined) {
      ofOwner = new Map();
      this.positions.set(owner, ofOwner);
    }
    let address = ofOwner.get(lowerBinId);
    if (address === undefined) {
      address = this.keyring.account();
      ofOwner.set(lowerBinId, address);
    }
    return address;
  }

  /** The existing positions of an owner, oldest first. */
  positionsOf(
    ledger: Ledger,
    owner: Address,
  ): { readonly address: Address; readonly state: PositionState }[] {
    const found: { address: Address; state: PositionState }[] = [];
    for (const address of this.positions.get(owner)?.values() ?? []) {
      const state = ledger.get(address).state as PositionState | null;
      if (state !== null) found.push({ address, state });
    }
    return found;
  }

  /** The pool's bin, null if no account contains it. */
  bin(ledger: Ledger, id: number): Bin | null {
    const index = arrayIndexOf(id);
    const address = this.arrays.get(index);
    if (address === undefined) return null;
    const state = ledger.get(address).state as BinArrayState | null;
    return state?.bins[id - index * BINS_PER_ARRAY] ?? null;
  }
}

export function arrayIndexOf(binId: number): number {
  return Math.floor(binId / BINS_PER_ARRAY);
}

/** Error codes of the program. */
export const DLMM_ERROR = {
  zeroLiquidity: 6_007,
  exceededSlippage: 6_003,
  invalidPosition: 6_008,
  insufficientLiquidity: 6_012,
  insufficientOutAmount: 6_039,
} as const;
