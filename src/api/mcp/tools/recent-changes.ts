/** What happened lately: launches, findings, signals, and the tokens traded most. */
import { FindingListBody } from '../../present/finding-list-body.ts';
import { formatInstant } from '../../present/format-wire.ts';
import { SignalsBody } from '../../present/signals-body.ts';
import { TokenListBody } from '../../present/token-list-body.ts';
import { Defaulted, IntegerParameter } from '../../schemas/parameters.ts';
import { pathOf } from '../answer/answer-reader.ts';
import { untrusted } from '../answer/untrusted-text.ts';
import { DETAIL } from '../answer/write-answer.ts';
import { OF_RULES, ruleHitFacts, ruleSignalFacts } from './rule-results.ts';
import { defineTool } from './tool.ts';

const MINUTE_MS = 60_000;
const MINUTES_MAX = 1_440;

export const recentChanges = defineTool({
  name: 'recent_changes',
  title: 'What changed lately',
  description:
    'What changed in the last hour, or another span of up to a day: fraud findings, signals, ' +
    'results of rules of the account and the operator, new tokens, and the tokens that people ' +
    'traded most in the last hour. Takes no token: for one, use explain_token.',
  arguments: {
    minutes: Defaulted(
      IntegerParameter({
        minimum: 1,
        maximum: MINUTES_MAX,
        default: 60,
        description: 'Length of the span that ends with the newest data, in minutes.',
      }),
    ),
  },
  async find({ minutes }, reader, { detail, nowMs }) {
    const limit = DETAIL[detail].entriesMax;
    const launched = { order_by: 'newest', limit };
    const { items: newest } = await reader.read('/v1/tokens', TokenListBody, launched);
    const from = formatInstant(reader.dataTimeMs(nowMs) - minutes * MINUTE_MS);
    const found = { from, order_by: 'confidence', limit };
    const given = { from_date: from, limit };
    const traded = { order_by: 'organic_volume_1h_usd', limit };
    const [foundByRules, givenByRules] = [
      { ...found, ...OF_RULES },
      { ...given, ...OF_RULES },
    ];
    const [findings, signals, busiest, hits, ruleSignals] = await Promise.all([
      reader.read('/v1/fraud/classifications', FindingListBody.schema, found),
      reader.read('/v1/signals', SignalsBody, given),
      reader.read('/v1/tokens', TokenListBody, traded),
      reader.read('/v1/fraud/classifications', FindingListBody.schema, foundByRules),
      reader.read('/v1/signals', SignalsBody, givenByRules),
    ]);
    const launches = newest.filter(({ created_at }) => created_at !== null && created_at >= from);
    return {
      summary: `Since ${from} (${minutes} minutes): ${countText(findings.classifications.length, limit)} fraud findings, ${countText(signals.signals.length, limit)} signals, ${countText(launches.length, limit)} new tokens.`,
      facts: { from, minutes },
      lists: {
        findings: findings.classifications.map((one) => ({
          id: one.id,
          fraud_type: one.fraud_type,
          confidence_score: one.confidence_score,
          token_address: one.token_address,
          at: one.created_at,
        })),
        signals: signals.signals.map((one) => ({
          model_name: one.model_name,
          token_address: one.token_address,
          market_cap_usd: one.signal_market_cap,
          at: one.created_at,
        })),
        rule_hits: (hits.rule_hits ?? []).map(ruleHitFacts),
        rule_signals: (ruleSignals.rule_signals ?? []).map(ruleSignalFacts),
        new_tokens: launches.map((one) => ({
          token_address: one.token_address,
          at: one.created_at,
          launchpad: one.launchpad,
          marketcap_usd: one.marketcap_usd,
          ...untrusted({ symbol: one.symbol }),
        })),
        most_traded_by_people_in_last_hour: busiest.items.map((one) => ({
          token_address: one.token_address,
          organic_volume_usd: one.windows?.['1h'].organic_volume_usd ?? null,
          price_change: one.windows?.['1h'].price_change ?? null,
          ...untrusted({ symbol: one.symbol }),
        })),
      },
      links: {
        api: [
          pathOf('/v1/fraud/classifications', found),
          pathOf('/v1/signals', given),
          pathOf('/v1/fraud/classifications', foundByRules),
          pathOf('/v1/signals', givenByRules),
          pathOf('/v1/tokens', launched),
          pathOf('/v1/tokens', traded),
        ],
        page: '/market',
      },
    };
  },
});

function countText(count: number, most: number): string {
  return count < most ? String(count) : `at least ${count}`;
}
