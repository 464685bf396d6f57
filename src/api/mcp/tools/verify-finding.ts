/** Checks one finding: its arithmetic, and its trades against stored trades. */
import type { Static } from 'typebox';
import { CoverageBody } from '../../present/coverage-body.ts';
import { FindingGraphBody } from '../../present/finding-graph-body.ts';
import { ClassificationDetailBody } from '../../present/present-classification.ts';
import { TradesBody } from '../../present/trade-body.ts';
import type { AnswerReader } from '../answer/answer-reader.ts';
import type { Detail } from '../answer/write-answer.ts';
import { FindingArgument } from './argument-schemas.ts';
import { defineTool } from './tool.ts';

type Finding = Static<typeof ClassificationDetailBody>;
type Edge = Static<typeof FindingGraphBody.schema>['edges'][number];
type Simulation = Static<typeof CoverageBody.schema>['simulation'];

/** Wallets whose trades are compared: those with most trades in the finding. Each is a read. */
const WALLETS_COMPARED: Readonly<Record<Detail, number>> = { short: 1, full: 5 };
const TRADES_READ = 200;
/** Rounding errors of a dozen sums and one exponential are far below it. */
const SCORE_ERROR_MAX = 1e-9;

export const verifyFinding = defineTool({
  name: 'verify_finding',
  title: 'Verify a finding',
  description:
    'Is a fraud finding what it claims: computes its score again from the published features, looks ' +
    'for its trades among the stored trades of its wallets, and gives the commands that compute it ' +
    'again from raw blocks without trusting this service.',
  arguments: { finding_id: FindingArgument },
  async find({ finding_id: id }, reader, { detail }) {
    const path = `/v1/fraud/classifications/${id}`;
    const [finding, graph, { simulation }] = await Promise.all([
      reader.read(path, ClassificationDetailBody),
      reader.read(`${path}/graph`, FindingGraphBody.schema),
      reader.read('/v1/coverage', CoverageBody.schema),
    ]);
    const score = scoreCheck(finding);
    const traders = busiestTraders(graph.edges);
    const busiest = traders.slice(0, WALLETS_COMPARED[detail]);
    const trades = await tradeCheck(reader, finding.token_address, busiest);
    return {
      summary: `${id}: ${finding.fraud_type} in ${finding.token_address}, confidence ${finding.confidence_score}, ${finding.status}. Its score ${score.is_same ? 'follows' : 'does NOT follow'} from its features; ${trades.found} of ${trades.compared} of its trades that were compared are among the stored trades. Both checks rest on data of this service; the commands do not.`,
      facts: {
        score,
        trades: { ...trades, wallets_with_trades: traders.length },
        commands: commandsFor(id, simulation),
      },
      lists: {
        features: finding.features
          .toSorted((one, other) => Math.abs(other.contribution) - Math.abs(one.contribution))
          .map((one) => ({
            name: one.name,
            measured: one.measured,
            weight: one.weight,
            contribution: one.contribution,
            confidence_without: one.confidence_without,
          })),
        transactions: [...new Set(graph.edges.flatMap(({ signature }) => signature ?? []))],
      },
      links: { api: [path, `${path}/graph`], page: `/token/${finding.token_address}` },
    };
  },
});

/** The raw score is the logistic function of bias and contributions (METHODS §7.2). */
function scoreCheck({ bias, features, raw_score: published }: Finding) {
  const sum = features.reduce((total, { value, weight }) => total + value * weight, bias);
  const computed = 1 / (1 + Math.exp(-sum));
  const isSame = Math.abs(computed - published) <= SCORE_ERROR_MAX;
  return { raw_score: published, computed_raw_score: computed, is_same: isSame };
}

type TradesOfWallet = readonly [wallet: string, trades: ReadonlySet<string>];

/** Wallets with their trades in the finding, most trades first. */
function busiestTraders(edges: readonly Edge[]): readonly TradesOfWallet[] {
  const byWallet = new Map<string, Set<string>>();
  for (const edge of edges) {
    if (edge.signature === null || (edge.kind !== 'buy' && edge.kind !== 'sell')) continue;
    const trades = byWallet.get(edge.from) ?? new Set();
    byWallet.set(edge.from, trades.add(`${edge.signature} ${edge.kind}`));
  }
  return [...byWallet].toSorted(([, one], [, other]) => other.size - one.size);
}

/** Looks for trades of a finding among those listed for their wallets. */
async function tradeCheck(reader: AnswerReader, mint: string, busiest: readonly TradesOfWallet[]) {
  const counts = await Promise.all(
    busiest.map(async ([wallet, expected]) => {
      const query = { token_address: mint, wallet_address: wallet, limit: TRADES_READ };
      const { trades, next_cursor: next } = await reader.read(
        '/v1/trades',
        TradesBody.schema,
        query,
      );
      const stored = new Set(trades.map(({ signature, side }) => `${signature} ${side}`));
      const found = [...expected].filter((one) => stored.has(one)).length;
      return { compared: expected.size, found, isWhole: next === null };
    }),
  );
  const sumOf = (name: 'compared' | 'found') => counts.reduce((sum, one) => sum + one[name], 0);
  return {
    compared: sumOf('compared'),
    found: sumOf('found'),
    wallets_compared: busiest.length,
    /** Trades that were not read may be the missing ones. */
    are_all_trades_read: counts.every(({ isWhole }) => isWhole),
  };
}

function commandsFor(id: string, simulation: Simulation): readonly string[] {
  const fetched = `curl -s -H "X-API-Key: $KEY" "$URL/v1/fraud/classifications/${id}" > finding.json`;
  return simulation === null
    ? [fetched, 'mintscope verify finding.json blocks/']
    : [fetched, SIMULATED_BLOCKS, 'mintscope verify finding.json blocks/'];
}

/** The seed of a market is text of the operator and is left to the page of the token. */
const SIMULATED_BLOCKS =
  'mintscope simulate --help   # writes the same blocks from seed and start in GET /v1/coverage';
