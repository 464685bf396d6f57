import { levelOf } from '../../model/finding-page.ts';
import type { FraudType } from '../../model/fraud.ts';
import type { ClassificationDetail } from '../../model/fraud-review.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { asLamports } from '../../model/units.ts';
import { formatInstant, formatSol, formatUsd } from './format-wire.ts';
import type { ReportTransaction } from './report-transactions.ts';

/** Who fills a field: read from the chain, concluded by the detector, or known to nobody but the reporting person. */
export const FIELD_ORIGINS = ['chain', 'analysis', 'operator'] as const;

/** A field of the template; the value of the operator's fields is null. */
export interface ReportField {
  readonly name: string;
  readonly origin: (typeof FIELD_ORIGINS)[number];
  readonly value: string | null;
  readonly note: string;
}

export interface ReportSection {
  readonly section: number;
  readonly title: string;
  readonly fields: readonly ReportField[];
}

/** What the fields are filled from. */
export interface ReportFacts {
  readonly detail: ClassificationDetail;
  /** Null for a mint that is not known any more. */
  readonly token: TokenRecord | null;
  readonly transactions: readonly ReportTransaction[];
}

/** The patterns in a sentence, for readers who do not know this program. */
const PATTERNS: Readonly<Record<FraudType, string>> = {
  traditional_bundle: 'Several wallets that belong together bought the token with its launch.',
  late_bundle: 'Several wallets that belong together bought the token after other buyers had come.',
  bundle_and_launder:
    'Wallets close to the launch sold in public and bought back through other wallets.',
  fake_dump: 'A sale was staged that made holders sell, and the tokens were bought back.',
  coordinated_exit: 'Wallets that belong together sold the token together.',
  wash_volume: 'Wallets that belong together traded with each other.',
};

const NO_ORDERS =
  'Trades in pools execute in the transaction that requests them: there is no order book and no ' +
  'resting order. Orders placed with the reporting entity are for the operator to add.';

/** The sections of the template, in its order. */
export function reportSections(facts: ReportFacts): readonly ReportSection[] {
  return [
    {
      section: 1,
      title: 'Identity of the entity or person submitting the report',
      fields: SUBMITTER,
    },
    {
      section: 2,
      title: 'Transactions, orders or other aspects of the functioning of the ledger',
      fields: behaviourFields(facts),
    },
    { section: 3, title: 'Nature of the suspicion', fields: suspicionFields(facts) },
    {
      section: 4,
      title: 'Identity of the entity or person in respect of which the report is submitted',
      fields: suspectFields(facts),
    },
    { section: 5, title: 'Additional information', fields: additionalFields(facts) },
    { section: 6, title: 'Documentation attached', fields: attachedFields(facts) },
  ];
}

const SUBMITTER: readonly ReportField[] = [
  operator('person_name', 'First names and surname of the person in charge of the submission.'),
  operator('person_position', 'Position of that person within the reporting entity.'),
  operator('entity_name', 'Full name with legal form and Legal Entity Identifier (ISO 17442).'),
  operator('entity_address', 'Full address and country.'),
  operator('acting_capacity', 'Capacity in which the entity acted, such as operating a platform.'),
  operator('trading_activity', 'Type of trading activity and of crypto-asset of the entity.'),
  operator('relationship_with_suspect', 'Arrangements or relationships with the suspected person.'),
  operator('contact', 'Contact for further information, if another person.'),
];

function behaviourFields({ detail, token, transactions }: ReportFacts): ReportField[] {
  const { finding } = detail.classification;
  return [
    chain('crypto_asset_name', nameOf(token), 'Name and symbol as its creator chose them.'),
    chain('crypto_asset_address', finding.mint, 'Mint address on the Solana ledger.'),
    operator('crypto_asset_identifier', 'Digital Token Identifier (ISO 24165), if there is one.'),
    chain('place', finding.pool, 'Address of the pool; null if none was known.'),
    operator('platform', 'Trading platform of the reporting entity, with its MIC, if involved.'),
    operator('location', 'Country in which the orders were given.'),
    chain(
      'period_slots',
      slotsOf(slotsKnown(transactions), finding.patternStartSlot),
      'First and last slot.',
    ),
    chain('period_times', timesOf(detail), 'UTC, as far as the evidence names times.'),
    chain('transactions', transactionText(transactions), 'Each is listed in `transactions`.'),
    chain('amounts', amountsOf(detail), 'SOL and tokens by wallet are in `wallets`.'),
    operator('orders', NO_ORDERS),
  ];
}

function suspicionFields({ detail }: ReportFacts): ReportField[] {
  const { classification } = detail;
  const { finding } = classification;
  return [
    operator(
      'legal_qualification',
      'Which prohibition the facts may infringe (Articles 89 to 91).',
    ),
    analysis(
      'pattern',
      `${finding.fraudType}: ${PATTERNS[finding.fraudType]}`,
      'Not a legal term.',
    ),
    analysis(
      'reasons',
      finding.evidence.map(({ description }) => `- ${description}`).join('\n'),
      'The sentences of the evidence, strongest as weighed in the finding.',
    ),
    analysis(
      'confidence',
      `${finding.confidence.toFixed(4)} (${levelOf(finding.confidence)})`,
      'Calibrated share of such findings that were right on simulated markets, not a probability of guilt.',
    ),
    operator('human_analysis', 'Article 5 requires an appropriate level of human analysis.'),
  ];
}

function suspectFields({ detail }: ReportFacts): ReportField[] {
  const { wallets } = detail.classification.finding;
  const creators = wallets.filter(({ labels }) => labels.includes('creator'));
  return [
    operator('name', 'Names or legal name. Addresses do not name their owners.'),
    operator('date_of_birth', 'Natural persons.'),
    operator('identification_number', 'National or registration number.'),
    operator('address', 'Full address and country.'),
    operator('employment', 'Employment, where relevant.'),
    operator('client_accounts', 'Accounts and client identifiers with the reporting entity.'),
    chain(
      'wallet_addresses',
      wallets.map(({ address, role }) => `${address} (${role})`).join('\n'),
      'Wallets of the finding with their roles.',
    ),
    chain(
      'relationship_with_issuer',
      creators.length === 0
        ? null
        : `Created the token: ${creators.map((one) => one.address).join(', ')}`,
      'Wallets of the finding that created the token; null if none of them did.',
    ),
  ];
}

function additionalFields({ detail }: ReportFacts): ReportField[] {
  const { finding } = detail.classification;
  return [
    analysis(
      'value_at_risk_usd',
      formatUsd(finding.valueAtRiskUsd),
      'Null when a price is unknown.',
    ),
    analysis('review', detail.status, 'Status of the finding after its reviews.'),
    operator('background', 'Anything else that matters for the assessment.'),
  ];
}

function attachedFields({ detail }: ReportFacts): ReportField[] {
  const path = `/v1/fraud/classifications/${detail.classification.id}`;
  return [
    analysis('finding', path, 'The finding with every feature; keep the answer as a file.'),
    analysis('graph', `${path}/graph`, 'The transactions behind it; keep the answer as a file.'),
    operator('further_documents', 'Communications, account records and others.'),
  ];
}

function nameOf(token: TokenRecord | null): string | null {
  const names = [token?.name, token?.symbol].flatMap((text) => text ?? []);
  return names.length === 0 ? null : names.join(' / ');
}

function slotsKnown(transactions: readonly ReportTransaction[]): readonly number[] {
  return transactions.flatMap(({ slot }) => slot ?? []);
}

function slotsOf(slots: readonly number[], startSlot: number): string {
  const first = slots.reduce((least, slot) => Math.min(least, slot), startSlot);
  const last = slots.reduce((most, slot) => Math.max(most, slot), startSlot);
  return `${first} to ${last}`;
}

function timesOf({ classification }: ClassificationDetail): string | null {
  const times = classification.finding.evidence.flatMap(({ payload }) =>
    payload.kind === 'timing' ? payload.timesMs : [],
  );
  if (times.length === 0) return null;
  const first = times.reduce((least, timeMs) => Math.min(least, timeMs));
  const last = times.reduce((most, timeMs) => Math.max(most, timeMs));
  return `${formatInstant(first)} to ${formatInstant(last)}`;
}

function transactionText(transactions: readonly ReportTransaction[]): string {
  const wallets = new Set(transactions.flatMap((one) => one.wallets)).size;
  return `${transactions.length} transactions, ${wallets} addresses`;
}

function amountsOf({ classification }: ClassificationDetail): string {
  const { wallets } = classification.finding;
  const spent = wallets.reduce((sum, { spentLamports }) => sum + spentLamports, 0n);
  const received = wallets.reduce((sum, { receivedLamports }) => sum + receivedLamports, 0n);
  return `${solText(spent)} SOL spent on and ${solText(received)} SOL received for the token by its wallets`;
}

function solText(lamports: bigint): string {
  return formatSol(asLamports(lamports));
}

function operator(name: string, note: string): ReportField {
  return { name, origin: 'operator', value: null, note };
}

function chain(name: string, value: string | null, note: string): ReportField {
  return { name, origin: 'chain', value, note };
}

function analysis(name: string, value: string | null, note: string): ReportField {
  return { name, origin: 'analysis', value, note };
}
