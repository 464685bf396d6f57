import type { SimulationConfig } from './simulation-config.ts';
import { BENIGN_FAMILIES, FRAUD_TYPES } from './truth/labels.ts';

const DEFAULTS: SimulationConfig = {
  seed: 'mintscope',
  firstSlot: 400_000_000,
  startMs: Date.UTC(2026, 0, 1),
  slotMs: 400,
  laterSlotMs: 400,
  laterFromSlot: 0,
  skipRate: 0.02,
  forkRate: 0.002,
  forkSlotsMax: 3,
  skipsIdleSlots: false,
  blockCapacity: 1_200,
  votesPerBlock: 2,
  solTradeEveryMs: 5_000,
  launchesPerHour: 120,
  poolLaunchesPerHour: 20,
  qualityPower: 3,
  secondWaveShare: 0,
  keptFeesShare: 0.8,
  secondFormShare: 0.5,
  exactTokensShare: 0.3,
  otherQuoteShare: 0.06,
  holderRewardShare: 0.05,
  feeSweepEveryMs: 20_000,
  boostEveryMs: 20_000,
  crowdWeight: 1,
  people: {
    casual: 600,
    terminalUser: 300,
    freshUser: 300,
    sniper: 20,
    copyTrader: 20,
    marketMaker: 4,
    arbitrageur: 6,
    sandwicher: 4,
    volumeBot: 6,
    smartTrader: 20,
    luckyTrader: 20,
    promoter: 10,
    holder: 0,
    handScalper: 0,
    whale: 0,
    skilledTrader: 0,
    fadingTrader: 0,
    streakTrader: 0,
  },
  attacksPerHour: recordOf(FRAUD_TYPES, 4),
  benignPerHour: recordOf(BENIGN_FAMILIES, 1),
};

/** No attacks or other special events, and idle slots are skipped. */
const QUIET = {
  skipRate: 0,
  forkRate: 0,
  skipsIdleSlots: true,
  votesPerBlock: 0,
  solTradeEveryMs: 240_000,
  feeSweepEveryMs: 1_800_000,
  boostEveryMs: 1_800_000,
  attacksPerHour: recordOf(FRAUD_TYPES, 0),
  benignPerHour: recordOf(BENIGN_FAMILIES, 0),
} as const;

/** Few launches a day, for weeks of simulated time: people trade repeatedly. */
const MONTH = {
  ...DEFAULTS,
  ...QUIET,
  launchesPerHour: 0.4,
  poolLaunchesPerHour: 0.05,
  crowdWeight: 5,
  people: {
    ...DEFAULTS.people,
    casual: 300,
    terminalUser: 150,
    freshUser: 100,
    holder: 60,
    handScalper: 20,
    whale: 4,
    sniper: 6,
    copyTrader: 3,
    marketMaker: 0,
    arbitrageur: 0,
    sandwicher: 2,
    volumeBot: 3,
    smartTrader: 0,
    skilledTrader: 24,
    fadingTrader: 12,
    streakTrader: 30,
  },
} as const;

/** Configurations by name. */
export const PRESETS = {
  /** For `npm start`: a bit of everything within minutes. */
  demo: {
    ...DEFAULTS,
    // Chosen among several because a token leaves its curve early, which makes the demo richer.
    seed: 'demo',
    launchesPerHour: 240,
    poolLaunchesPerHour: 60,
    qualityPower: 1,
    attacksPerHour: recordOf(FRAUD_TYPES, 30),
    benignPerHour: recordOf(BENIGN_FAMILIES, 4),
  },
  /** The defaults: a market for tests and for files. */
  market: DEFAULTS,
  /** Blocks as full as those of the main network. */
  busy: {
    ...DEFAULTS,
    votesPerBlock: 20,
    launchesPerHour: 1_800,
    poolLaunchesPerHour: 200,
    people: mapRecord(DEFAULTS.people, (count) => count * 10),
  },
  /** People and launches without attacks, forks or skipped slots. */
  calm: {
    ...DEFAULTS,
    skipRate: 0,
    forkRate: 0,
    attacksPerHour: recordOf(FRAUD_TYPES, 0),
    benignPerHour: recordOf(BENIGN_FAMILIES, 0),
  },
  /** Many launches that few people want, as on most days: maximum load for programs. */
  launches: {
    ...DEFAULTS,
    ...QUIET,
    launchesPerHour: 50,
    poolLaunchesPerHour: 2,
    qualityPower: 8,
    crowdWeight: 4,
    people: { ...DEFAULTS.people, holder: 100, handScalper: 30, whale: 6 },
  },
  month: MONTH,
  /** The same with tokens that find attention a second time, for signals. */
  waves: { ...MONTH, secondWaveShare: 0.15 },
} as const satisfies Readonly<Record<string, SimulationConfig>>;

export type PresetName = keyof typeof PRESETS;

function recordOf<Name extends string>(
  names: readonly Name[],
  value: number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, number>;
}

function mapRecord<Name extends string>(
  record: Readonly<Record<Name, number>>,
  map: (value: number) => number,
): Record<Name, number> {
  return Object.fromEntries(
    Object.entries<number>(record).map(([name, value]) => [name, map(value)]),
  ) as Record<Name, number>;
}
