import type {
  Classification,
  Evidence,
  EvidencePayload,
  Finding,
  InvolvedWallet,
  ScoredFeature,
} from '../../model/fraud.ts';
import type { Address, Lamports, RawAmount, Signature, UsdNano } from '../../model/units.ts';
import {
  decodeText,
  encodeText,
  float,
  integer,
  interned,
  list,
  nullable,
  plain,
  record,
  text,
  unionByKind,
} from './codec.ts';

/** Positional layout, with the naming and change rules of facts-codec.ts. */
const FORMAT = 'classification/1';

const address = interned<Address>();
const lamports = integer<Lamports>();
const maybeUsd = nullable(integer<UsdNano>());

type PayloadOf<Kind extends EvidencePayload['kind']> = Omit<
  Extract<EvidencePayload, { readonly kind: Kind }>,
  'kind'
>;

const payload = unionByKind<EvidencePayload>({
  transaction: record<PayloadOf<'transaction'>>({
    signatures: list(interned<Signature>()),
    slot: plain(),
    wallets: list(address),
    lamports,
    usd: maybeUsd,
    isBundled: plain(),
  }),
  wallet_relation: record<PayloadOf<'wallet_relation'>>({
    sourceWallet: address,
    relatedWallets: list(address),
    relationship: plain(),
    strength: float,
  }),
  supply_distribution: record<PayloadOf<'supply_distribution'>>({
    topHolders: list(
      record<PayloadOf<'supply_distribution'>['topHolders'][number]>({
        wallet: address,
        share: float,
        isSuspicious: plain(),
      }),
    ),
    suspiciousShare: float,
    gini: float,
  }),
  timing: record<PayloadOf<'timing'>>({ timesMs: plain(), slots: plain(), pattern: plain() }),
});

const evidence = record<Evidence>({
  type: plain(),
  description: text,
  weight: float,
  payload,
});

const wallet = record<InvolvedWallet>({
  address,
  role: plain(),
  tokensAcquiredRaw: integer<RawAmount>(),
  spentLamports: lamports,
  receivedLamports: lamports,
  firstSeenSlot: plain(),
  labels: list(interned()),
});

const feature = record<ScoredFeature>({
  name: text,
  measured: nullable(float),
  ramp: plain(),
  value: float,
  weight: float,
});

const finding = record<Finding>({
  fraudType: plain(),
  mint: address,
  pool: nullable(address),
  bias: float,
  features: list(feature),
  rawScore: float,
  confidence: float,
  evidence: list(evidence),
  wallets: list(wallet),
  valueAtRiskUsd: maybeUsd,
  clusterRoot: address,
  patternStartSlot: plain(),
});

const classification = record<Classification>({
  id: text,
  finding,
  decimals: plain(),
  state: plain(),
  detectionSlot: plain(),
  slot: plain(),
  updatedMs: plain(),
  createdMs: plain(),
  collectedMs: plain(),
  calibrationVersion: plain(),
});

export function encodeClassification(value: Classification): string {
  return encodeText(FORMAT, classification, value);
}

/** Reads what encodeClassification wrote. Throws StoreError for any other text. */
export function decodeClassification(stored: string): Classification {
  return decodeText(FORMAT, classification, stored);
}
