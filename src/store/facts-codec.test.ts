import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildFacts, buildTransactionFacts } from '../../tests/support/build-records.ts';
import { StoreError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { decodeSlotFacts, encodeSlotFacts } from './facts-codec.ts';

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

/** Every kind of event with every field, written down from the model and not from the codec. */
const event = fc.oneof(
  fc.record({
    kind: fc.constant('swap'),
    ...place,
    venue,
    pool: text,
    baseMint: text,
    quoteMint: text,
    baseDecimals: fc.nat(255),
    quoteDecimals: fc.nat(255),
    trader: text,
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
    quarantine: maybe(text),
  }),
  fc.record({
    kind: fc.constant('tokenTransfer'),
    ...place,
    transferKind: fc.constantFrom('transfer', 'mintTo', 'burn', 'closeAccount'),
    mint: text,
    fromOwner: maybe(text),
    toOwner: maybe(text),
    amountGross: amount,
    feeWithheld: amount,
  }),
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
    },
    {
      requiredKeys: [
        'kind',
        'outerIx',
        'innerIx',
        'standard',
        'mint',
        'name',
        'symbol',
        'uri',
        'sellerFeeBps',
        'creators',
        'isMutable',
        'primarySaleHappened',
        'tokenStandard',
      ],
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
    kind: fc.constant('authority'),
    ...place,
    mint: text,
    authorityKind: fc.constantFrom('mint', 'freeze', 'metadata'),
    newAuthority: maybe(text),
  }),
);

const transaction = fc.record({
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
});

const outcomes = fc.record({
  event: count,
  ignored: count,
  unknown: count,
  malformed: count,
  quarantined: count,
});

const slotFacts = fc.record({
  slot: fc.maxSafeNat(),
  parentSlot: maybe(fc.maxSafeNat()),
  blockhash: maybe(text),
  previousBlockhash: maybe(text),
  blockTimeMs: maybe(fc.maxSafeInteger()),
  isWhole: fc.boolean(),
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
}) as unknown as fc.Arbitrary<SlotFacts>;

describe('slot facts as text', () => {
  test('come back as they were: bigints, nulls, absent fields and any text', () => {
    fc.assert(
      fc.property(slotFacts, (generated) => {
        // Generated objects have no prototype; the clone's are plain.
        const facts = structuredClone(generated);
        expect(decodeSlotFacts(encodeSlotFacts(facts))).toStrictEqual(facts);
      }),
    );
  });

  test('keep absent, null and given apart', () => {
    const metadata = (authority: object) =>
      buildFacts(1, {
        transactions: [
          buildTransactionFacts('a', {
            events: [
              {
                kind: 'metadataSet',
                outerIx: 0,
                innerIx: -1,
                standard: 'metaplex',
                mint: 'M' as never,
                name: null,
                symbol: '',
                uri: null,
                sellerFeeBps: 0,
                creators: null,
                isMutable: null,
                primarySaleHappened: false,
                tokenStandard: null,
                ...authority,
              },
            ],
          }),
        ],
      });
    for (const facts of [
      metadata({}),
      metadata({ updateAuthority: null }),
      metadata({ updateAuthority: 'A' }),
    ]) {
      expect(decodeSlotFacts(encodeSlotFacts(facts))).toStrictEqual(facts);
    }
  });

  test('of layout 1 stay readable for ever', () => {
    const stored =
      '["slot-facts/1",["S","P","M"],[7,6,"H",null,1000,true,2,[[0,0,true,1,[1],null,5000,null,' +
      'null,null,[[9007199254740991,1,"jito"]],[],false,[[1,null,2,6,0,"18446744073709551615"]],' +
      '[["tokenTransfer",[0,-1,"burn",2,1,null,1,0]]]]],{"pump":{"event":1,"ignored":0,' +
      '"unknown":0,"malformed":0,"quarantined":0}},[]]]';
    expect(decodeSlotFacts(stored)).toStrictEqual({
      slot: 7,
      parentSlot: 6,
      blockhash: 'H',
      previousBlockhash: null,
      blockTimeMs: 1_000,
      isWhole: true,
      voteCount: 2,
      transactions: [
        {
          signature: 'S',
          txIndex: 0,
          isIndexKnown: true,
          feePayer: 'P',
          signers: ['P'],
          error: null,
          feeLamports: 5_000n,
          computeUnitLimit: null,
          computeUnitPriceMicroLamports: null,
          computeUnitsUsed: null,
          tips: [{ lamports: 2n ** 53n - 1n, to: 'P', provider: 'jito' }],
          programIds: [],
          usesLookupTables: false,
          tokenBalances: [
            {
              account: 'P',
              owner: null,
              mint: 'M',
              decimals: 6,
              before: 0n,
              after: 2n ** 64n - 1n,
            },
          ],
          events: [
            {
              kind: 'tokenTransfer',
              outerIx: 0,
              innerIx: -1,
              transferKind: 'burn',
              mint: 'M',
              fromOwner: 'P',
              toOwner: null,
              amountGross: 1n,
              feeWithheld: 0n,
            },
          ],
        },
      ],
      outcomes: { pump: { event: 1, ignored: 0, unknown: 0, malformed: 0, quarantined: 0 } },
      problems: [],
    });
  });

  test.each([
    ['', 'cannot be read'],
    ['["slot-facts/1",[],', 'cannot be read'],
    ['null', 'cannot be read'],
    ['["slot-facts/9",[],[]]', 'has the format slot-facts/9; this version reads slot-facts/1'],
    ['["slot-facts/1",[],[7]]', 'cannot be read'],
    ['["slot-facts/1",[],[1,0,null,null,null,true,0,[[0]],{},[]]]', 'has no text 0'],
  ])('refuse %s', (stored, sentence) => {
    expect(() => decodeSlotFacts(stored)).toThrow(StoreError);
    expect(() => decodeSlotFacts(stored)).toThrow(sentence);
  });
});
