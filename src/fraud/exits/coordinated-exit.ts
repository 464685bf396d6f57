import type { Judgement } from '../../model/fraud.ts';
import { asLamports, asUsdNano, type UsdNano } from '../../model/units.ts';
import { byStrength, toJudgement } from '../evidence/judgement.ts';
import { shareOf } from '../readings/shares.ts';
import { holdingsAtRiskUsd, lamportsToUsd } from '../readings/value-at-risk.ts';
import { type Measures, rule, type Score, type ScoringTable, scoreCase } from '../scoring/score.ts';
import { detectorOf } from '../scoring/scoring-card.ts';
import { exitSurprise, findFunnels, liquidityRemoved } from './exit-measures.ts';
import { assignExitRoles, exitTexts } from './exit-texts.ts';
import {
  type CrewExit,
  EXIT_GATES,
  type ExitContext,
  type ExitFeature,
  findExits,
  toContext,
} from './exit-window.ts';

/** METHODS §7.7. */
export const COORDINATED_EXIT_TABLE: ScoringTable<ExitFeature> = {
  fraudType: 'coordinated_exit',
  bias: -4.6,
  rules: {
    exit: rule(
      1.5,
      [0.6, 0.95],
      'The closer to their whole holdings, the less it was profit taking.',
    ),
    supply: rule(1.4, [0.05, 0.3], 'A group with a third of the supply controls the price.'),
    sync: rule(
      1.5,
      [2, 6],
      'As −log10 of the probability at the rate of holders of similar size: in a panic all ' +
        'sell, in a coordinated exit only the group.',
    ),
    drain: rule(
      1.4,
      [0.2, 0.7],
      "The share of the pool's quote that was taken is the loss of others.",
    ),
    fall: rule(
      0.8,
      [0.4, 0.9],
      'Young tokens sometimes fall by 40 %; a fall of 90 % follows an exit.',
    ),
    liquidity: rule(
      1.4,
      [0.5, 0.5],
      'After half of the liquidity is removed, others can hardly sell.',
    ),
    link: rule(1.6, null, 'How strongly the wallets are linked by evidence other than this exit.'),
  },
};

/** Surprise of a single seller that the others send tokens to: it has no comparison group. */
const FUNNEL_SURPRISE = 4;

/**
 * Wallets of one owner exit within minutes: by sales, through one seller, or with one-sided
 * liquidity that was converted to quote. Measured by the amount the cluster as a whole disposed of,
 * not by the number of sellers. A panic looks similar, but then holders of similar size sell as
 * well.
 */
export const coordinatedExit = detectorOf(COORDINATED_EXIT_TABLE, {
  severity: 9,
  pattern:
    'Linked wallets that hold a large share of the supply sell nearly all of it within ' +
    'minutes, possibly through one wallet or by removing liquidity, and the pool is left ' +
    'empty.',
  lookAlikes: [
    'A panic, or a fall of SOL: other holders of similar size sell as well, so the exit ' +
      'is not improbable.',
    'Two acquaintances who sell together: fewer than three wallets, and a small share of ' +
      'the supply.',
    'An airdrop that many recipients sell: a sender to more than fifty wallets is linked ' +
      'to none of them.',
    'A liquidity provider that deposited both sides: its tokens were not deposited to be ' +
      'sold.',
    'Copy traders who leave when their leader does: like withdrawals from one exchange are ' +
      'no link here.',
    'Links by joint exits are excluded: the pattern itself causes them.',
  ],
  gates: EXIT_GATES,
  inspect: (reading) => {
    const context = toContext(reading);
    return context.clusters.all
      .flatMap((cluster) => strongestExit(context, findExits(context, cluster)) ?? [])
      .sort(byStrength);
  },
});

interface ScoredExit {
  readonly exit: CrewExit;
  readonly measures: Measures<ExitFeature>;
  readonly score: Score;
}

/**
 * The exit with the highest score of both window lengths; its start is that of the earliest one.
 */
function strongestExit(context: ExitContext, exits: readonly CrewExit[]): Judgement | null {
  const { mintCase } = context;
  const scored = exits.map((exit): ScoredExit => {
    const measures = measureExit(context, exit);
    return {
      exit,
      measures,
      score: scoreCase(COORDINATED_EXIT_TABLE, measures, mintCase.isFundingKnown),
    };
  });
  const [strongest] = scored.toSorted((one, other) => other.score.rawScore - one.score.rawScore);
  const [earliest] = exits.toSorted((one, other) => one.first.slot - other.first.slot);
  if (strongest === undefined || earliest === undefined) return null;
  const { exit, measures, score } = strongest;
  return toJudgement({
    score,
    texts: exitTexts(context, exit, measures),
    wallets: assignExitRoles(context, exit),
    valueAtRiskUsd: valueAtRisk(context, exit),
    clusterRoot: exit.cluster.root,
    patternStartSlot: earliest.first.slot,
  });
}

function measureExit(context: ExitContext, exit: CrewExit): Measures<ExitFeature> {
  const { heldRaw, exitRaw, takenLamports, poolLamports, fall, cluster } = exit;
  const surprise = exitSurprise(context, exit);
  const isFunnel = findFunnels(context, exit).length > 0;
  return {
    exit: shareOf(exitRaw, heldRaw),
    supply: shareOf(heldRaw, context.mintCase.supplyRaw),
    sync: isFunnel ? Math.max(FUNNEL_SURPRISE, surprise ?? 0) : surprise,
    drain: poolLamports === null ? null : shareOf(takenLamports, poolLamports),
    fall,
    liquidity: liquidityRemoved(context, exit),
    link: cluster.strength,
  };
}

/** Value already taken plus value that can still be taken. */
function valueAtRisk(
  { mintCase }: ExitContext,
  { takenLamports, cluster }: CrewExit,
): UsdNano | null {
  const takenUsd = lamportsToUsd(asLamports(takenLamports), mintCase.market?.solUsd ?? null);
  const remainingUsd = holdingsAtRiskUsd(mintCase, cluster.members);
  if (takenUsd === null || remainingUsd === null) return null;
  return asUsdNano(takenUsd + remainingUsd);
}
