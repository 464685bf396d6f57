import type {
  MetadataSet,
  MintCreated,
  PoolCreated,
  TokenTransfer,
} from '../../src/model/chain-event.ts';
import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type {
  SlotFacts,
  TokenBalanceChange,
  TransactionFacts,
} from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address, Lamports, RawAmount, Slot } from '../../src/model/units.ts';
import { address, signature } from './build-transaction.ts';

/** One decoded slot as a test writes it. */
export function slotFacts(
  slot: number,
  blockTimeMs: number | null,
  transactions: readonly TransactionFacts[],
): SlotFacts {
  return {
    slot: slot as Slot,
    parentSlot: (slot - 1) as Slot,
    blockhash: null,
    previousBlockhash: null,
    blockTimeMs,
    isWhole: true,
    decoderVersion: 1,
    voteCount: 0,
    transactions,
    outcomes: {},
    poolMovingCount: 0,
    explainedCount: 0,
    problems: [],
  };
}

/** One decoded transaction; the fee payer is the first signer. */
export function transactionFacts(
  draft: Partial<TransactionFacts> & { readonly txIndex: number },
): TransactionFacts {
  const signers = draft.signers ?? [address('payer')];
  return {
    signature: signature(`tx ${draft.txIndex}`),
    isIndexKnown: true,
    feePayer: signers[0] ?? address('payer'),
    signers,
    error: null,
    feeLamports: 5_000n as Lamports,
    computeUnitLimit: null,
    computeUnitPriceMicroLamports: null,
    computeUnitsUsed: null,
    tips: [],
    programIds: [],
    usesLookupTables: false,
    tokenBalances: [],
    events: [],
    terminal: null,
    skeleton: null,
    ...draft,
  };
}

/** The amounts of a swap as its trader sees them: base gained and SOL paid, or the reverse. */
export interface SwapDraft {
  readonly trader: Address;
  readonly side: 'buy' | 'sell';
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** A swap on `pool-t`, base `token-t` with 6 decimals against SOL, without fees. */
export function swapEvent(
  { trader, side, baseRaw, quoteRaw }: SwapDraft,
  rest: Partial<Swap> = {},
): Swap {
  const sign = side === 'buy' ? 1n : -1n;
  const base = (sign * baseRaw) as RawAmount;
  const quote = (sign * quoteRaw) as RawAmount;
  return {
    kind: 'swap',
    outerIx: 0,
    innerIx: -1,
    venue: 'raydium_cpmm',
    pool: address('pool-t'),
    baseMint: address('token-t'),
    quoteMint: WRAPPED_SOL,
    baseDecimals: 6,
    quoteDecimals: 9,
    trader,
    side,
    poolBaseDelta: -base as RawAmount,
    poolQuoteDelta: quote,
    traderBaseDelta: base,
    traderQuoteDelta: -quote as RawAmount,
    reserves: null,
    feeQuoteRaw: null,
    router: null,
    isIntermediateHop: false,
    isAtomicRoundTrip: false,
    isPureArbitrage: false,
    quarantine: null,
    ...rest,
  };
}

/** A tip of 0.001 SOL to one of Jito's accounts. */
export function jitoTip(): TransactionFacts['tips'] {
  return [{ lamports: 1_000_000n as Lamports, to: address('tip'), provider: 'jito' }];
}

export function mintCreated(mint: Address, rest: Partial<MintCreated> = {}): MintCreated {
  return {
    kind: 'mintCreated',
    outerIx: 0,
    innerIx: -1,
    mint,
    decimals: 6,
    tokenProgram: SPL_TOKEN_PROGRAM,
    mintAuthority: null,
    freezeAuthority: null,
    ...rest,
  };
}

/** Tokens being minted (`mintTo`) or burned (`burn`). */
export function supplyChange(
  transferKind: 'mintTo' | 'burn',
  mint: Address,
  amount: bigint,
  outerIx = 0,
): TokenTransfer {
  return {
    kind: 'tokenTransfer',
    outerIx,
    innerIx: -1,
    transferKind,
    mint,
    fromOwner: null,
    toOwner: null,
    amountGross: amount as RawAmount,
    feeWithheld: 0n as RawAmount,
  };
}

/** Creation of `pool-t` of `token-t` against SOL. */
export function poolCreated(
  baseRaw: bigint,
  quoteRaw: bigint,
  rest: Partial<PoolCreated> = {},
): PoolCreated {
  return {
    kind: 'poolCreated',
    outerIx: 5,
    innerIx: -1,
    venue: 'raydium_cpmm',
    pool: address('pool-t'),
    baseMint: address('token-t'),
    quoteMint: WRAPPED_SOL,
    baseDecimals: 6,
    quoteDecimals: 9,
    creator: address('creator'),
    vaultOwner: null,
    baseRaw: baseRaw as RawAmount,
    quoteRaw: quoteRaw as RawAmount,
    lpMint: null,
    lpRaw: null,
    ...rest,
  };
}

/** A change of an owner's only account of `token-t`. */
export function balanceChange(
  owner: Address,
  before: bigint,
  after: bigint,
  rest: Partial<TokenBalanceChange> = {},
): TokenBalanceChange {
  return {
    account: `${owner} account` as Address,
    owner,
    mint: address('token-t'),
    decimals: 6,
    before: before as RawAmount,
    after: after as RawAmount,
    ...rest,
  };
}

/** Metaplex metadata that contains only the given fields. */
export function metadataSet(rest: Partial<MetadataSet> & Pick<MetadataSet, 'mint'>): MetadataSet {
  return {
    kind: 'metadataSet',
    outerIx: 0,
    innerIx: -1,
    standard: 'metaplex',
    name: null,
    symbol: null,
    uri: null,
    sellerFeeBps: null,
    creators: null,
    isMutable: null,
    primarySaleHappened: null,
    tokenStandard: null,
    ...rest,
  };
}
