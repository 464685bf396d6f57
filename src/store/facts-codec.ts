import type {
  AuthorityChange,
  ChainEvent,
  Creator,
  CurveComplete,
  Launch,
  Liquidity,
  LpLock,
  MetadataSet,
  Migrate,
  MintCreated,
  PoolCreated,
  Reserves,
  SolTransfer,
  Swap,
  TokenTransfer,
} from '../model/chain-event.ts';
import type {
  DecodeProblem,
  SlotFacts,
  Tip,
  TokenBalanceChange,
  TransactionFacts,
} from '../model/slot-facts.ts';
import type { Address, Lamports, RawAmount, Signature } from '../model/units.ts';
import {
  type Codec,
  decodeText,
  encodeText,
  type Fields,
  integer,
  interned,
  list,
  nullable,
  optional,
  plain,
  record,
  text,
  unionByKind,
} from './codec.ts';

/**
 * Layout 1 of the log's slots. Values stand by position: whoever adds, removes or reorders a field
 * gives the layout a new name and keeps this one to read what was written before.
 */
const FORMAT = 'slot-facts/1';

/** One decoded slot as compact text, without loss. */
export function encodeSlotFacts(facts: SlotFacts): string {
  return encodeText(FORMAT, slotFacts, facts);
}

/** Reads what encodeSlotFacts wrote. Throws StoreError for any other text. */
export function decodeSlotFacts(stored: string): SlotFacts {
  return decodeText(FORMAT, slotFacts, stored);
}

const address = interned<Address>();
const maybeAddress = nullable(address);
const signature = interned<Signature>();
const amount = integer<RawAmount>();
const maybeAmount = nullable(amount);
const lamports = integer<Lamports>();

export const reserves: Codec<Reserves> = record<Reserves>({
  base: amount,
  quote: amount,
  virtualBase: maybeAmount,
  virtualQuote: maybeAmount,
});

export const creators: Codec<readonly Creator[]> = list(
  record<Creator>({ address, verified: plain(), sharePercent: plain() }),
);

const position = { outerIx: plain<number>(), innerIx: plain<number>() };
type Member<Event extends ChainEvent> = Fields<Omit<Event, 'kind'>>;

const swap: Member<Swap> = {
  ...position,
  venue: interned(),
  pool: address,
  baseMint: address,
  quoteMint: address,
  baseDecimals: plain(),
  quoteDecimals: plain(),
  trader: address,
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
};

const tokenTransfer: Member<TokenTransfer> = {
  ...position,
  transferKind: plain(),
  mint: address,
  fromOwner: maybeAddress,
  toOwner: maybeAddress,
  amountGross: amount,
  feeWithheld: amount,
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

const metadataSet: Member<MetadataSet> = {
  ...position,
  standard: plain(),
  mint: address,
  name: nullable(text),
  symbol: nullable(text),
  uri: nullable(text),
  updateAuthority: optional(maybeAddress),
  sellerFeeBps: plain(),
  creators: nullable(creators),
  isMutable: plain(),
  primarySaleHappened: plain(),
  tokenStandard: plain(),
};

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

const authority: Member<AuthorityChange> = {
  ...position,
  mint: address,
  authorityKind: plain(),
  newAuthority: maybeAddress,
};

const event = unionByKind<ChainEvent>({
  swap: record(swap),
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
  authority: record(authority),
});

const transaction = record<TransactionFacts>({
  signature,
  txIndex: plain(),
  isIndexKnown: plain(),
  feePayer: address,
  signers: list(address),
  error: plain(),
  feeLamports: lamports,
  computeUnitLimit: plain(),
  computeUnitPriceMicroLamports: nullable(integer()),
  computeUnitsUsed: plain(),
  tips: list(record<Tip>({ lamports, to: address, provider: plain() })),
  programIds: list(address),
  usesLookupTables: plain(),
  tokenBalances: list(
    record<TokenBalanceChange>({
      account: address,
      owner: maybeAddress,
      mint: address,
      decimals: plain(),
      before: amount,
      after: amount,
    }),
  ),
  events: list(event),
});

const slotFacts = record<SlotFacts>({
  slot: plain(),
  parentSlot: plain(),
  blockhash: plain(),
  previousBlockhash: plain(),
  blockTimeMs: plain(),
  isWhole: plain(),
  decoderVersion: plain(),
  voteCount: plain(),
  transactions: list(transaction),
  outcomes: plain(),
  poolMovingCount: plain(),
  explainedCount: plain(),
  problems: list(
    record<DecodeProblem>({
      signature,
      outerIx: plain(),
      innerIx: plain(),
      program: plain(),
      problem: plain(),
      reason: plain(),
    }),
  ),
});
