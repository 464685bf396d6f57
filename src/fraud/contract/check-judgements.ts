import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseBigintJson } from '../../lib/bigint-json.ts';
import { madeOnce } from '../../lib/made-once.ts';
import { type Judgement, WALLET_ROLES } from '../../model/fraud.ts';
import { isAddress, isSignature, SLOT_MAX, type Slot } from '../../model/units.ts';

/** Bounds of what a detector may return for one case. */
const JUDGEMENTS_MAX = 100;
const LIST_MAX = 1_000;
const ITEMS_MAX = 64;
const NAME_MAX = 64;
const SENTENCE_MAX = 2_000;
/** The largest amount of a token, and of lamports, is below it; with room for sums. */
const AMOUNT_MAX = 2n ** 127n;

const closed = { additionalProperties: false } as const;
const name = Type.String({ minLength: 1, maxLength: NAME_MAX });
const sentence = Type.String({ minLength: 1, maxLength: SENTENCE_MAX });
/** What is in them is checked with the bytes that they stand for. */
const address = Type.String({ maxLength: NAME_MAX });
const signature = Type.String({ maxLength: 100 });
const slot = Type.Integer({ minimum: 0, maximum: SLOT_MAX });
const share = Type.Number({ minimum: 0, maximum: 1 });
const amount = Type.BigInt({ minimum: -AMOUNT_MAX, maximum: AMOUNT_MAX });
const usd = Type.Union([amount, Type.Null()]);
const wallets = Type.Array(address, { maxItems: LIST_MAX });
const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));

const payload = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('transaction'),
      signatures: Type.Array(signature, { maxItems: LIST_MAX }),
      slot,
      wallets,
      lamports: amount,
      usd,
      isBundled: Type.Boolean(),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('wallet_relation'),
      sourceWallet: address,
      relatedWallets: wallets,
      relationship: oneOf([
        ...['direct_funding', 'indirect_funding', 'same_entity'],
        ...['coordinated_trading', 'common_program'],
      ]),
      strength: share,
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('supply_distribution'),
      topHolders: Type.Array(
        Type.Object(
          { wallet: address, share: Type.Number(), isSuspicious: Type.Boolean() },
          closed,
        ),
        { maxItems: 20 },
      ),
      suspiciousShare: Type.Number(),
      gini: share,
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('timing'),
      timesMs: Type.Array(Type.Number(), { maxItems: LIST_MAX }),
      slots: Type.Array(slot, { maxItems: LIST_MAX }),
      pattern: oneOf([
        ...['launch_block', 'burst', 'synchronized_exit', 'sell_then_bundle', 'periodic'],
        ...['sell_drop_rebuy', 'drain', 'spike_revert'],
      ]),
    },
    closed,
  ),
]);

const evidence = Type.Object(
  {
    type: oneOf([
      ...['bundled_transaction', 'common_funding', 'similar_patterns', 'supply_concentration'],
      ...['suspicious_timing', 'circular_flow', 'same_block_trades', 'wallet_cluster'],
      ...['price_manipulation', 'volume_manipulation'],
    ]),
    description: sentence,
    weight: share,
    payload,
  },
  closed,
);

const wallet = Type.Object(
  {
    address,
    role: oneOf(WALLET_ROLES),
    tokensAcquiredRaw: amount,
    spentLamports: amount,
    receivedLamports: amount,
    firstSeenSlot: slot,
    labels: Type.Array(name, { maxItems: ITEMS_MAX }),
  },
  closed,
);

const feature = Type.Object(
  {
    name,
    measured: Type.Union([Type.Number(), Type.Null()]),
    ramp: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()]),
    value: share,
    weight: Type.Number(),
  },
  closed,
);

const JUDGEMENTS = Type.Array(
  Type.Object(
    {
      bias: Type.Number(),
      features: Type.Array(feature, { maxItems: ITEMS_MAX }),
      rawScore: share,
      confidence: share,
      evidence: Type.Array(evidence, { minItems: 1, maxItems: ITEMS_MAX }),
      wallets: Type.Array(wallet, { minItems: 1, maxItems: LIST_MAX }),
      valueAtRiskUsd: usd,
      clusterRoot: address,
      patternStartSlot: slot,
    },
    closed,
  ),
  { maxItems: JUDGEMENTS_MAX },
);

const shapeOf = madeOnce(() => Compile(JUDGEMENTS));

/** Judgements of a detector, or one sentence on what is wrong with them. */
export type CheckedJudgements =
  | { readonly kind: 'judgements'; readonly judgements: readonly Judgement[] }
  | { readonly kind: 'refused'; readonly problem: string };

/**
 * Checks judgements that are written as JSON with `{"bigint": "…"}`: their shape, their bounds, and
 * that none is about the time after `slot`. The strongest comes first.
 */
export function checkJudgements(text: string, slot: Slot): CheckedJudgements {
  const value = parseBigintJson(text);
  const shape = shapeOf();
  if (!shape.Check(value)) {
    const [first] = shape.Errors(value);
    const path = first?.instancePath.replaceAll('/', '.').replace(/^\./, '') ?? '';
    const problem = `Its judgements are of another shape: ${path === '' ? 'they' : path} ${first?.message ?? 'are wrong'}.`;
    return { kind: 'refused', problem };
  }
  // The shape is checked, and the units are what their fields say.
  const judgements = value as unknown as readonly Judgement[];
  if (judgements.some(({ patternStartSlot }) => patternStartSlot > slot)) {
    return { kind: 'refused', problem: 'It judges a pattern that begins after the case.' };
  }
  const wrong = judgements.flatMap(wrongTexts)[0];
  if (wrong !== undefined) {
    return { kind: 'refused', problem: `It names "${wrong}", which is no address or signature.` };
  }
  return {
    kind: 'judgements',
    judgements: judgements.toSorted((one, other) => other.confidence - one.confidence),
  };
}

/** Addresses and signatures of a judgement that are none. */
function wrongTexts({ clusterRoot, wallets, evidence }: Judgement): readonly string[] {
  const addresses: string[] = [clusterRoot, ...wallets.map((one) => one.address)];
  const signatures: string[] = [];
  for (const { payload } of evidence) {
    if (payload.kind === 'transaction') {
      addresses.push(...payload.wallets);
      signatures.push(...payload.signatures);
    } else if (payload.kind === 'wallet_relation') {
      addresses.push(payload.sourceWallet, ...payload.relatedWallets);
    } else if (payload.kind === 'supply_distribution') {
      addresses.push(...payload.topHolders.map((holder) => holder.wallet));
    }
  }
  return [
    ...addresses.filter((text) => !isAddress(text)),
    ...signatures.filter((text) => !isSignature(text)),
  ];
}
