import { createReading, inspectReading } from '../src/fraud/detect/inspect-case.ts';
import type {
  CaseFunding,
  CasePayment,
  CaseTrade,
  CaseWallet,
  MintCase,
} from '../src/model/mint-case.ts';
import { type Address, asLamports, asRawAmount, asSlot } from '../src/model/units.ts';
import { address, signature } from '../tests/support/build-transaction.ts';
import { printTable } from './table.ts';

const LAUNCH_MS = Date.UTC(2026, 0, 1);
const SLOT_MS = 400;
const SUPPLY_RAW = asRawAmount(1_000_000_000_000_000n);
const SOL = 1_000_000_000n;
/** A funder of at most this many wallets links all of them. */
const CHILDREN = 20;

/**
 * Duration of the detectors on one hard case: all wallets are large, linked in three ways and sell.
 */
export function benchFraudCase(rounds: number): void {
  const rows = [500, 1_000, 2_000].map((count) => {
    const mintCase = hardCase(count);
    const takenMs = Array.from({ length: rounds }, () => {
      const began = performance.now();
      inspectReading(createReading(mintCase));
      return performance.now() - began;
    }).sort((one, other) => one - other);
    const at = (part: number) => (takenMs[Math.ceil(part * takenMs.length) - 1] ?? 0).toFixed(1);
    return [String(count), String(mintCase.trades.length), at(0.5), at(1)];
  });
  printTable('Detectors on one case', [['wallets', 'trades', 'ms, median', 'ms, most'], ...rows]);
}

/** Wallets that each hold 0.3 % at some time, with one funder per twenty and one common sink. */
export function hardCase(count: number): MintCase {
  const trades: CaseTrade[] = [];
  const payments: CasePayment[] = [];
  const wallets = new Map<Address, CaseWallet>();
  for (let at = 0; at < count; at++) {
    const wallet = nameOf('wallet', at);
    const funder = nameOf('funder', Math.floor(at / CHILDREN));
    const boughtAt = Math.floor(at / 10);
    const soldAt = 2 * count + Math.floor(at / 10);
    trades.push(tradeOf(wallet, 'buy', boughtAt, at), tradeOf(wallet, 'sell', soldAt, at));
    payments.push({
      ...placeOf(soldAt + 5, at),
      from: wallet,
      to: nameOf('sink', 0),
      lamports: asLamports(SOL),
    });
    const funding = fundingOf(funder);
    wallets.set(wallet, { ...walletOf(wallet), firstFunding: funding, fundings: [funding] });
    if (!wallets.has(funder)) {
      const boss = fundingOf(nameOf('boss', 0));
      wallets.set(funder, { ...walletOf(funder), fanOut: CHILDREN, fundings: [boss] });
    }
  }
  for (const name of ['sink', 'boss', 'creator']) {
    wallets.set(nameOf(name, 0), walletOf(nameOf(name, 0)));
  }
  trades.sort((one, other) => one.slot - other.slot || one.txIndex - other.txIndex);
  payments.sort((one, other) => one.slot - other.slot || one.txIndex - other.txIndex);
  return caseOf({ trades, payments, wallets });
}

function caseOf(lists: Pick<MintCase, 'trades' | 'payments' | 'wallets'>): MintCase {
  const last = lists.payments.at(-1) ?? placeOf(0, 0);
  return {
    ...lists,
    mint: nameOf('mint', 0),
    decimals: 6,
    supplyRaw: SUPPLY_RAW,
    slot: last.slot,
    timeMs: last.timeMs,
    launch: { ...placeOf(0, 0), creator: nameOf('creator', 0), isListedSale: false },
    market: {
      pool: nameOf('pool', 0),
      baseRaw: asRawAmount(SUPPLY_RAW / 2n),
      quoteLamports: asLamports(100n * SOL),
      withdrawableLamports: asLamports(100n * SOL),
      feeBps: 100,
      solUsd: 180,
    },
    transfers: [],
    liquidity: [],
    locks: [],
    coTrades: [],
    isFundingKnown: true,
  };
}

function tradeOf(wallet: Address, side: 'buy' | 'sell', slots: number, txIndex: number): CaseTrade {
  return {
    ...placeOf(slots, txIndex),
    wallet,
    feePayer: wallet,
    cosigners: [],
    pool: nameOf('pool', 0),
    side,
    baseRaw: asRawAmount((SUPPLY_RAW * 3n) / 1_000n),
    lamports: asLamports(SOL),
    usd: null,
    priceSol: 1e-7,
    poolLamports: asLamports(100n * SOL),
    group: side === 'buy' ? { id: `group ${slots}`, level: 'L2' } : null,
    isRoundTrip: false,
    isArbitrage: false,
    isTerminal: false,
    privateProgram: null,
  };
}

function walletOf(address: Address): CaseWallet {
  return {
    address,
    class: null,
    balanceRaw: asRawAmount(0n),
    firstSeenMs: LAUNCH_MS - 60_000,
    firstSeenSlot: asSlot(1),
    firstPaymentSlot: asSlot(1),
    firstFunding: null,
    fundings: [],
    fanOut: 0,
    isShell: false,
    snipes: 0,
    snipedCreators: 0,
    priorBundles: 0,
    bundledMints: [],
    isOrganic: true,
  };
}

function fundingOf(funder: Address): CaseFunding {
  const sinceMs = LAUNCH_MS - 60_000;
  return { funder, lamports: asLamports(2n * SOL), sinceMs, lastMs: sinceMs, slot: asSlot(1) };
}

function placeOf(slots: number, txIndex: number) {
  return {
    slot: asSlot(1_000 + slots),
    timeMs: LAUNCH_MS + slots * SLOT_MS,
    txIndex,
    signature: signature(`${slots} ${txIndex}`),
  };
}

function nameOf(what: string, at: number): Address {
  return address(`${what}${String(at).padStart(6, '0')}`);
}
