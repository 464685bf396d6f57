import fc from 'fast-check';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { METADATA_KEYS } from './metadata-keys.ts';

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'null', '0', '__proto__'));
const amount = fc.oneof(fc.bigInt(-(2n ** 130n), 2n ** 130n), fc.bigInt(-(2n ** 54n), 2n ** 54n));
const count = fc.integer();
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value);
const place = { outerIx: fc.nat(), innerIx: fc.integer({ min: -1 }) };
const venue = fc.constantFrom('pump', 'pump_amm', 'raydium_clmm');
const reserves = fc.record({
  base: amount,
  quote: amount,
  virtualBase: maybe(amount),
  virtualQuote: maybe(amount),
});

const extension = fc.oneof(
  fc.record({
    kind: fc.constantFrom('transferFee', 'nextTransferFee'),
    feeBps: count,
    maxFeeRaw: amount,
  }),
  fc.record({ kind: fc.constant('interestBearing'), rateBps: count }),
  fc.record({
    kind: fc.constant('scaledUiAmount'),
    multiplier: fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((n) => !Object.is(n, -0)),
    effectiveTimeMs: maybe(count),
  }),
  fc.record({ kind: fc.constant('metadataPointer'), metadataAddress: maybe(text) }),
  fc.record({ kind: fc.constant('permanentDelegate'), delegate: maybe(text) }),
  fc.record({ kind: fc.constant('transferHook'), hookProgram: maybe(text) }),
  fc.record({ kind: fc.constant('defaultAccountState'), isFrozen: fc.boolean() }),
  fc.record({ kind: fc.constant('pausable'), isPaused: fc.boolean() }),
  fc.record({ kind: fc.constant('mintCloseAuthority'), closeAuthority: maybe(text) }),
  fc.record({ kind: fc.constantFrom('nonTransferable', 'confidentialTransfer') }),
);

/** Derived from the model, not from a codec. */
/** Fields of Metaplex metadata that can be absent. */
const clearable = {
  editionNonce: maybe(fc.nat(255)),
  collection: maybe(fc.record({ verified: fc.boolean(), key: text })),
  uses: maybe(
    fc.record({
      useMethod: fc.constantFrom('Burn', 'Multiple', 'Single'),
      remaining: amount,
      total: amount,
    }),
  ),
  collectionDetails: maybe(fc.record({ size: maybe(amount) })),
  programmableConfig: maybe(fc.record({ ruleSet: maybe(text) })),
};

const event = fc.oneof(
  fc
    .record({
      kind: fc.constant('swap'),
      ...place,
      venue,
      pool: text,
      baseMint: text,
      quoteMint: text,
      baseDecimals: fc.nat(255),
      quoteDecimals: fc.nat(255),
      trader: maybe(text),
      side: fc.constantFrom('buy', 'sell'),
      poolBaseDelta: amount,
      poolQuoteDelta: amount,
      traderBaseDelta: amount,
      traderQuoteDelta: maybe(amount),
      reserves: maybe(reserves),
      feeQuoteRaw: maybe(amount),
      router: maybe(text),
      isIntermediateHop: fc.boolean(),
      isAtomicRoundTrip: fc.boolean(),
      isPureArbitrage: fc.boolean(),
      quarantine: maybe(text),
    })
    .chain((swap) =>
      fc
        .record(
          {
            keptFees: fc.record({ base: amount, quote: amount }),
            program: text,
            legsOnly: fc.constant(true),
          },
          { requiredKeys: [] },
        )
        .map((extras) => ({ ...swap, ...extras })),
    ),
  fc.record(
    {
      kind: fc.constant('tokenTransfer'),
      ...place,
      transferKind: fc.constantFrom('transfer', 'mintTo', 'burn', 'closeAccount'),
      mint: text,
      fromOwner: maybe(text),
      toOwner: maybe(text),
      amountGross: amount,
      feeWithheld: amount,
      burnVenue: maybe(venue),
    },
    {
      requiredKeys: [
        'kind',
        'outerIx',
        'innerIx',
        'transferKind',
        'mint',
        'fromOwner',
        'toOwner',
        'amountGross',
        'feeWithheld',
      ],
    },
  ),
  fc.record({
    kind: fc.constant('solTransfer'),
    ...place,
    transferKind: fc.constantFrom('transfer', 'createAccount', 'unwrap', 'closeRefund'),
    from: text,
    to: text,
    lamports: amount,
  }),
  fc.record({
    kind: fc.constant('mintCreated'),
    ...place,
    mint: text,
    decimals: fc.nat(255),
    tokenProgram: text,
    mintAuthority: maybe(text),
    freezeAuthority: maybe(text),
  }),
  fc.record(
    {
      kind: fc.constant('metadataSet'),
      ...place,
      standard: fc.constantFrom('metaplex', 'token2022'),
      mint: text,
      name: maybe(text),
      symbol: maybe(text),
      uri: maybe(text),
      updateAuthority: maybe(text),
      sellerFeeBps: maybe(count),
      creators: maybe(
        fc.array(fc.record({ address: text, verified: fc.boolean(), sharePercent: count })),
      ),
      isMutable: maybe(fc.boolean()),
      primarySaleHappened: maybe(fc.boolean()),
      tokenStandard: maybe(text),
      ...clearable,
    },
    {
      requiredKeys: ['outerIx', 'innerIx', ...METADATA_KEYS],
    },
  ),
  fc.record({
    kind: fc.constant('launch'),
    ...place,
    venue,
    mint: text,
    quoteMint: text,
    pool: text,
    creator: text,
    tokenProgram: text,
    supply: maybe(amount),
    reserves: maybe(reserves),
  }),
  fc.record({
    kind: fc.constant('launch'),
    ...place,
    venue,
    mint: text,
    quoteMint: text,
    pool: text,
    creator: text,
    tokenProgram: text,
    supply: maybe(amount),
    reserves: maybe(reserves),
    feeRecipient: text,
  }),
  fc.record({
    kind: fc.constant('feeSweep'),
    ...place,
    venue,
    pool: text,
    mint: text,
    bucket: fc.constantFrom('protocol', 'creator'),
    amountRaw: amount,
    poolDelta: amount,
  }),
  fc.record({
    kind: fc.constant('poolBoost'),
    ...place,
    venue,
    pool: text,
    mint: text,
    poolDelta: amount,
  }),
  fc.record({
    kind: fc.constant('creatorChange'),
    ...place,
    venue,
    mint: text,
    pool: maybe(text),
    feeRecipient: text,
  }),
  fc.record({
    kind: fc.constant('poolCreated'),
    ...place,
    venue,
    pool: text,
    baseMint: text,
    quoteMint: text,
    baseDecimals: count,
    quoteDecimals: count,
    creator: text,
    vaultOwner: maybe(text),
    baseRaw: amount,
    quoteRaw: amount,
    lpMint: maybe(text),
    lpRaw: maybe(amount),
  }),
  fc.record({ kind: fc.constant('curveComplete'), ...place, venue, mint: text, pool: text }),
  fc.record({
    kind: fc.constant('migrate'),
    ...place,
    venue,
    mint: text,
    fromPool: text,
    toPool: text,
    baseRaw: amount,
    quoteRaw: amount,
  }),
  fc.record({
    kind: fc.constant('liquidity'),
    ...place,
    venue,
    pool: text,
    baseMint: text,
    quoteMint: text,
    provider: text,
    poolBaseDelta: amount,
    poolQuoteDelta: amount,
    lpDelta: maybe(amount),
    reserves: maybe(reserves),
  }),
  fc.record({
    kind: fc.constant('lpLock'),
    ...place,
    pool: text,
    provider: text,
    amountRaw: amount,
    lockKind: fc.constantFrom('burn', 'locker', 'permanent'),
    unlockTimeMs: maybe(count),
  }),
  fc.record({
    kind: fc.constant('tokenLock'),
    ...place,
    locker: fc.constantFrom('streamflow', 'raydium_lock', 'jupiter_lock'),
    escrow: text,
    mint: text,
    owner: maybe(text),
    escrowDelta: amount,
    terms: maybe(
      fc.record({
        isPermanent: fc.boolean(),
        firstUnlockTimeMs: maybe(count),
        lastUnlockTimeMs: maybe(count),
        isRevocable: fc.boolean(),
      }),
    ),
  }),
  fc.record({ kind: fc.constant('mintExtension'), ...place, mint: text, extension }),
  fc.record({
    kind: fc.constant('authority'),
    ...place,
    mint: text,
    authorityKind: fc.constantFrom('mint', 'freeze', 'metadata'),
    newAuthority: maybe(text),
  }),
);

const transactionFields = {
  signature: text,
  txIndex: fc.nat(),
  isIndexKnown: fc.boolean(),
  feePayer: text,
  signers: fc.array(text, { maxLength: 3 }),
  error: maybe(text),
  feeLamports: amount,
  computeUnitLimit: maybe(count),
  computeUnitPriceMicroLamports: maybe(amount),
  computeUnitsUsed: maybe(count),
  tips: fc.array(
    fc.record({ lamports: amount, to: text, provider: fc.constantFrom('jito', 'other') }),
    { maxLength: 2 },
  ),
  programIds: fc.array(text, { maxLength: 3 }),
  usesLookupTables: fc.boolean(),
  tokenBalances: fc.array(
    fc.record({
      account: text,
      owner: maybe(text),
      mint: text,
      decimals: count,
      before: amount,
      after: amount,
    }),
    { maxLength: 2 },
  ),
  events: fc.array(event, { maxLength: 4 }),
  terminal: maybe(text),
  skeleton: maybe(text),
};

const transaction = fc.oneof(
  fc.record(transactionFields),
  fc.record({ ...transactionFields, priorityFeeLamports: amount }),
);

const outcomes = fc.record({
  event: count,
  ignored: count,
  unknown: count,
  malformed: count,
  quarantined: count,
});

const observation = fc.oneof(
  fc.record({
    kind: fc.constant('mintObserved'),
    contextSlot: fc.nat(1_000),
    mint: text,
    tokenProgram: text,
    decimals: fc.nat(255),
    supplyRaw: amount,
    mintAuthority: maybe(text),
    freezeAuthority: maybe(text),
    extensions: fc.array(extension, { maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('metadataObserved'),
    contextSlot: fc.nat(1_000),
    standard: fc.constantFrom('metaplex', 'token2022'),
    mint: text,
    name: maybe(text),
    symbol: maybe(text),
    uri: maybe(text),
    updateAuthority: maybe(text),
    sellerFeeBps: maybe(count),
    creators: maybe(
      fc.array(fc.record({ address: text, verified: fc.boolean(), sharePercent: count })),
    ),
    isMutable: maybe(fc.boolean()),
    primarySaleHappened: maybe(fc.boolean()),
    tokenStandard: maybe(text),
    ...clearable,
  }),
);

const slotFields = {
  slot: fc.maxSafeNat(),
  parentSlot: maybe(fc.maxSafeNat()),
  blockhash: maybe(text),
  previousBlockhash: maybe(text),
  blockTimeMs: maybe(fc.maxSafeInteger()),
  isWhole: fc.boolean(),
  decoderVersion: fc.nat(1_000),
  poolMovingCount: fc.nat(1_000),
  explainedCount: fc.nat(1_000),
  voteCount: fc.nat(),
  transactions: fc.array(transaction, { maxLength: 3 }),
  outcomes: fc.dictionary(fc.constantFrom('pump', 'system'), outcomes, { noNullPrototype: true }),
  problems: fc.array(
    fc.record({
      signature: text,
      outerIx: count,
      innerIx: count,
      program: venue,
      problem: fc.constantFrom('unknown', 'malformed', 'quarantined', 'failed'),
      reason: text,
    }),
    { maxLength: 2 },
  ),
};

/** Any decoded slot: every kind of event with every field, hostile texts, integers of any size. */
export const slotFacts = fc.oneof(
  fc.record(slotFields),
  fc.record({ ...slotFields, observations: fc.array(observation, { maxLength: 2 }) }),
) as unknown as fc.Arbitrary<SlotFacts>;
