import { WRAPPED_SOL } from '../src/model/program.ts';
import type { TransactionFacts } from '../src/model/slot-facts.ts';
import { asLamports, asRawAmount } from '../src/model/units.ts';
import { signature } from '../tests/support/build-transaction.ts';
import { numberedAddress } from './numbered-addresses.ts';

/** Of every transaction: that of a common tool. */
const SKELETON = '0123456789abcdef';

/** A wallet's purchase of a token that it then holds; wallets, tokens and pools are numbered. */
export function numberedPurchase(purchase: {
  readonly number: number;
  readonly txIndex: number;
  readonly wallet: number;
  readonly token: number;
  readonly quoteRaw: bigint;
}): TransactionFacts {
  const { number, txIndex, token, quoteRaw } = purchase;
  const owner = numberedAddress(1, purchase.wallet);
  const [mint, pool] = [numberedAddress(2, token), numberedAddress(3, token)];
  const account = numberedAddress(4, number);
  const baseRaw = asRawAmount(1_000_000n + BigInt(number));
  return {
    signature: signature(`${number} signed`),
    txIndex,
    isIndexKnown: true,
    feePayer: owner,
    signers: [owner],
    error: null,
    feeLamports: asLamports(5_000n),
    computeUnitLimit: null,
    computeUnitPriceMicroLamports: null,
    computeUnitsUsed: null,
    tips: [],
    programIds: [],
    usesLookupTables: false,
    terminal: null,
    skeleton: SKELETON,
    tokenBalances: [{ account, owner, mint, decimals: 6, before: asRawAmount(0n), after: baseRaw }],
    events: [
      {
        kind: 'swap',
        outerIx: 0,
        innerIx: -1,
        venue: 'raydium_cpmm',
        pool,
        baseMint: mint,
        quoteMint: WRAPPED_SOL,
        baseDecimals: 6,
        quoteDecimals: 9,
        trader: owner,
        side: 'buy',
        reserves: null,
        poolBaseDelta: asRawAmount(-baseRaw),
        poolQuoteDelta: asRawAmount(quoteRaw),
        traderBaseDelta: baseRaw,
        traderQuoteDelta: asRawAmount(-quoteRaw),
        feeQuoteRaw: null,
        router: null,
        isIntermediateHop: false,
        isAtomicRoundTrip: false,
        isPureArbitrage: false,
        quarantine: null,
      },
    ],
  };
}
