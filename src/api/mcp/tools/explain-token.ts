/** What a token is: supply, authorities, market, holders and findings in one answer. */
import type { Static } from 'typebox';
import { FraudCheckBody } from '../../present/present-classification.ts';
import { HitPageBody } from '../../present/present-rule.ts';
import { TokenBody } from '../../present/token-body.ts';
import { TokenListBody } from '../../present/token-list-body.ts';
import { pathOf } from '../answer/answer-reader.ts';
import { ToolRefusal } from '../answer/api-answer.ts';
import { untrusted } from '../answer/untrusted-text.ts';
import { DETAIL } from '../answer/write-answer.ts';
import { TokenArgument } from './argument-schemas.ts';
import { ruleHitFacts } from './rule-results.ts';
import { defineTool } from './tool.ts';

type Row = Static<typeof TokenListBody>['items'][number];

/** Tokens that lists leave out by default. */
const ALL_TOKENS = 'base_assets,lp_mints,nameless';

export const explainToken = defineTool({
  name: 'explain_token',
  title: 'Explain a token',
  description:
    'What a token is: age, creator, supply, mint and freeze authority, price, liquidity, trading of ' +
    'people and bots, holders, fraud findings, hits of rules of the account and the operator. ' +
    'Start here for a mint address. Then check_fraud for ' +
    'evidence, token_holders for who holds it, token_posts for what is said about it.',
  arguments: { token_address: TokenArgument },
  async find({ token_address: mint }, reader, { detail }) {
    const path = `/v1/token/${mint}`;
    const fraudPath = '/v1/fraud/check';
    const row = { search: mint, limit: 1, include: ALL_TOKENS };
    const hitPath = `${path}/rule-hits`;
    const hitQuery = { limit: DETAIL[detail].entriesMax };
    const [found, fraud, listed, ofRules] = await Promise.all([
      reader.find(path, TokenBody.schema),
      reader.find(fraudPath, FraudCheckBody, { token_address: mint }),
      reader.read('/v1/tokens', TokenListBody, row),
      reader.find(hitPath, HitPageBody.schema, hitQuery),
    ]);
    if (found === null) throw new ToolRefusal('This token is not known to the service.');
    const { token, metadata, liquidity_event: liquidity, social_links: links } = found;
    const market = listed.items.find((item) => item.token_address === mint) ?? null;
    const findings = fraud?.classifications ?? [];
    return {
      summary: `${mint} was created at ${token.created_at ?? 'an unknown time'}. ${marketText(market)} ${findingsText(findings.length, fraud?.risk_score ?? null)}`,
      facts: {
        created_at: token.created_at,
        creator_address: token.creator_address,
        total_supply: token.total_supply,
        mint_authority_address: token.mint_authority_address,
        freeze_authority_address: token.freeze_authority_address,
        is_metadata_mutable: metadata.is_mutable,
        first_liquidity: liquidity && {
          pair_address: liquidity.pair_address,
          value_usd: liquidity.initial_liquidity_value_usd,
          at: liquidity.block_time_at,
        },
        market: market && marketFacts(market),
        risk_score: fraud?.risk_score ?? null,
        ...untrusted({
          name: token.name,
          symbol: token.symbol,
          description: metadata.uri_metadata?.description,
        }),
      },
      lists: {
        findings: findings.map((one) => ({
          id: one.id,
          fraud_type: one.fraud_type,
          confidence_score: one.confidence_score,
          status: one.status,
        })),
        rule_hits: (ofRules?.hits ?? []).map(ruleHitFacts),
        social_links: links.map(({ platform, url, status_code }) => ({
          platform,
          status_code,
          ...untrusted({ url }),
        })),
      },
      links: {
        api: [
          path,
          pathOf(fraudPath, { token_address: mint }),
          pathOf('/v1/tokens', row),
          pathOf(hitPath, hitQuery),
        ],
        page: `/token/${mint}`,
      },
    };
  },
});

function marketText(row: Row | null): string {
  if (row === null || row.price_usd === null) return 'No price is known.';
  const hour = row.windows?.['1h'];
  const traded =
    hour === undefined
      ? 'trades of the last hour are not known.'
      : `${hour.trades} trades in the last hour for $${hour.volume_usd ?? 'unknown'}, of which $${hour.organic_volume_usd ?? 'unknown'} by people.`;
  return `Price $${row.price_usd}, market cap $${row.marketcap_usd ?? 'unknown'}, liquidity $${row.liquidity_usd ?? 'unknown'}; ${traded}`;
}

function findingsText(count: number, riskScore: number | null): string {
  if (riskScore === null) return 'Findings are not known.';
  if (count === 0) return 'No fraud pattern was found, which is no proof that there is none.';
  return `${count} fraud pattern${count === 1 ? ' was' : 's were'} found; risk score ${riskScore} of 100.`;
}

function marketFacts(row: Row) {
  return {
    pair_address: row.pair_address,
    venue: row.venue,
    price_usd: row.price_usd,
    marketcap_usd: row.marketcap_usd,
    liquidity_usd: row.liquidity_usd,
    holders: row.raw_holders,
    smart_holders: row.smart_holders,
    organic_to_total_wallets_ratio: row.organic_to_total_wallets_ratio,
    last_hour: row.windows && { ...row.windows['1h'] },
    last_24_hours: row.windows && { ...row.windows['24h'] },
  };
}
