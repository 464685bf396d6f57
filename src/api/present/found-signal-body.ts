import { Type } from 'typebox';
import {
  type RuleSignalDetail,
  type RuleSignalListing,
  type SignalDetail,
  toRuleListing,
} from '../../model/signal-listing.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import {
  DETAIL_EXAMPLE,
  MomentFigures,
  NamedFigures,
  OutcomeFigures,
  presentFeatures,
  presentSignalDetail,
  SIGNAL_EXAMPLE,
  SignalDetailBody,
} from './present-signal.ts';
import type { TokenImages } from './signal-image.ts';
import { RuleSignal } from './signals-body.ts';
import { text } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

interface ListedRuleDetail extends RuleSignalListing, RuleSignalDetail {}

/** A signal of a rule: the keys of its row in lists, and of the details of a signal those it has. */
const RuleSignalRecord = wireRecord<ListedRuleDetail, TokenImages>()(
  {
    ...RuleSignal.fields,
    ...MomentFigures.fields,
    hash: [
      text,
      ({ rule }) => rule.hash,
      'SHA-256 of the content of the rule, whatever its layout.',
    ],
    features: [
      NamedFigures,
      ({ signal }) => presentFeatures(signal),
      'The features that the rule names as evidence; null also for one that is no number.',
    ],
    ...OutcomeFigures.fields,
  },
  { title: 'RuleSignalDetail', description: 'A signal of a rule.' },
);

const { model_name: _, ...FIGURES } = SIGNAL_EXAMPLE;
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** A signal of a model or of a rule, with the reasons for it. */
export const FoundSignalBody = {
  ...Type.Union([SignalDetailBody, RuleSignalRecord.schema]),
  description: 'The signal: of a model, or, with rule_id and author, of a rule.',
  headers: FRESHNESS_HEADERS,
  examples: [
    {
      ...SIGNAL_EXAMPLE,
      ...DETAIL_EXAMPLE,
      parameters_hash: HASH,
      features: { organic_share_5m: '0.75', return_5m: null },
      passed_conditions: [
        { feature: 'organic_share_5m', value: '0.75', least: '0.5', most: null },
      ],
    },
    {
      ...{ ...FIGURES, row_id: EXAMPLE.signalRow + 1 },
      ...{ rule_id: `quiet-accumulation@1+${HASH.slice(0, 16)}`, author: 'account' as const },
      ...DETAIL_EXAMPLE,
      hash: HASH,
      features: { 'window.organic_buyers_5m': '14' },
    },
  ],
};

export function presentFoundSignal(
  found: SignalDetail | RuleSignalDetail,
  images: TokenImages,
) {
  if (!('rule' in found)) return presentSignalDetail(found, images);
  const listing = toRuleListing(found.signal, found.outcome);
  if (listing === null) throw new TypeError('The signal is not of a rule.');
  return RuleSignalRecord.present({ ...listing, ...found }, images);
}
