import type { WalletSkill } from '../../model/wallet-record.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { flag, integer, list, maybeInstant, rounded, text } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const statistic = rounded(4);

const SkillTerm = wireRecord<WalletSkill['terms'][number]>()({
  term: [text, 'term'],
  feature: [text, 'feature', 'Human-readable name of the feature.'],
  value: [statistic, 'value', 'Measured value.'],
  weight: [statistic, 'weight', 'Weight of the term in the merit.'],
  contribution: [statistic, 'contribution', 'The weight times the value.'],
});

/** Skill of a wallet, with every figure that its score is computed from. */
export const Skill = wireRecord<WalletSkill>()(
  {
    is_smart: [flag, 'isSmart'],
    score: [
      statistic,
      'score',
      'Percentile of the merit among people with as many closed positions, from 0 to 100, as of the last one: 100 · (peers_below + 20 / (1 + exp(-10 · merit))) / (peers + 20). 0 without a position that counts.',
    ],
    peers: [statistic, 'peers', 'People with as many closed positions, by their last one.'],
    peers_below: [
      statistic,
      'peersBelow',
      'Those of them with a lower merit; those with nearly the same merit count in part.',
    ],
    merit: [statistic, 'merit', 'Sum of the contributions of the terms.'],
    terms: [list(SkillTerm), 'terms', 'What the merit is made of.'],
    skill_mean: [
      statistic,
      'skillMean',
      'Mean return beyond that of similar purchases by others, as a natural logarithm, drawn towards zero: excess / (episodes + 10).',
    ],
    skill_deviation: [
      statistic,
      'skillDeviation',
      'Standard deviation of single such returns: √((10 + excess_squares - excess · skill_mean) / (episodes + 10)).',
    ],
    skill_bound: [
      statistic,
      'skillBound',
      'Lower 90 % bound of the mean: skill_mean - 1.2816 · skill_deviation / √(episodes + 10). Above zero, luck alone is an unlikely explanation.',
    ],
    bound_without_best: [
      statistic,
      'boundWithoutBest',
      'The same bound after best_weight of episodes, best_weight · best_excess of excess and best_weight · best_excess² of excess_squares are taken out.',
    ],
    log_profit_factor: [
      statistic,
      'logProfitFactor',
      'Natural logarithm of (gains_usd + c) / (losses_usd + c), where c = 5 · (gains_usd + losses_usd) / episodes.',
    ],
    episodes: [statistic, 'episodes', 'Closed positions, weighted by age (half-life 30 days).'],
    wins: [statistic, 'wins', 'Profitable closed positions, weighted by age.'],
    returns: [
      statistic,
      'returns',
      'Sum of the returns, as natural logarithms within ± 3, weighted by age.',
    ],
    excess: [
      statistic,
      'excess',
      'Sum of the returns less those that others had with purchases of the same hour, age and market cap of the token, weighted by age.',
    ],
    excess_squares: [
      statistic,
      'excessSquares',
      'Sum of the squares of these differences, weighted by age.',
    ],
    best_excess: [statistic, 'bestExcess', 'The highest of these differences.'],
    best_weight: [statistic, 'bestWeight', 'Weight by age of the position it is of.'],
    gains_usd: [rounded(2), 'gainsUsd', 'Profits in US dollars, weighted by age.'],
    losses_usd: [rounded(2), 'lossesUsd', 'Losses in US dollars, from zero, weighted by age.'],
    profit_usd: [
      rounded(2),
      ({ gainsUsd, lossesUsd }) => gainsUsd - lossesUsd,
      'Profits less losses.',
    ],
    excluded_episodes: [integer, 'excludedEpisodes', 'Closed positions excluded from the score.'],
    last_episode_at: [maybeInstant, 'lastEpisodeMs'],
  },
  { description: 'Trading skill and how it is computed; null until a position has been closed.' },
);

/** A skill in examples, whose figures follow from one another. */
export const SKILL_EXAMPLE = {
  is_smart: true,
  score: '96.3849',
  peers: '400.0000',
  peers_below: '385.0000',
  merit: '0.4681',
  terms: [
    {
      term: 'skill_bound',
      feature:
        'lower 90 % bound of the mean return beyond that of other people with similar purchases',
      value: '0.1677',
      weight: '0.2500',
      contribution: '0.0419',
    },
    {
      term: 'without_best',
      feature: 'the same bound without the best position',
      value: '0.1277',
      weight: '0.2500',
      contribution: '0.0319',
    },
    {
      term: 'profit_factor',
      feature: 'natural logarithm of profits over losses, each plus five average results',
      value: '0.7885',
      weight: '0.5000',
      contribution: '0.3942',
    },
  ],
  skill_mean: '0.3750',
  skill_deviation: '1.0232',
  skill_bound: '0.1677',
  bound_without_best: '0.1277',
  log_profit_factor: '0.7885',
  episodes: '30.0000',
  wins: '10.0000',
  returns: '6.0000',
  excess: '15.0000',
  excess_squares: '37.5000',
  best_excess: '2.0000',
  best_weight: '1.0000',
  gains_usd: '6000.00',
  losses_usd: '2000.00',
  profit_usd: '4000.00',
  excluded_episodes: 1,
  last_episode_at: EXAMPLE.instant,
} as const;
