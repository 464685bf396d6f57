import {
  CHAIN_EDGE_KINDS,
  type FindingGraph,
  RELATION_EDGE_KINDS,
} from '../../model/finding-graph.ts';
import type { ClassificationDetail } from '../../model/fraud-review.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { EVIDENCE_TYPES } from './evidence-body.ts';
import { ClassificationBody } from './present-classification.ts';
import {
  FIELD_ORIGINS,
  type ReportField,
  type ReportSection,
  reportSections,
} from './report-fields.ts';
import { type ReportTransaction, reportTransactions } from './report-transactions.ts';
import { address, flag, integer, list, nullable, plain, text, uuid, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const REGULATION =
  'Commission Delegated Regulation (EU) 2025/885, annex (template for suspicious transactions and orders)';

/** What a reader must know before relying on a report. */
const LIMITS = [
  'This is evidence for a report, not a report: Article 5 requires human analysis, and the fields of the operator are empty.',
  'The fields follow the sections of the template in words of this program. Compare them with the form of the competent authority.',
  'Wallet addresses are not persons. That wallets belong together is inferred from payments and trades, and may be wrong.',
  'Confidence was calibrated on simulated markets with known labels. Docs of the quality report say how often findings of each type were wrong.',
  'Only the ledger was read: no accounts of platforms, no messages, no orders that were never executed.',
  'Records of wallets are kept in full for a week after the last trade of a token. Later, transactions may be missing; the blocks have them.',
  'Name and symbol of the token are texts of its creator.',
] as const;

const SIMULATED = 'The chain of this service is simulated: nothing in this report happened.';

const Field = wireRecord<ReportField>()({
  name: [text, 'name'],
  origin: [
    word(FIELD_ORIGINS),
    'origin',
    'chain: read from the ledger; analysis: concluded by the detector; operator: to be filled by ' +
      'the reporting person.',
  ],
  value: [
    nullable(text),
    'value',
    'Null for every field of the operator, and for what is unknown.',
  ],
  note: [text, 'note', 'What belongs in the field.'],
});

const Section = wireRecord<ReportSection>()({
  section: [integer, 'section', 'Number of the section in the template.'],
  title: [text, 'title'],
  fields: [list(Field), 'fields'],
});

const Transaction = wireRecord<ReportTransaction>()({
  signature: [text, 'signature'],
  slot: [
    nullable(integer),
    'slot',
    'Null for a transaction of the evidence whose record is no longer kept.',
  ],
  roles: [
    list(word([...CHAIN_EDGE_KINDS, ...RELATION_EDGE_KINDS, ...EVIDENCE_TYPES])),
    'roles',
    'What it shows: a payment, transfer or trade, and the types of evidence that name it.',
  ],
  wallets: [list(address), 'wallets', 'Addresses involved, as far as known.'],
});

const Recomputation = wireRecord<ClassificationDetail>()({
  slot: [integer, ({ classification }) => classification.slot, 'Slot as of which it is the same.'],
  calibration_version: [integer, ({ classification }) => classification.calibrationVersion],
  commands: [
    list(text),
    ({ classification: { id } }) => [
      `curl -s -H "X-API-Key: $KEY" "$SERVICE/v1/fraud/classifications/${id}" > finding.json`,
      'mintscope verify finding.json blocks/',
    ],
    'Shell commands that compute the finding again from raw blocks and compare every item. ' +
      '`blocks/` contains answers of getBlock up to the slot, from before the launch of the token.',
  ],
});

export interface FindingReport {
  readonly detail: ClassificationDetail;
  readonly graph: FindingGraph;
  /** Null for a mint that is not known any more. */
  readonly token: TokenRecord | null;
  readonly isSimulated: boolean;
}

interface FilledReport extends FindingReport {
  readonly transactions: readonly ReportTransaction[];
  readonly sections: readonly ReportSection[];
}

const Report = wireRecord<FilledReport>()(
  {
    classification_id: [uuid, ({ detail }) => detail.classification.id],
    template: [text, () => REGULATION, 'The template whose sections the report follows.'],
    is_simulated: [flag, 'isSimulated', 'Whether the chain is a simulation.'],
    sections: [list(Section), 'sections', 'In the order of the template.'],
    operator_fields: [
      list(text),
      ({ sections }) =>
        sections.flatMap(({ section, fields }) =>
          fields.flatMap(({ name, origin }) =>
            origin === 'operator' ? [`${section}.${name}`] : [],
          ),
        ),
      'Fields that the reporting person has to fill, as section.name.',
    ],
    transactions: [
      list(Transaction),
      'transactions',
      'In block order, then those of which only the signature is known.',
    ],
    wallets: [
      plain(ClassificationBody.schema.properties.involved_wallets),
      ({ detail }) => ClassificationBody.present(detail).involved_wallets,
      'Wallets involved: attackers first, then by role.',
    ],
    recomputation: [Recomputation, 'detail'],
    limits: [
      list(text),
      ({ isSimulated }) => (isSimulated ? [SIMULATED, ...LIMITS] : [...LIMITS]),
      'What the report does not show.',
    ],
  },
  {
    title: 'FindingReport',
    description: 'The evidence of the classification by the sections of the template.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        classification_id: EXAMPLE.uuid,
        template: REGULATION,
        is_simulated: false,
        sections: [
          {
            section: 2,
            title: 'Transactions, orders or other aspects of the functioning of the ledger',
            fields: [
              {
                name: 'crypto_asset_address',
                origin: 'chain',
                value: EXAMPLE.mint,
                note: 'Mint address on the Solana ledger.',
              },
            ],
          },
        ],
        operator_fields: ['1.person_name'],
        transactions: [
          {
            signature: EXAMPLE.signature,
            slot: EXAMPLE.slot,
            roles: ['buy', 'bundled_transaction'],
            wallets: [EXAMPLE.wallet, EXAMPLE.pool],
          },
        ],
        wallets: [],
        recomputation: {
          slot: EXAMPLE.slot,
          calibration_version: 1,
          commands: ['mintscope verify finding.json blocks/'],
        },
        limits: [LIMITS[0]],
      },
    ],
  },
);

export const FindingReportBody = Report.schema;

/** Orders a finding and its transactions by the sections of the template. */
export function presentReport(report: FindingReport) {
  const { detail, graph, token } = report;
  const transactions = reportTransactions(detail.classification.finding, graph);
  const sections = reportSections({ detail, token, transactions });
  return Report.present({ ...report, transactions, sections });
}
