import type {
  AuthorityChange,
  ChainEvent,
  CreatorChange,
  CurveComplete,
  FeeSweep,
  Launch,
  Liquidity,
  LockTerms,
  LpLock,
  MetadataSet,
  Migrate,
  MintCreated,
  PoolBoost,
  PoolCreated,
  SolTransfer,
  TokenLock,
  TokenTransfer,
} from '../../model/chain-event.ts';
import type { MintExtension } from '../../model/mint-extension.ts';
import type { KeptFees, Swap } from '../../model/swap.ts';
import {
  address,
  amount,
  lamports,
  maybeAddress,
  maybeAmount,
  metadata,
  reserves,
} from './chain-value-codec.ts';
import {
  type Codec,
  type Fields,
  interned,
  nullable,
  optional,
  plain,
  record,
  unionByKind,
} from './codec.ts';
import { extension } from './mint-extension-codec.ts';

const position = { outerIx: plain<number>(), innerIx: plain<number>() };
type Member<Event extends ChainEvent> = Fields<Omit<Event, 'kind'>>;

/** Earlier versions stored swaps without `isPureArbitrage`. */
type StoredSwap = Omit<Swap, 'kind' | 'isPureArbitrage'> & { readonly isPureArbitrage?: boolean };

const storedSwap = record<StoredSwap>({
  ...position,
  venue: interned(),
  pool: address,
  baseMint: address,
  quoteMint: address,
  baseDecimals: plain(),
  quoteDecimals: plain(),
  trader: maybeAddress,
  side: plain(),
  poolBaseDelta: amount,
  poolQuoteDelta: amount,
  traderBaseDelta: amount,
  traderQuoteDelta: maybeAmount,
  reserves: nullable(reserves),
  feeQuoteRaw: maybeAmount,
  legsOnly: optional(plain<true>()),
  router: maybeAddress,
  isIntermediateHop: plain(),
  isAtomicRoundTrip: plain(),
  quarantine: plain(),
  isPureArbitrage: plain(),
  keptFees: optional(record<KeptFees>({ base: amount, quote: amount })),
  program: optional(address),
});

/** A stored hop without the flag counts as arbitrage, so that it sets no price, as before. */
const swap: Codec<Omit<Swap, 'kind'>> = {
  encode: storedSwap.encode,
  decode(json, strings) {
    const stored = storedSwap.decode(json, strings);
    return { ...stored, isPureArbitrage: stored.isPureArbitrage ?? stored.isIntermediateHop };
  },
};

const tokenTransfer: Member<TokenTransfer> = {
  ...position,
  transferKind: plain(),
  mint: address,
  fromOwner: maybeAddress,
  toOwner: maybeAddress,
  amountGross: amount,
  feeWithheld: amount,
  burnVenue: optional(plain()),
};

const solTransfer: Member<SolTransfer> = {
  ...position,
  transferKind: plain(),
  from: address,
  to: address,
  lamports,
};

const mintCreated: Member<MintCreated> = {
  ...position,
  mint: address,
  decimals: plain(),
  tokenProgram: address,
  mintAuthority: maybeAddress,
  freezeAuthority: maybeAddress,
};

const metadataSet: Member<MetadataSet> = { ...position, ...metadata };

const launch: Member<Launch> = {
  ...position,
  venue: interned(),
  mint: address,
  quoteMint: address,
  pool: address,
  creator: address,
  tokenProgram: address,
  supply: maybeAmount,
  reserves: nullable(reserves),
  feeRecipient: optional(address),
};

const poolCreated: Member<PoolCreated> = {
  ...position,
  venue: interned(),
  pool: address,
  baseMint: address,
  quoteMint: address,
  baseDecimals: plain(),
  quoteDecimals: plain(),
  creator: address,
  vaultOwner: maybeAddress,
  baseRaw: amount,
  quoteRaw: amount,
  lpMint: maybeAddress,
  lpRaw: maybeAmount,
};

const curveComplete: Member<CurveComplete> = {
  ...position,
  venue: interned(),
  mint: address,
  pool: address,
};

const migrate: Member<Migrate> = {
  ...position,
  venue: interned(),
  mint: address,
  fromPool: address,
  toPool: address,
  baseRaw: amount,
  quoteRaw: amount,
};

const liquidity: Member<Liquidity> = {
  ...position,
  venue: interned(),
  pool: address,
  baseMint: address,
  quoteMint: address,
  provider: address,
  poolBaseDelta: amount,
  poolQuoteDelta: amount,
  lpDelta: maybeAmount,
  reserves: nullable(reserves),
};

const lpLock: Member<LpLock> = {
  ...position,
  pool: address,
  provider: address,
  amountRaw: amount,
  lockKind: plain(),
  unlockTimeMs: plain(),
};

const tokenLock: Member<TokenLock> = {
  ...position,
  locker: plain(),
  escrow: address,
  mint: address,
  owner: maybeAddress,
  escrowDelta: amount,
  terms: nullable(
    record<LockTerms>({
      isPermanent: plain(),
      firstUnlockTimeMs: plain(),
      lastUnlockTimeMs: plain(),
      isRevocable: plain(),
    }),
  ),
};

const mintExtension: Member<MintExtension> = { ...position, mint: address, extension };

const authority: Member<AuthorityChange> = {
  ...position,
  mint: address,
  authorityKind: plain(),
  newAuthority: maybeAddress,
};

const feeSweep: Member<FeeSweep> = {
  ...position,
  venue: interned(),
  pool: address,
  mint: address,
  bucket: plain(),
  amountRaw: amount,
  poolDelta: amount,
};

const poolBoost: Member<PoolBoost> = {
  ...position,
  venue: interned(),
  pool: address,
  mint: address,
  poolDelta: amount,
};

const creatorChange: Member<CreatorChange> = {
  ...position,
  venue: interned(),
  mint: address,
  pool: maybeAddress,
  feeRecipient: address,
};

/**
 * Events as stored in the log (facts-codec.ts has the rules of the layout). Throws StoreError for
 * an unknown kind.
 */
export const event = unionByKind<ChainEvent>({
  swap,
  tokenTransfer: record(tokenTransfer),
  solTransfer: record(solTransfer),
  mintCreated: record(mintCreated),
  metadataSet: record(metadataSet),
  launch: record(launch),
  poolCreated: record(poolCreated),
  curveComplete: record(curveComplete),
  migrate: record(migrate),
  liquidity: record(liquidity),
  lpLock: record(lpLock),
  tokenLock: record(tokenLock),
  mintExtension: record(mintExtension),
  authority: record(authority),
  feeSweep: record(feeSweep),
  poolBoost: record(poolBoost),
  creatorChange: record(creatorChange),
});
