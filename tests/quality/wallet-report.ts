import { fixed, integer, tableLines } from '../../bench/table.ts';
import type { BehaviourRow, ClassQuality } from './class-quality.ts';
import { LEADERBOARD_FILE, type MappedWallet, PROFITABLE_REACH } from './leaderboard.ts';
import type { Foresight } from './score-foresight.ts';
import {
  DENSE,
  type Goal,
  HELD_BACK_SEEDS,
  LONG,
  type SeedQuality,
  TRADES_ENOUGH,
  TRAINING_SEEDS,
  type WalletQuality,
} from './wallet-quality.ts';

/** The report as Markdown. */
export function walletReport(
  quality: WalletQuality,
  leaderboard: readonly MappedWallet[] | null,
): string {
  const { dense, long, skillRows, goals, seeds } = quality;
  const sections = [
    '# Bots and smart wallets: how often they are classified correctly',
    'Written by `npm run quality:wallets`, which ends with 1 when a number is missed. Everything here is measured on markets that the project simulates itself: the shares of programs and of good traders in them, and how well those do, are chosen and are no measurement of the real chain (docs/decisions/0009).',
    `Seeds: ${seeds.map(({ seed }) => `\`${seed}\``).join(', ')}. Held back are ${list(HELD_BACK_SEEDS)}: nothing was chosen on them. Rules, thresholds and the people of the simulation were looked at on ${list(TRAINING_SEEDS)} only. Seeds \`held-back-1\` to \`held-back-3\` are spent: they showed a precision of smart wallets of 88.9 %, which led to leaving out copied purchases. \`held-back-4\` to \`held-back-6\` judged the score before decision 0077.`,
    '## What is asked for',
    table([['', 'at least', 'measured', 'met'], ...goals.map(goalRow)]),
    '## How it is measured',
    METHOD,
    '## Seeds one by one',
    table([SEED_HEADER, ...seeds.map(seedRow)]),
    '## Bot or organic',
    table([
      ['market', 'wallets', 'right', 'if all were called organic', 'bots found', 'bots right'],
      classRow('dense, all that traded', dense.all),
      classRow(`dense, ${TRADES_ENOUGH} trades or more`, dense.active),
      classRow('long, all that traded', long.all),
      classRow(`long, ${TRADES_ENOUGH} trades or more`, long.active),
    ]),
    'By what they are, dense market:',
    behaviourTable(dense.rows),
    'Long market, in which programs find far less of the work that gives them away:',
    behaviourTable(long.rows),
    '## Smart wallets',
    `Planted: ${integer(quality.skill.planted)}; called smart: ${integer(quality.skill.called)}; both: ${integer(quality.skill.found)}.`,
    table([
      [
        ...['kind', 'wallets', 'called smart', 'mean score', 'mean episodes (by age)'],
        ...['won', 'mean return beyond luck'],
      ],
      ...skillRows.map(({ behaviour, wallets, calledSmart, score, episodes, ...row }) => [
        behaviour,
        integer(wallets),
        integer(calledSmart),
        number(score, 1),
        number(episodes, 1),
        percent(row.winRate),
        number(row.skillMean, 3),
      ]),
    ]),
    LIVES,
    '## What the score tells of the time after it',
    `Organic wallets with five ended episodes or more are ranked by score after ${LONG.judgedAfterDays} days. Beside each of the best tenth stand wallets of the same fifth by number of episodes that are not of the tenth. Returns are log returns of what was begun within the period, in SOL, mean by wallet, then over wallets.`,
    table([FORESIGHT_HEADER, ...quality.foresight.map(foresightRow)]),
    '## Published wallets',
    leaderboardText(leaderboard),
    '## What this does not show',
    LIMITS,
  ];
  return `${sections.join('\n\n')}\n`;
}

const METHOD = `Two markets are made of each seed, as raw blocks, and go through decoders and fold as recorded ones do; nothing is handed in behind the decoders. Slots last 400 ms in both; those in which nobody sends anything bring no block, so that weeks cost what is traded in them. Each of the crowd stands for several, with the money of several (\`crowdWeight\`). Every wallet the service saw trading is then looked up by \`Engine.wallet\` and held against the label that the simulation gave it.

- **Dense** (preset \`${DENSE.preset}\`): ${DENSE.judgedAfterDays * 24} hours, 50 launches an hour of which few are wanted. The rules for bots look at what a wallet does within seconds and within a day, so days must be as full as days are.
- **Long** (preset \`${LONG.preset}\`): ${LONG.judgedAfterDays} days, then ${LONG.periods} periods of ${LONG.periodDays} days, with some ten launches a day, so that the same people trade again and again.

Returns after the ranking come from the venues' own facts, not from the engine's books. The bootstrap draws wallets of the best tenth with replacement, and for each one of its matches, 2,000 times.`;

const LIVES =
  'Skilled traders judge launches with an edge and cut losses early, so that they lose most of their trades and earn by a few; fading traders begin with that edge and lose it within 8 to 24 days; streak traders trade alike without an edge, but for a few days. Neither of the latter counts as planted, though a fading trader may still have been good for most of the time that is judged.';

const LIMITS = `- Wallets of attacks are not in these markets: a group that acts together is told by the fraud check, wallet by wallet it looks like people.
- Most wallets trade a few times and are people, so a high share of right answers is easy to come by; the column beside it says what calling everybody organic would reach, and the share of bots found says what the rules add.
- What was bought one to five slots behind a wallet that stood as shortly before in three other mints counts for no skill (docs/decisions/0017). The copy traders of the simulation keep to the same one to five slots, so that this finds nearly all they do; whoever follows later than that, or behind more than 16 others, is not found. They are called bots only where they trade as much as in the dense market: elsewhere they count as organic, and the table by kind says how many are called smart.
- The precision depends on how many programs that earn stand beside how many good traders, which is chosen, and was chosen knowing this: with the 20 copy traders and 20 snipers of the other presets beside 30 good traders, less weight for sniping and copied purchases counted, 13 of 23 wallets called smart on a training seed were such programs; the long market has 3 and 6 beside 24. The table by kind is what carries over.
- Launches an hour are a tenth or less of the main network's: programs that buy every launch do far more swaps a day there and are found by the rate alone.`;

const SEED_HEADER = [
  'seed',
  'dense: transactions, launches',
  'right',
  'long: transactions, launches',
  'right',
  'smart: precision',
  'recall',
];

function seedRow({ seed, dense, long }: SeedQuality): string[] {
  return [
    seed,
    `${integer(dense.transactions)}, ${integer(dense.launches)}`,
    percent(dense.classes.accuracy),
    `${integer(long.transactions)}, ${integer(long.launches)}`,
    percent(long.classes.accuracy),
    percent(long.skill.precision),
    percent(long.skill.recall),
  ];
}

function goalRow({ what, least, value, isMet }: Goal): string[] {
  const show = least === 0 ? (share: number | null) => number(share, 3) : percent;
  return [what, show(least), show(value), isMet ? 'yes' : 'NO'];
}

function classRow(name: string, quality: ClassQuality): string[] {
  const { wallets, accuracy, organicShare, botRecall, botPrecision } = quality;
  return [
    name,
    integer(wallets),
    ...[accuracy, organicShare, botRecall, botPrecision].map(percent),
  ];
}

function behaviourTable(rows: readonly BehaviourRow[]): string {
  return table([
    ['kind', 'is', 'called organic', 'called bot', 'right'],
    ...rows.map(({ behaviour, truth, calledOrganic, calledBot }) => {
      const right = truth === 'bot' ? calledBot : calledOrganic;
      return [
        behaviour,
        truth,
        integer(calledOrganic),
        integer(calledBot),
        percent(right / (calledOrganic + calledBot)),
      ];
    }),
  ]);
}

function leaderboardText(wallets: readonly MappedWallet[] | null): string {
  if (wallets === null) {
    return `**Not measured:** no file of published leaderboard wallets was given. With \`MINTSCOPE_TEST_DATA/${LEADERBOARD_FILE}\` (a JSON array of \`address\`, \`profit_usd\`, \`win_rate\` from 0 to 1 and \`tokens\`, the numbers of tokens by result: \`below_minus_50\`, \`minus_50_to_0\`, \`up_to_100\`, \`from_100_to_400\`, \`above_400\` percent) this section says how many of the profitable ones could reach the bound; ${PROFITABLE_REACH.least} of ${PROFITABLE_REACH.of} are wanted.`;
  }
  const profitable = wallets.filter(({ profitUsd }) => profitUsd > 0);
  const reaching = profitable.filter(({ reachesBound }) => reachesBound);
  return [
    `Of ${integer(profitable.length)} profitable ones of ${integer(wallets.length)} published wallets ${integer(reaching.length)} could reach the bound; ${PROFITABLE_REACH.least} of ${PROFITABLE_REACH.of} are wanted. Each class of results stands as one return, stakes count as equal, and the tokens of all published wallets stand for similar purchases, which is stricter than people at large.`,
    table([
      ['won', 'tokens', 'return beyond the list', 'bound', 'without best', 'score', 'reaches'],
      ...profitable
        .toSorted((one, other) => other.score - one.score)
        .map((wallet) => [
          percent(wallet.winRate),
          integer(wallet.episodes),
          ...[wallet.skillMean, wallet.skillBound, wallet.boundWithoutBest].map((each) =>
            number(each, 3),
          ),
          number(wallet.score, 1),
          wallet.reachesBound ? 'yes' : 'no',
        ]),
    ]),
  ].join('\n\n');
}

const FORESIGHT_HEADER = [
  'period',
  'wallets of the best tenth',
  'their mean',
  'their median',
  'mean of matched wallets',
  'difference',
  '95 % interval',
];

function foresightRow(found: Foresight | null, index: number): string[] {
  const first = LONG.judgedAfterDays + index * LONG.periodDays;
  const period = `days ${first} to ${first + LONG.periodDays}`;
  if (found === null) return [period, '0', '-', '-', '-', '-', '-'];
  const { wallets, bestMean, bestMedian, matchedMean, difference, low, high } = found;
  const returns = [bestMean, bestMedian, matchedMean, difference].map((each) => number(each, 3));
  return [period, integer(wallets), ...returns, `${number(low, 3)} to ${number(high, 3)}`];
}

function table(rows: readonly (readonly string[])[]): string {
  return tableLines(rows).join('\n');
}

function list(seeds: readonly string[]): string {
  return seeds.map((seed) => `\`${seed}\``).join(', ');
}

function percent(value: number | null): string {
  return value === null ? '-' : `${fixed(value * 100, 1)} %`;
}

function number(value: number | null, digits: number): string {
  return value === null ? '-' : fixed(value, digits);
}
