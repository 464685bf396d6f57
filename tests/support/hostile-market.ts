import type { FastifyInstance } from 'fastify';
import type { OffchainFacts } from '../../src/model/off-chain.ts';
import type { ListedPost } from '../../src/model/social-reads.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../src/model/units.ts';
import { buildClassification } from './build-classification.ts';
import { buildRuleHit } from './build-rule-hit.ts';
import { buildListing } from './build-signal.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeToken,
  fakeTokenListing,
  fakeWallet,
  fakeWindows,
  MINT,
  NOW_MS,
  OTHER_MINT,
  SLOT_TIME_MS,
  withHolders,
} from './fake-api-deps.ts';
import { fakeApiServer } from './fake-api-server.ts';

/** Longest list that the API is asked for. */
const MANY = 60;

/** A server whose every text of strangers is `text`, in lists of full length. */
export function hostileMarket(text: string): FastifyInstance {
  const deps = fakeApiDeps();
  const token = fakeToken({ mint: MINT, name: text, symbol: text, decimals: 6 });
  const listing = fakeTokenListing({
    token: fakeToken({ mint: OTHER_MINT, name: text, symbol: text, createdAtMs: SLOT_TIME_MS }),
    windows: fakeWindows(),
  });
  const facts: OffchainFacts = {
    document: { name: text, symbol: text, description: text, image: text, seenAtMs: NOW_MS },
    links: manyOf({ platform: 'website', url: text, statusCode: 200, checkedAtMs: NOW_MS }),
    picture: null,
    thumbnailHash: null,
  };
  // Whoever wrote a rule may have copied its texts from a stranger.
  const hit = buildRuleHit({ kind: 'label', label: text, reasons: [text] });
  const findings = [{ classification: buildClassification(), status: 'active' as const }];
  return fakeApiServer({
    tokens: {
      ...deps.tokens,
      withHolders: (mint) => withHolders(mint === MINT ? token : undefined, []),
      search: async () => {
        const items = manyOf(listing);
        return asOfFakeSlot({ items, total: MANY, next: null, isComplete: true });
      },
    },
    offchain: { ...deps.offchain, factsOf: () => facts },
    wallets: {
      ...deps.wallets,
      find: async (address) => asOfFakeSlot(fakeWallet({ address, positions: positions(text) })),
    },
    signals: {
      ...deps.signals,
      list: async () => asOfFakeSlot(manyOf(buildListing({ name: text, symbol: text }))),
      listWithRules: async () => {
        const { model: _, ...figures } = buildListing({ name: text, symbol: text });
        const { author, name, version, hash } = hit;
        const ruleSignals = manyOf({ ...figures, rule: { author, name, version, hash } });
        return asOfFakeSlot({ signals: [], ruleSignals });
      },
    },
    rules: { ...deps.rules, hitPage: async () => asOfFakeSlot({ hits: manyOf(hit), next: null }) },
    social: { ...deps.social, posts: () => ({ posts: manyOf(post(text)), total: MANY }) },
    fraud: {
      ...deps.fraud,
      check: async () => asOfFakeSlot(findings),
      checkWithHits: async () => asOfFakeSlot({ findings, hits: manyOf(hit) }),
    },
  });
}

function manyOf<Item>(item: Item): Item[] {
  return Array.from({ length: MANY }, () => item);
}

function positions(symbol: string) {
  return manyOf({
    mint: MINT,
    symbol,
    decimals: 6,
    heldRaw: asRawAmount(6_000_000n),
    unknownBasisRaw: asRawAmount(0n),
    costUsd: asUsdNano(30_000_000_000n),
    realisedUsd: asUsdNano(0n),
    hasKnownCost: true,
    priceUsd: asPriceE18(10n ** 18n),
    buys: 1,
    sells: 0,
    firstBuyMs: SLOT_TIME_MS,
    lastTradeMs: SLOT_TIME_MS,
  });
}

function post(text: string): ListedPost {
  return {
    platform: 'x',
    postId: text,
    authorId: text,
    authorHandle: text,
    followers: 1_000_000,
    text,
    url: text,
    sentimentMicro: 1_000_000,
    modelVersion: 'm1',
    createdAtMs: SLOT_TIME_MS,
  };
}
