import fc from 'fast-check';
import type { AccountObservation } from '../../src/model/account-observation.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { BURN_ADDRESSES } from '../../src/model/known-owners.ts';
import { SPL_TOKEN_PROGRAM, USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import { jitoTip, slotFacts, transactionFacts } from './build-facts.ts';
import { address } from './build-transaction.ts';
import { START_MS } from './master-fixture.ts';
import { METADATA_KEYS } from './metadata-keys.ts';

/**
 * Slots of a market so small that all parts interact: three mints, five pools, a few wallets and
 * lockers, every kind of event in any order, balances that chain or contradict. Amounts are from
 * short lists, so that trades match as sandwiches, prices jump and return as spikes, and balances
 * and locks go to zero and rise again.
 */
const mints = ['token-t', 'token-u', 'lp-t'].map(address);
const wallets = ['a', 'b', 'c', 'd', 'e'].map(address);
const pools = [
  { pool: address('pool-t'), baseMint: mints[0], quoteMint: WRAPPED_SOL, quoteDecimals: 9 },
  { pool: address('pool-u'), baseMint: mints[0], quoteMint: USDC, quoteDecimals: 6 },
  { pool: address('pool-v'), baseMint: mints[1], quoteMint: WRAPPED_SOL, quoteDecimals: 9 },
  { pool: address('pool-w'), baseMint: mints[1], quoteMint: mints[0], quoteDecimals: 6 },
  { pool: address('sol-usd'), baseMint: WRAPPED_SOL, quoteMint: USDC, quoteDecimals: 6 },
].map((identity) => ({
  ...identity,
  baseDecimals: identity.baseMint === WRAPPED_SOL ? 9 : 6,
  venue: 'raydium_cpmm' as const,
}));

const mint = fc.constantFrom(...mints);
const wallet = fc.constantFrom(...wallets);
const owner = fc.constantFrom(...wallets, ...BURN_ADDRESSES, address('pool-t'), address('vault'));
const pool = fc.constantFrom(...pools);
const poolAddress = pool.map((identity) => identity.pool);
const amount = fc.constantFrom(0n, 5n, 1_000n, 1_000_000n, 7_000_000_000n, 90_000_000_000n);
const signed = fc.tuple(amount, fc.boolean()).map(([raw, isOut]) => (isOut ? -raw : raw));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const reserves = fc.record({
  base: amount,
  quote: amount,
  virtualBase: fc.constant(null),
  virtualQuote: fc.constantFrom(null, null, 2_000_000n),
});

const swap = fc
  .record({
    identity: pool,
    trader: fc.option(wallet, { nil: null, freq: 10 }),
    keptQuoteRaw: fc.constantFrom(0n, 0n, 7n),
    side: fc.constantFrom('buy', 'sell'),
    baseRaw: fc.constantFrom(500n, 2_000_000n, 2_010_000n, 50_000_000n, 10_000_000_000n),
    quoteRaw: fc.constantFrom(40n, 1_000_000n, 1_400_000n, 200_000_000n, 30_000_000_000n),
    reserves: maybe(reserves),
    flag: fc.constantFrom('hop', 'roundTrip', 'arbitrage', 'quarantine', ...Array(12).fill('none')),
    isQuoteSeen: fc.boolean(),
  })
  .map(
    ({ identity, trader, keptQuoteRaw, side, baseRaw, quoteRaw, flag, isQuoteSeen, ...rest }) => {
      const sign = side === 'buy' ? 1n : -1n;
      return {
        kind: 'swap',
        ...identity,
        ...rest,
        trader,
        side,
        poolBaseDelta: -sign * baseRaw,
        poolQuoteDelta: sign * quoteRaw,
        traderBaseDelta: sign * baseRaw,
        traderQuoteDelta: isQuoteSeen ? -sign * quoteRaw : null,
        feeQuoteRaw: null,
        ...(keptQuoteRaw === 0n ? {} : { keptFees: { base: 0n, quote: keptQuoteRaw } }),
        router: null,
        isIntermediateHop: flag === 'hop',
        isAtomicRoundTrip: flag === 'roundTrip',
        isPureArbitrage: flag === 'arbitrage',
        quarantine: flag === 'quarantine' ? 'made up' : null,
      };
    },
  );

const supply = fc.record({
  kind: fc.constant('tokenTransfer'),
  transferKind: fc.constantFrom('mintTo', 'burn', 'transfer'),
  mint,
  fromOwner: fc.constant(null),
  toOwner: fc.constant(null),
  amountGross: amount,
  feeWithheld: fc.constant(0n),
  burnVenue: fc.constantFrom('pump', 'raydium_cpmm', undefined),
});

const birth = fc.oneof(
  fc.record({
    kind: fc.constant('mintCreated'),
    mint,
    decimals: fc.constantFrom(6, 9),
    tokenProgram: fc.constant(SPL_TOKEN_PROGRAM),
    mintAuthority: maybe(wallet),
    freezeAuthority: maybe(wallet),
  }),
  fc
    .record({
      identity: pool,
      creator: wallet,
      tokenProgram: fc.constant(SPL_TOKEN_PROGRAM),
      supply: maybe(amount),
      reserves: maybe(reserves),
    })
    .map(({ identity, ...rest }) => ({
      ...rest,
      kind: 'launch',
      venue: 'pump',
      mint: identity.baseMint,
      quoteMint: identity.quoteMint,
      pool: identity.pool,
    })),
  fc
    .record({
      identity: pool,
      creator: wallet,
      vaultOwner: maybe(fc.constantFrom(address('vault'), ...wallets)),
      baseRaw: amount,
      quoteRaw: amount,
      lpMint: maybe(fc.constant(mints[2])),
      lpRaw: fc.constant(null),
    })
    .map(({ identity, ...rest }) => ({ kind: 'poolCreated', ...identity, ...rest })),
);

const life = fc.oneof(
  fc
    .record({
      identity: pool,
      provider: wallet,
      poolBaseDelta: signed,
      poolQuoteDelta: signed,
      lpDelta: fc.constant(null),
      reserves: maybe(reserves),
    })
    .map(({ identity, ...rest }) => ({ kind: 'liquidity', ...identity, ...rest })),
  fc.record({
    kind: fc.constant('curveComplete'),
    venue: fc.constant('pump'),
    mint,
    pool: poolAddress,
  }),
  fc
    .record({ identity: pool, fromPool: poolAddress, baseRaw: amount, quoteRaw: amount })
    .map(({ identity, ...rest }) => ({
      ...rest,
      kind: 'migrate',
      venue: 'pump',
      mint: identity.baseMint,
      toPool: identity.pool,
    })),
  fc
    .record({
      identity: pool,
      isBoost: fc.boolean(),
      bucket: fc.constantFrom('protocol', 'creator'),
      amountRaw: amount,
    })
    .map(({ identity: { pool: address, quoteMint }, isBoost, bucket, amountRaw }) => ({
      venue: 'pump_amm',
      pool: address,
      mint: quoteMint,
      poolDelta: -amountRaw,
      ...(isBoost ? { kind: 'poolBoost' } : { kind: 'feeSweep', bucket, amountRaw }),
    })),
  fc.record({
    kind: fc.constant('creatorChange'),
    venue: fc.constant('pump'),
    mint,
    pool: maybe(poolAddress),
    feeRecipient: wallet,
  }),
  fc.record({
    kind: fc.constant('lpLock'),
    pool: poolAddress,
    provider: wallet,
    amountRaw: amount,
    lockKind: fc.constantFrom('locker', 'permanent'),
    unlockTimeMs: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('tokenLock'),
    locker: fc.constant('streamflow'),
    escrow: fc.constantFrom(...['escrow-1', 'escrow-2', 'escrow-3'].map(address)),
    mint,
    owner: maybe(wallet),
    escrowDelta: signed,
    terms: maybe(
      fc.record({
        isPermanent: fc.boolean(),
        firstUnlockTimeMs: maybe(fc.constant(START_MS)),
        lastUnlockTimeMs: fc.constant(null),
        isRevocable: fc.boolean(),
      }),
    ),
  }),
);

const setAside = fc.oneof(
  fc
    .record({
      identity: pool,
      isBase: fc.boolean(),
      bucket: fc.constantFrom('protocol', 'creator'),
      poolDelta: signed,
    })
    .map(({ identity, isBase, bucket, poolDelta }) => ({
      kind: 'feeSweep',
      venue: 'pump_amm',
      pool: identity.pool,
      mint: isBase ? identity.baseMint : identity.quoteMint,
      bucket,
      amountRaw: poolDelta < 0n ? -poolDelta : poolDelta,
      poolDelta,
    })),
  fc.record({ identity: pool, poolDelta: signed }).map(({ identity, poolDelta }) => ({
    kind: 'poolBoost',
    venue: 'pump_amm',
    pool: identity.pool,
    mint: identity.quoteMint,
    poolDelta,
  })),
  fc.record({
    kind: fc.constant('creatorChange'),
    venue: fc.constant('pump'),
    mint,
    pool: maybe(poolAddress),
    feeRecipient: wallet,
  }),
);

const word = fc.oneof(
  fc.record(
    {
      kind: fc.constant('metadataSet'),
      standard: fc.constantFrom('metaplex', 'token2022'),
      mint,
      name: maybe(fc.constantFrom('Moo', 'Cow')),
      symbol: fc.constant(null),
      uri: fc.constant(null),
      sellerFeeBps: fc.constant(null),
      creators: fc.constant(null),
      isMutable: maybe(fc.boolean()),
      primarySaleHappened: fc.constant(null),
      tokenStandard: fc.constant(null),
      collection: maybe(fc.record({ verified: fc.boolean(), key: wallet })),
      programmableConfig: maybe(fc.record({ ruleSet: maybe(wallet) })),
    },
    { requiredKeys: [...METADATA_KEYS] },
  ),
  fc.record({
    kind: fc.constant('mintExtension'),
    mint,
    extension: fc.oneof(
      fc.record({ kind: fc.constant('pausable'), isPaused: fc.boolean() }),
      fc.record({ kind: fc.constant('permanentDelegate'), delegate: maybe(wallet) }),
    ),
  }),
  fc.record({
    kind: fc.constant('authority'),
    mint,
    authorityKind: fc.constantFrom('mint', 'freeze', 'metadata'),
    newAuthority: maybe(wallet),
  }),
);

const event = fc.oneof(
  { weight: 12, arbitrary: swap },
  { weight: 2, arbitrary: supply },
  { weight: 2, arbitrary: birth },
  { weight: 3, arbitrary: life },
  { weight: 1, arbitrary: word },
  { weight: 1, arbitrary: setAside },
) as fc.Arbitrary<object>;

const tokenBalance = fc
  .record({
    accountOf: owner,
    owner: fc.option(owner, { nil: undefined }),
    isOwnerKnown: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0),
    mint: fc.constantFrom(...mints, WRAPPED_SOL),
    decimals: fc.constant(6),
    before: amount,
    after: amount,
  })
  .map(({ accountOf, isOwnerKnown, owner: named, ...rest }) => ({
    ...rest,
    account: `${accountOf} account` as Address,
    owner: isOwnerKnown ? (named ?? accountOf) : null,
  }));

const transaction = fc.record({
  signer: wallet,
  hasFailed: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
  isTipping: fc.boolean(),
  events: fc.array(event, { maxLength: 4 }),
  tokenBalances: fc.array(tokenBalance, { maxLength: 4 }),
});

const outcomes = fc.record({
  event: fc.nat(9),
  ignored: fc.nat(9),
  unknown: fc.nat(9),
  malformed: fc.nat(9),
  quarantined: fc.nat(9),
});

/** Observed in its slot or some slots before. */
const observation = fc
  .record({
    age: fc.constantFrom(0, 0, 1, 2, 5),
    mint,
    supplyRaw: amount,
    mintAuthority: maybe(wallet),
    isPaused: fc.boolean(),
    isMint: fc.boolean(),
    standard: fc.constantFrom('metaplex', 'token2022'),
  })
  .map(({ isMint, supplyRaw, mintAuthority, isPaused, standard, ...rest }) =>
    isMint
      ? {
          ...rest,
          kind: 'mintObserved',
          tokenProgram: SPL_TOKEN_PROGRAM,
          decimals: 6,
          supplyRaw,
          mintAuthority,
          freezeAuthority: null,
          extensions: [{ kind: 'pausable', isPaused }],
        }
      : {
          ...rest,
          kind: 'metadataObserved',
          standard,
          name: 'Calf',
          symbol: 'CLF',
          uri: '',
          updateAuthority: mintAuthority,
          sellerFeeBps: 0,
          creators: null,
          isMutable: true,
          primarySaleHappened: false,
          tokenStandard: null,
          editionNonce: 255,
          collection: null,
          uses: { useMethod: 'Single', remaining: 1n, total: 1n },
          collectionDetails: { size: 2n },
          programmableConfig: null,
        },
  );

const slotPlan = fc.record({
  /** Usually the next slot or the one after it; occasionally far ahead. */
  slots: fc.constantFrom(1, 1, 1, 1, 1, 2, 2, 5, 200),
  elapsedMs: fc.constantFrom(0, 400, 400, 400, 1_000, 3_000, 15_000, 70_000, null),
  isWhole: fc.constantFrom(true, true, true, false),
  transactions: fc.array(transaction, { maxLength: 5 }),
  observations: fc.array(observation, { maxLength: 2 }),
  outcomes: fc.dictionary(fc.constantFrom('pump', 'system', 'token'), outcomes, {
    noNullPrototype: true,
  }),
  problems: fc.array(fc.constantFrom('unknown', 'malformed', 'failed'), { maxLength: 1 }),
});

type SlotPlan = typeof slotPlan extends fc.Arbitrary<infer Plan> ? Plan : never;

/** Slots in ascending order from slot 1,000 on. `blockhash` distinguishes branches. */
export function arbitrarySlots(
  lengths: { readonly minLength: number; readonly maxLength: number },
  branch = 'main',
): fc.Arbitrary<SlotFacts[]> {
  return fc.array(slotPlan, lengths).map((plans) => toSlots(plans, branch));
}

function toSlots(plans: readonly SlotPlan[], branch: string): SlotFacts[] {
  let slot = 1_000;
  let timeMs = START_MS;
  return plans.map((plan) => {
    slot += plan.slots;
    timeMs += plan.elapsedMs ?? 0;
    const transactions = plan.transactions.map((draft, txIndex) => toTransaction(draft, txIndex));
    const facts = slotFacts(slot, plan.elapsedMs === null ? null : timeMs, transactions);
    return {
      ...facts,
      blockhash: `${branch} ${slot}`,
      isWhole: plan.isWhole,
      observations: plan.observations.map(({ age, ...rest }) => ({
        ...rest,
        contextSlot: slot - age,
      })) as unknown as AccountObservation[],
      outcomes: plan.outcomes as SlotFacts['outcomes'],
      problems: plan.problems.map((problem) => ({
        signature: transactions[0]?.signature ?? null,
        outerIx: 0,
        innerIx: -1,
        program: 'pump',
        problem,
        reason: 'made up',
      })) as unknown as SlotFacts['problems'],
    };
  });
}

function toTransaction(draft: SlotPlan['transactions'][number], txIndex: number): TransactionFacts {
  return transactionFacts({
    txIndex,
    signers: [draft.signer],
    error: draft.hasFailed ? '{"Custom":1}' : null,
    tips: draft.isTipping ? jitoTip() : [],
    tokenBalances: draft.tokenBalances as unknown as TransactionFacts['tokenBalances'],
    events: draft.events.map((each, outerIx) => ({
      ...each,
      outerIx,
      innerIx: -1,
    })) as unknown as ChainEvent[],
  });
}
