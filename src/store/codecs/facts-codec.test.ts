import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotFacts } from '../../../tests/support/arbitrary-facts.ts';
import { buildFacts, buildTransactionFacts } from '../../../tests/support/build-records.ts';
import { StoreError } from '../../model/errors.ts';
import { decodeSlotFacts, encodeSlotFacts } from './facts-codec.ts';

describe('slot facts as text', () => {
  test('are decoded as they were: bigints, nulls, absent fields and any text', () => {
    fc.assert(
      fc.property(slotFacts, (generated) => {
        // Generated objects have no prototype; the clone's are plain.
        const facts = structuredClone(generated);
        expect(decodeSlotFacts(encodeSlotFacts(facts))).toStrictEqual(facts);
      }),
    );
  });

  test('distinguish absent, null and present fields', () => {
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

  test('of layout 1 stay readable', () => {
    const stored =
      '["slot-facts/1",["S","P","M"],[7,6,"H",null,1000,true,3,2,[[0,0,true,1,[1],null,5000,null,' +
      'null,null,[[9007199254740991,1,"jito"]],[],false,[[1,null,2,6,0,"18446744073709551615"]],' +
      '[["tokenTransfer",[0,-1,"burn",2,1,null,1,0]]]]],{"pump":{"event":1,"ignored":0,' +
      '"unknown":0,"malformed":0,"quarantined":0}},5,4,[]]]';
    expect(decodeSlotFacts(stored)).toStrictEqual({
      slot: 7,
      parentSlot: 6,
      blockhash: 'H',
      previousBlockhash: null,
      blockTimeMs: 1_000,
      isWhole: true,
      decoderVersion: 3,
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
          terminal: null,
          skeleton: null,
        },
      ],
      outcomes: { pump: { event: 1, ignored: 0, unknown: 0, malformed: 0, quarantined: 0 } },
      poolMovingCount: 5,
      explainedCount: 4,
      problems: [],
    });
  });

  test('without the arbitrage flag treat each hop as arbitrage', () => {
    const swaps = [true, false].map(
      (isHop) =>
        `["swap",[0,-1,0,1,2,2,6,9,3,"buy",-5,7,5,-7,null,null,false,null,${isHop},false,null]]`,
    );
    const stored =
      '["slot-facts/1",["pump","P","M","T"],[7,6,null,null,null,true,1,0,[[3,0,true,3,[3],null,' +
      `5000,null,null,null,[],[],false,[],[${swaps.join(',')}]]],{},0,0,[]]]`;
    const [transaction] = decodeSlotFacts(stored).transactions;
    expect(transaction?.events).toMatchObject([
      { trader: 'T', poolQuoteDelta: 7n, isIntermediateHop: true, isPureArbitrage: true },
      { trader: 'T', poolQuoteDelta: 7n, isIntermediateHop: false, isPureArbitrage: false },
    ]);
    expect(transaction?.terminal).toBeNull();
  });

  test('are decoded with their exact bundles', () => {
    const signature = fc.string().map((text) => text as never);
    const signatures = fc.array(signature, { minLength: 2, maxLength: 5 });
    const bundles = fc.array(fc.record({ signatures }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(slotFacts, bundles, (generated, exactBundles) => {
        const facts = structuredClone({ ...generated, exactBundles });
        expect(decodeSlotFacts(encodeSlotFacts(facts))).toStrictEqual(facts);
      }),
      { numRuns: 30 },
    );
  });

  test('without exact bundles and refusals are decoded without them, and encoded unchanged', () => {
    const without = '["slot-facts/1",["S","T"],[7,6,null,null,null,true,1,0,[],{},0,0,[],false]]';
    const facts = decodeSlotFacts(without);
    expect(facts).not.toHaveProperty('exactBundles');
    expect(facts).not.toHaveProperty('refusedFindings');
    expect(encodeSlotFacts(facts)).toBe(without.replace('"S","T"', ''));
    const bundled = without.replace('false]]', 'false,[[[0,1]]]]]');
    expect(decodeSlotFacts(bundled).exactBundles).toEqual([{ signatures: ['S', 'T'] }]);
    const refused = { ...facts, refusedFindings: ['one', 'two'] };
    expect(decodeSlotFacts(encodeSlotFacts(refused))).toStrictEqual(refused);
  });

  test.each([
    ['', 'cannot be read'],
    ['["slot-facts/1",[],', 'cannot be read'],
    ['null', 'cannot be read'],
    ['["slot-facts/9",[],[]]', 'has the format slot-facts/9; this version reads slot-facts/1'],
    ['["slot-facts/1",[],[7]]', 'cannot be read'],
    ['["slot-facts/1",[],[1,0,null,null,null,true,3,0,[[0]],{},0,0,[]]]', 'has no text 0'],
  ])('refuse %s', (stored, sentence) => {
    expect(() => decodeSlotFacts(stored)).toThrow(StoreError);
    expect(() => decodeSlotFacts(stored)).toThrow(sentence);
  });
});
