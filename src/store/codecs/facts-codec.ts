import type {
  AccountObservation,
  MetadataContent,
  MetadataObserved,
  MintObserved,
} from '../../model/account-observation.ts';
import type { ExactBundle } from '../../model/bundle-oracle.ts';
import type {
  AuthorityChange,
  ChainEvent,
  Creator,
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
import type {
  MintExtension,
  MintExtensionFact,
  MintExtensionKind,
} from '../../model/mint-extension.ts';
import type { Reserves } from '../../model/reserves.ts';
import type {
  DecodeProblem,
  SlotFacts,
  Tip,
  TokenBalanceChange,
  TransactionFacts,
} from '../../model/slot-facts.ts';
import type { KeptFees, Swap } from '../../model/swap.ts';
import type { Address, Lamports, RawAmount, Signature } from '../../model/units.ts';
import {
  added,
  type Codec,
  decodeText,
  encodeText,
  type Fields,
  integer,
  interned,
  type Json,
  list,
  nullable,
  optional,
  plain,
  record,
  text,
  unionByKind,
} from './codec.ts';

/**
 * Layout 1 of the log's slots. Values stand by position: a field may be added as the last of its
 * record, with a word on what records without it say. Whoever removes or reorders fields gives the
 * layout a new name and keeps this one to read what was written before.
 */
const FORMAT = 'slot-facts/1';

/** One decoded slot as compact text, without loss. */
export function encodeSlotFacts(facts: SlotFacts): string {
  return receivedTexts.get(facts) ?? encodeText(FORMAT, slotFacts, facts);
}

/** The texts of slots that came encoded, so that storing them does not encode them again. */
const receivedTexts = new WeakMap<SlotFacts, string>();

/** A slot that another thread has just encoded. Throws StoreError as decodeSlotFacts does. */
export function receiveSlotFacts(encoded: string): SlotFacts {
  const facts = decodeSlotFacts(encoded);
  receivedTexts.set(facts, encoded);
  return facts;
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

/** Swaps were stored without `isPureArbitrage` when hops were not told from arbitrage yet. */
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

/** A hop of which it is not known whether it was arbitrage sets no price, as when it was stored. */
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

const metadata: Fields<MetadataContent> = {
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

type Extension<Kind extends MintExtensionKind> = Codec<
  Omit<Extract<MintExtensionFact, { readonly kind: Kind }>, 'kind'>
>;
const transferFee: Extension<'transferFee'> = record({ feeBps: plain(), maxFeeRaw: amount });
const nothing: Extension<'nonTransferable'> = record({});

const extension = unionByKind<MintExtensionFact>({
  transferFee,
  nextTransferFee: transferFee,
  interestBearing: record({ rateBps: plain() }),
  scaledUiAmount: record({ multiplier: plain(), effectiveTimeMs: plain() }),
  metadataPointer: record({ metadataAddress: maybeAddress }),
  permanentDelegate: record({ delegate: maybeAddress }),
  transferHook: record({ hookProgram: maybeAddress }),
  defaultAccountState: record({ isFrozen: plain() }),
  nonTransferable: nothing,
  pausable: record({ isPaused: plain() }),
  mintCloseAuthority: record({ closeAuthority: maybeAddress }),
  confidentialTransfer: nothing,
});

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

const event = unionByKind<ChainEvent>({
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
  priorityFeeLamports: optional(lamports),
  terminal: added(nullable(interned()), null),
});

const observation = unionByKind<AccountObservation>({
  mintObserved: record<Omit<MintObserved, 'kind'>>({
    contextSlot: plain(),
    mint: address,
    tokenProgram: address,
    decimals: plain(),
    supplyRaw: amount,
    mintAuthority: maybeAddress,
    freezeAuthority: maybeAddress,
    extensions: list(extension),
  }),
  metadataObserved: record<Omit<MetadataObserved, 'kind'>>({ contextSlot: plain(), ...metadata }),
});

const slotRecord = record<SlotFacts>({
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
  observations: optional(list(observation)),
  exactBundles: optional(list(record<ExactBundle>({ signatures: list(signature) }))),
});

/** Slots without exact bundles are written as they were before there were any, byte for byte. */
const slotFacts: Codec<SlotFacts> = {
  encode(facts, strings) {
    const values = slotRecord.encode(facts, strings) as Json[];
    return facts.exactBundles === undefined ? values.slice(0, -1) : values;
  },
  decode: slotRecord.decode,
};
