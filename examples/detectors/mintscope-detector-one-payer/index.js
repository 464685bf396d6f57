// @ts-check
// Wallets that one wallet paid first buy a large part of a launch. Customers of one exchange look
// alike, so payers with a class, such as exchanges, do not count.

/** @typedef {import('mintscope/detector').MintCase} MintCase */
/** @typedef {import('mintscope/detector').CaseTrade} CaseTrade */
/** @typedef {import('mintscope/detector').Judgement} Judgement */
/** A case whose launch is recorded.
 * @typedef {MintCase & { readonly launch: import('mintscope/detector').CaseLaunch }} LaunchedCase */

const WINDOW_MS = 30_000;
const WALLETS_MIN = 4;
const SHARE_MIN = 0.05;
const SIGNATURES_MAX = 50;

/** Bias, and for each feature the weight and the ends of its ramp. */
const BIAS = -2;
const FEATURES = /** @type {const} */ ({
  share: { weight: 2.5, ramp: [0.05, 0.25] },
  wallets: { weight: 1.5, ramp: [3, 8] },
});

/** @type {import('mintscope/detector').Detector} */
const detector = {
  contractVersion: 1,
  name: 'mintscope-detector-one-payer',
  version: 1,
  severity: 6,
  card: {
    pattern: 'Wallets that one wallet paid first buy a large part of a launch in half a minute.',
    lookAlikes: ['Customers of one exchange: payers with a class do not count.'],
    thresholds: {
      windowMs: { value: WINDOW_MS, reason: 'Later purchases may be those of followers.' },
      walletsMin: { value: WALLETS_MIN, reason: 'Friends pay for each other too.' },
      shareMin: { value: SHARE_MIN, reason: 'A smaller share does not control the price.' },
      share: { value: FEATURES.share.ramp, reason: 'A quarter of the supply decides the price.' },
      wallets: { value: FEATURES.wallets.ramp, reason: 'Many wallets are no coincidence.' },
    },
  },
  inspect({ mintCase }) {
    const { launch, supplyRaw } = mintCase;
    if (launch === null || supplyRaw === 0n) return [];
    const launched = { ...mintCase, launch };
    return [...groupsByPayer(launched)]
      .map(([payer, buys]) => judge(launched, payer, buys))
      .filter((judgement) => judgement !== null)
      .sort((one, other) => other.confidence - one.confidence);
  },
};

exports.detector = detector;

/**
 * Purchases in the window after the launch, by who paid the buyer first.
 *
 * @param {LaunchedCase} mintCase
 */
function groupsByPayer({ launch, trades, wallets }) {
  /** @type {Map<string, [CaseTrade, ...CaseTrade[]]>} */
  const groups = new Map();
  for (const trade of trades) {
    if (trade.side !== 'buy' || trade.timeMs > launch.timeMs + WINDOW_MS) continue;
    const funding = wallets.get(trade.wallet)?.firstFunding ?? null;
    if (funding === null || wallets.get(funding.funder)?.class) continue;
    const group = groups.get(funding.funder);
    if (group === undefined) groups.set(funding.funder, [trade]);
    else group.push(trade);
  }
  return groups;
}

/**
 * @param {LaunchedCase} mintCase
 * @param {string} payer
 * @param {[CaseTrade, ...CaseTrade[]]} buys
 * @returns {Judgement | null}
 */
function judge(mintCase, payer, buys) {
  const { supplyRaw } = mintCase;
  const buyers = [...new Set(buys.map(({ wallet }) => wallet))].sort();
  const share = Number((sum(buys, 'baseRaw') * 10_000n) / supplyRaw) / 10_000;
  if (buyers.length < WALLETS_MIN || share < SHARE_MIN) return null;
  const features = [feature('share', share), feature('wallets', buyers.length)];
  const logit = features.reduce((total, { weight, value }) => total + weight * value, BIAS);
  const rawScore = 1 / (1 + Math.exp(-logit));
  return {
    bias: BIAS,
    features,
    rawScore,
    confidence: Math.round(rawScore * 10_000) / 10_000,
    evidence: evidenceOf(payer, buys, buyers, share),
    wallets: [
      involved(mintCase, payer, 'funding_source', []),
      ...buyers.map((wallet) => involved(mintCase, wallet, 'bundler', buys)),
    ],
    valueAtRiskUsd: null,
    clusterRoot: payer,
    patternStartSlot: buys[0].slot,
  };
}

/**
 * @param {keyof typeof FEATURES} name
 * @param {number} measured
 */
function feature(name, measured) {
  const { weight, ramp } = FEATURES[name];
  const [from, to] = ramp;
  const value = Math.min(1, Math.max(0, (measured - from) / (to - from)));
  return { name, measured, ramp, value, weight };
}

/**
 * @param {string} payer
 * @param {[CaseTrade, ...CaseTrade[]]} buys
 * @param {readonly string[]} buyers
 * @param {number} share
 * @returns {Judgement['evidence']}
 */
function evidenceOf(payer, buys, buyers, share) {
  const percent = (share * 100).toFixed(1);
  return [
    {
      type: 'common_funding',
      description: `${buyers.length} buyers of the launch were first paid by one wallet.`,
      weight: 0.5,
      payload: {
        kind: 'wallet_relation',
        sourceWallet: payer,
        relatedWallets: buyers,
        relationship: 'direct_funding',
        strength: 1,
      },
    },
    {
      type: 'supply_concentration',
      description: `Together they bought ${percent} % of the supply within ${WINDOW_MS / 1_000} s.`,
      weight: 0.5,
      payload: {
        kind: 'transaction',
        signatures: [...new Set(buys.map(({ signature }) => signature))].slice(0, SIGNATURES_MAX),
        slot: buys[0].slot,
        wallets: buyers,
        lamports: sum(buys, 'lamports'),
        usd: null,
        isBundled: buys.some(({ group }) => group !== null),
      },
    },
  ];
}

/**
 * @param {LaunchedCase} mintCase
 * @param {string} address
 * @param {import('mintscope/detector').WalletRole} role
 * @param {readonly CaseTrade[]} buys
 */
function involved({ launch, wallets }, address, role, buys) {
  const own = buys.filter(({ wallet }) => wallet === address);
  return {
    address,
    role,
    tokensAcquiredRaw: sum(own, 'baseRaw'),
    spentLamports: sum(own, 'lamports'),
    receivedLamports: 0n,
    firstSeenSlot: wallets.get(address)?.firstSeenSlot ?? launch.slot,
    labels: [],
  };
}

/**
 * @param {readonly CaseTrade[]} items
 * @param {'baseRaw' | 'lamports'} field
 */
function sum(items, field) {
  return items.reduce((total, item) => total + item[field], 0n);
}
