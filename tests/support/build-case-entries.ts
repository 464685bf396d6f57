import type { EscrowLock } from '../../src/fraud/cases/entry-rows.ts';
import { encodeBase58 } from '../../src/lib/base58.ts';
import type {
  CaseLiquidity,
  CasePayment,
  CaseTrade,
  CaseTransfer,
  TransactionRef,
} from '../../src/model/mint-case.ts';
import type { Lamports, RawAmount, Signature, Slot } from '../../src/model/units.ts';
import { named } from './made-up-units.ts';

export const START_MS = 1_760_000_000_000;

export const [mint, other, pool] = [named('mint'), named('other'), named('pool')];
export const [a, b, c] = [named('a'), named('b'), named('c')];

/** The `index`-th transaction, one slot after the previous one. */
export function place(index: number, timeMs = START_MS + index): TransactionRef {
  const bytes = new Uint8Array(64);
  new DataView(bytes.buffer).setUint32(60, index);
  const signature = encodeBase58(bytes) as Signature;
  return { slot: (1_000 + index) as Slot, timeMs, txIndex: index % 7, signature };
}

export function aTrade(index: number, change: Partial<CaseTrade> = {}): CaseTrade {
  return {
    ...place(index),
    wallet: a,
    feePayer: a,
    cosigners: [],
    pool,
    side: 'buy',
    baseRaw: 1n as RawAmount,
    lamports: BigInt(index) as Lamports,
    usd: null,
    priceSol: null,
    poolLamports: null,
    group: null,
    isRoundTrip: false,
    isArbitrage: false,
    isTerminal: false,
    privateProgram: null,
    ...change,
  };
}

export function aTransfer(index: number, amount = 1n): CaseTransfer {
  return { ...place(index), from: a, to: b, amountRaw: amount as RawAmount };
}

export function aPayment(index: number, from = a, to = b, lamports = 1n): CasePayment {
  return { ...place(index), from, to, lamports: lamports as Lamports };
}

export function aChange(index: number, base = 1n, quote = 1n): CaseLiquidity {
  const [baseRaw, lamports] = [base as RawAmount, quote as Lamports];
  return { ...place(index), pool, provider: a, baseRaw, lamports };
}

export function aLock(index: number, firstUnlockMs: number | null = null): EscrowLock {
  return { ...place(index), owner: a, escrow: c, amountRaw: 1n as RawAmount, firstUnlockMs };
}

export const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);
