import { Type } from 'typebox';
import {
  type FoundSignal,
  type RuleSignalDetail,
  type RuleSignalListing,
  toRuleListing,
} from '../../model/signal-listing.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import {
  presentSignalDetail,
  SIGNAL_EXAMPLE,
  SignalBody,
  SignalFigures,
  SignalReasons,
} from './present-signal.ts';
import type { TokenImages } from './signal-image.ts';
import { RuleSignal } from './signals-body.ts';
import { wireRecord, withDescription } from './wire-record.ts';

interface ListedRuleDetail extends RuleSignalListing, RuleSignalDetail {}

/** A signal of a rule with the reasons for it. */
const RuleSignalRecord = wireRecord<ListedRuleDetail, TokenImages>()({
  ...RuleSignal.fields,
  ...SignalReasons.fields,
});

const { model_name, created_at } = SignalBody.schema.properties;
const { version, rule_id, author } = RuleSignal.schema.properties;

/** A signal with the reasons for it: of a model or of a rule. */
export const SignalDetailBody = Type.Object(
  {
    ...SignalFigures.schema.properties,
    version: withDescription(version, 'Version of the model or of the rule.'),
    model_name: Type.Optional(
      withDescription(model_name, 'The model that issued the signal; absent for a rule.'),
    ),
    rule_id: Type.Optional(
      withDescription(
        rule_id,
        '`name@version+hash` of the rule that issued the signal; absent for a model.',
      ),
    ),
    author: Type.Optional(
      withDescription(
        author,
        'Of the rule: the account of this key, or the operator. Absent for a model.',
      ),
    ),
    created_at,
    ...SignalReasons.schema.properties,
  },
  {
    description: 'The signal.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        ...SIGNAL_EXAMPLE,
        slot: EXAMPLE.slot,
        as_of_slot: EXAMPLE.slot - 1,
        price_usd: '0.01',
        total_supply: '10000000.000000',
        age_seconds: '3600',
        parameters_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        features: { organic_share_5m: '0.75', return_5m: null },
        passed_conditions: [
          { feature: 'organic_share_5m', value: '0.75', least: '0.5', most: null },
        ],
        outcome: {
          slot: EXAMPLE.slot + 500,
          is_final: false,
          ath_price_usd: '0.015',
          lowest_price_usd: '0.009',
          peak_drawdown_percentage: '10.0000',
        },
        execution: {
          entered_at: EXAMPLE.instant,
          rose_50_before_fell_30: true,
          returns: [
            {
              exit_rule: 'hold_5m',
              tickets: [{ ticket_usd: 200, return_percentage: '12.3456' }],
            },
            { exit_rule: 'hold_1h', tickets: null },
          ],
        },
      },
    ],
  },
);

export function presentFoundSignal(found: FoundSignal, images: TokenImages) {
  if (!('rule' in found)) return presentSignalDetail(found, images);
  const listing = toRuleListing(found.signal, found.outcome);
  if (listing === null) throw new TypeError('The signal is not of a rule.');
  return RuleSignalRecord.present({ ...listing, ...found }, images);
}
