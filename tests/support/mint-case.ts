import type {
  CaseFunding,
  CaseLiquidity,
  CaseLock,
  CasePayment,
  CaseTrade,
  CaseTransfer,
  CaseWallet,
  MintCase,
  TransactionRef,
} from '../../src/model/mint-case.ts';
import type { Address, Lamports, RawAmount, Signature, Slot } from '../../src/model/units.ts';
import { named } from './made-up-units.ts';

/**
 * Cases for tests: values that are not given are ordinary. Addresses are plain words, so that they
 * sort alphabetically and failed comparisons are readable.
 */
export const LAUNCH_SLOT = 1_000;
export const LAUNCH_TIME_MS = 1_760_000_000_000;
export const SLOT_MS = 400;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** 10^9 whole tokens of 6 decimals. */
export const SUPPLY_RAW = 1_000_000_000_000_000n as RawAmount;

export const sol = (whole: number) => BigInt(Math.round(whole * 1e9)) as Lamports;
/** Part of the supply, 0 to 1. */
export const supplyShare = (share: number) =>
  BigInt(Math.round(share * Number(SUPPLY_RAW))) as RawAmount;
export const timeOf = (slot: number) => LAUNCH_TIME_MS + (slot - LAUNCH_SLOT) * SLOT_MS;

/** The chain position that every draft may give; the time follows from the slot. */
export interface TransactionRefDraft {
  readonly slot?: number;
  readonly timeMs?: number;
  readonly txIndex?: number;
  /** Drafts with the same name are of one transaction; by default each has its own. */
  readonly signature?: string;
}

type Draft<T> = TransactionRefDraft & Partial<Omit<T, keyof TransactionRef>>;

export function aTransactionRef(draft: TransactionRefDraft, what: string): TransactionRef {
  const { slot = LAUNCH_SLOT, txIndex = 0 } = draft;
  return {
    slot: slot as Slot,
    timeMs: draft.timeMs ?? timeOf(slot),
    txIndex,
    signature: (draft.signature ?? `${what} at ${slot}:${txIndex}`) as Signature,
  };
}

/** A buy of 0.1 % of the supply for 0.5 SOL in the launch's slot, by default. */
export function aTrade(wallet: string, draft: Draft<CaseTrade> = {}): CaseTrade {
  return {
    wallet: named(wallet),
    feePayer: named(wallet),
    cosigners: [],
    pool: named('pool'),
    side: 'buy',
    baseRaw: supplyShare(0.001),
    lamports: sol(0.5),
    usd: null,
    priceSol: null,
    poolLamports: null,
    group: null,
    isRoundTrip: false,
    isArbitrage: false,
    isTerminal: false,
    privateProgram: null,
    ...draft,
    ...aTransactionRef(draft, `${draft.side ?? 'buy'} of ${wallet}`),
  };
}

export const aBuy = (wallet: string, draft: Draft<CaseTrade> = {}) =>
  aTrade(wallet, { ...draft, side: 'buy' });
export const aSell = (wallet: string, draft: Draft<CaseTrade> = {}) =>
  aTrade(wallet, { ...draft, side: 'sell' });

export function aTransfer(from: string, to: string, draft: Draft<CaseTransfer> = {}): CaseTransfer {
  return {
    from: named(from),
    to: named(to),
    amountRaw: supplyShare(0.001),
    ...draft,
    ...aTransactionRef(draft, `tokens of ${from} to ${to}`),
  };
}

export function aPayment(from: string, to: string, draft: Draft<CasePayment> = {}): CasePayment {
  return {
    from: named(from),
    to: named(to),
    lamports: sol(1),
    ...draft,
    ...aTransactionRef(draft, `lamports of ${from} to ${to}`),
  };
}

/** Adds to the pool, or removes from it when the amounts are negative. */
export function aLiquidityChange(
  provider: string,
  draft: Draft<CaseLiquidity> = {},
): CaseLiquidity {
  return {
    pool: named('pool'),
    provider: named(provider),
    baseRaw: supplyShare(0.1),
    lamports: sol(10),
    ...draft,
    ...aTransactionRef(draft, `liquidity of ${provider}`),
  };
}

export function aLock(owner: string, draft: Draft<CaseLock> = {}): CaseLock {
  return {
    owner: named(owner),
    amountRaw: supplyShare(0.1),
    firstUnlockMs: null,
    ...draft,
    ...aTransactionRef(draft, `lock of ${owner}`),
  };
}

/** One payment of 1 SOL, 100 slots before the launch, by default. */
export function aFunding(funder: string, draft: Partial<CaseFunding> = {}): CaseFunding {
  const { slot = (LAUNCH_SLOT - 100) as Slot } = draft;
  const sinceMs = draft.sinceMs ?? timeOf(slot);
  return { funder: named(funder), lamports: sol(1), slot, sinceMs, lastMs: sinceMs, ...draft };
}

/** Of unknown age, unpaid and organic. The oldest of `fundings` is the first one by default. */
export function aWallet(name: string, rest: Partial<CaseWallet> = {}): CaseWallet {
  const fundings = rest.fundings ?? (rest.firstFunding ? [rest.firstFunding] : []);
  const [oldest = null] = fundings.toSorted((one, other) => one.sinceMs - other.sinceMs);
  return {
    address: named(name),
    class: null,
    balanceRaw: 0n as RawAmount,
    firstSeenMs: null,
    firstSeenSlot: null,
    firstPaymentSlot: null,
    firstFunding: oldest,
    fundings,
    fanOut: 0,
    isShell: false,
    snipes: 0,
    snipedCreators: 0,
    priorBundles: 0,
    bundledMints: [],
    isOrganic: true,
    ...rest,
  };
}

export type CaseDraft = Partial<Omit<MintCase, 'wallets' | 'slot'>> & {
  readonly slot?: number;
  /** By name. Addresses in a list or with a payment that are not here are ordinary wallets. */
  readonly wallets?: Readonly<Record<string, Partial<CaseWallet>>>;
};

/**
 * A case that ends with the last slot in its lists, sorted into block order. By default a wallet's
 * balance follows from its trades and transfers, and its fan-out is the number of wallets of the
 * case that it funded or paid.
 */
export function aCase(draft: CaseDraft = {}): MintCase {
  const lists = {
    trades: inBlockOrder(draft.trades ?? []),
    transfers: inBlockOrder(draft.transfers ?? []),
    payments: inBlockOrder(draft.payments ?? []),
    liquidity: inBlockOrder(draft.liquidity ?? []),
    locks: inBlockOrder(draft.locks ?? []),
  };
  const lastSlot = Object.values(lists)
    .flat()
    .reduce((last, { slot }) => Math.max(last, slot), LAUNCH_SLOT);
  const slot = draft.slot ?? lastSlot;
  const withLists = {
    mint: named('mint'),
    decimals: 6,
    supplyRaw: SUPPLY_RAW,
    timeMs: timeOf(slot),
    launch: { ...aTransactionRef({}, 'launch'), creator: named('creator'), isListedSale: false },
    market: {
      pool: named('pool'),
      baseRaw: supplyShare(0.5),
      quoteLamports: sol(100),
      withdrawableLamports: sol(100),
      feeBps: 100,
      solUsd: 200,
    },
    coTrades: [],
    isFundingKnown: true,
    ...draft,
    ...lists,
    slot: slot as Slot,
  };
  return { ...withLists, wallets: walletsOf(withLists, draft.wallets ?? {}) };
}

function inBlockOrder<T extends TransactionRef>(list: readonly T[]): T[] {
  return list.toSorted((one, other) => one.slot - other.slot || one.txIndex - other.txIndex);
}

function walletsOf(
  lists: Omit<MintCase, 'wallets'>,
  drafts: NonNullable<CaseDraft['wallets']>,
): Map<Address, CaseWallet> {
  const given = Object.entries(drafts).map(([name, draft]) => aWallet(name, draft));
  const fundings = given.flatMap(({ address, fundings, firstFunding }) =>
    [...fundings, ...(firstFunding === null ? [] : [firstFunding])].map(({ funder }) => ({
      from: funder,
      to: address,
    })),
  );
  const paid = [...fundings, ...lists.payments];
  const names = new Set<string>([
    ...Object.keys(drafts),
    ...(lists.launch?.creator ? [lists.launch.creator] : []),
    ...lists.trades.flatMap(({ wallet, feePayer, cosigners }) => [wallet, feePayer, ...cosigners]),
    ...lists.transfers.flatMap(({ from, to }) => [from, to]),
    ...paid.flatMap(({ from, to }) => [from, to]),
    ...lists.liquidity.map(({ provider }) => provider),
    ...lists.locks.map(({ owner }) => owner),
    ...lists.coTrades.flatMap(({ one, other }) => [one, other]),
  ]);
  const balances = balancesOf(lists);
  const paidBy = Map.groupBy(paid, ({ from }) => from);
  const wallets = [...names].map((name) =>
    aWallet(name, {
      balanceRaw: balances.get(name) ?? (0n as RawAmount),
      fanOut: new Set(paidBy.get(named(name))?.map(({ to }) => to)).size,
      ...drafts[name],
    }),
  );
  return new Map(wallets.map((wallet) => [wallet.address, wallet]));
}

function balancesOf({ trades, transfers }: Omit<MintCase, 'wallets'>): Map<string, RawAmount> {
  const balances = new Map<string, RawAmount>();
  const change = (name: string, amountRaw: bigint) =>
    balances.set(name, ((balances.get(name) ?? 0n) + amountRaw) as RawAmount);
  for (const { wallet, side, baseRaw } of trades)
    change(wallet, side === 'buy' ? baseRaw : -baseRaw);
  for (const { from, to, amountRaw } of transfers) {
    change(from, -amountRaw);
    change(to, amountRaw);
  }
  for (const [name, balanceRaw] of balances) {
    if (balanceRaw < 0n) balances.set(name, 0n as RawAmount);
  }
  return balances;
}
