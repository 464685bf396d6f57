import { Type } from 'typebox';
import { RULE_AUTHORS } from '../../model/rule-change.ts';
import { ruleIdOf } from '../../model/rule-hit.ts';
import type { RuleSignalListing } from '../../model/signal-listing.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { SIGNAL_EXAMPLE, SignalBody, SignalFigures } from './present-signal.ts';
import { AUTHOR_OF_RULE, authorOf } from './rule-author.ts';
import type { TokenImages } from './signal-image.ts';
import { RANGE_EXAMPLE, rangeFields } from './signal-range-echo.ts';
import { instant, integer, text, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** A signal of a rule: the keys of a signal, with the rule in the place of the model. */
export const RuleSignal = wireRecord<RuleSignalListing, TokenImages>()({
  ...SignalFigures.fields,
  version: [integer, 'version', 'Version of the rule.'],
  rule_id: [text, ({ rule }) => ruleIdOf(rule), '`name@version+hash` of the rule.'],
  author: [word(RULE_AUTHORS), ({ rule }) => authorOf(rule), AUTHOR_OF_RULE],
  created_at: [instant, 'createdAtMs'],
});

export const presentRuleSignal = RuleSignal.present;

export const SignalsBody = Type.Object(
  {
    ...rangeFields,
    count: Type.Integer({
      description: 'Number of signals in this response, those of rules included.',
    }),
    signals: Type.Array(SignalBody.schema, { description: 'Newest first.' }),
    rule_signals: Type.Optional(
      Type.Array(RuleSignal.schema, {
        description: 'Newest first; only if author names authors of rules.',
      }),
    ),
  },
  {
    description: 'Signals in the requested range.',
    headers: FRESHNESS_HEADERS,
    examples: [{ ...RANGE_EXAMPLE, count: 1, signals: [SIGNAL_EXAMPLE] }],
  },
);
